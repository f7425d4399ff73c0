#!/bin/sh
# Every macro, disabled, leaves neither instructions nor data: the code and the sections are the same
# as those of the source without the lines that use macros. Usage: SOURCE WORK-DIR CC CXX -I...
# The headers there define the macros; SOURCE has a function that uses each of them. Other compilers
# that the machine has are tried as well.
set -eu
source=$1
work=$2
cc=$3
cxx=$4
shift 4
mkdir -p "$work"
grep -v 'LUDUS_PROFILE_' "$source" >"$work/plain.h"

macros=$(for option in "$@"; do
    find "${option#-I}" -name '*.h' -exec sed -n 's/^#define \(LUDUS_PROFILE_[A-Z_]*\)(.*/\1/p' {} +
done)
for macro in $macros; do
    grep -q "$macro(" "$source" || {
        echo "$source: does not use $macro"
        exit 1
    }
done

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

checked=0
for compiler in "$cc" gcc clang; do
    command -v "$compiler" >/dev/null || continue
    for optimisation in -O0 -O2; do check "$compiler" c "$optimisation" "$@"; done
    checked=$((checked + 1))
done
for compiler in "$cxx" g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    for optimisation in -O0 -O2; do check "$compiler" c++ "$optimisation" "$@"; done
    checked=$((checked + 1))
done
# shellcheck disable=SC2086
echo "$(printf '%s\n' $macros | wc -l) macros, disabled: the same code as without them, at -O0 and -O2," \
    "by $checked compilers"
