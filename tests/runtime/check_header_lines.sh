#!/bin/sh
# <ludus/profile.h> adds at most 300 lines to a preprocessed source beyond those of <stdint.h>, the
# only header that it includes. Usage: check_header_lines.sh CC CXX -I...
# Counted are lines with something in them; the preprocessor's own marks are left out.
set -eu
cc=$1
cxx=$2
shift 2
most=300

lines() { # HEADER COMPILER LANGUAGE INCLUDES...
    header=$1
    compiler=$2
    language=$3
    shift 3
    echo "#include <$header>" | "$compiler" -x "$language" "$@" -E -P - | grep -c .
}

check() { # COMPILER LANGUAGE INCLUDES...
    whole=$(lines ludus/profile.h "$@")
    standard=$(lines stdint.h "$@")
    added=$((whole - standard))
    echo "$2: $added lines of <ludus/profile.h> beyond the $standard of <stdint.h> (at most $most)"
    if [ "$added" -lt 20 ]; then
        echo "that cannot be the header" >&2
        exit 1
    fi
    [ "$added" -le "$most" ] || exit 1
}

check "$cc" c "$@"
check "$cxx" c++ "$@"
