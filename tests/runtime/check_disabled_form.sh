#!/bin/sh
# Every macro, disabled, leaves neither instructions nor data: the code and the sections are the same
# as those of the source without the lines that use macros. Usage: SOURCE WORK-DIR CC CXX -I...
set -eu
source=$1
work=$2
cc=$3
cxx=$4
shift 4
mkdir -p "$work"
grep -v 'LUDUS_PROFILE_' "$source" >"$work/plain.h"

# What a compiled file holds: code, and the sizes of all that is not about debugging.
contents() {
    objdump -d "$1" | sed 1,3d
    objdump -h "$1" | awk '$2 ~ /^\.(text|data|bss|rodata|init)/ { print $2, $3 }'
}

check() { # COMPILER LANGUAGE OPTIMISATION INCLUDES...
    compiler=$1
    language=$2
    optimisation=$3
    shift 3
    "$compiler" -x "$language" "$optimisation" "$@" -DLUDUS_PROFILE_ENABLED=0 -c "$source" -o "$work/off.o"
    "$compiler" -x "$language" "$optimisation" "$@" -DLUDUS_PROFILE_ENABLED=1 -c "$source" -o "$work/on.o"
    "$compiler" -x "$language" "$optimisation" "$@" -c "$work/plain.h" -o "$work/plain.o"
    contents "$work/off.o" >"$work/off.txt"
    contents "$work/on.o" >"$work/on.txt"
    contents "$work/plain.o" >"$work/plain.txt"
    if ! cmp -s "$work/off.txt" "$work/plain.txt"; then
        echo "$compiler $language $optimisation: the disabled macros leave something behind"
        diff "$work/off.txt" "$work/plain.txt" || true
        exit 1
    fi
    if cmp -s "$work/on.txt" "$work/plain.txt"; then
        echo "$compiler $language $optimisation: the enabled macros leave nothing either"
        exit 1
    fi
}

for optimisation in -O0 -O2; do
    check "$cc" c "$optimisation" "$@"
    check "$cxx" c++ "$optimisation" "$@"
done
