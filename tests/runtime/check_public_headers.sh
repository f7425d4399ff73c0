#!/bin/sh
# Every public header compiles alone, and so do all macros, in every language that is promised,
# enabled and disabled, without a warning of any kind that a program may ask for.
# Usage: MACROS-FILE WORK-DIR INCLUDE-DIR... with every compiler on the machine.
set -eu
macros=$1
work=$2
shift 2
includes=""
headers=""
for dir in "$@"; do
    includes="$includes -I$dir"
    headers="$headers $(cd "$dir" && find ludus -name '*.h')"
done
mkdir -p "$work"
# Programs may ask for more than we do, without taking our headers for system headers. What is left
# out: padding, and news that the language is not an older one.
gcc="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Warith-conversion -Wcast-qual
    -Wcast-align -Wundef -Wdouble-promotion -Wformat=2 -Wredundant-decls -Wlogical-op -Wswitch-default
    -Wswitch-enum -Wmissing-declarations -Wunused-macros"
gcc_c="-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wbad-function-cast -Wc++-compat
    -Wnested-externs"
gcc_cpp="-Wold-style-cast -Wuseless-cast -Wzero-as-null-pointer-constant -Weffc++ -Wextra-semi
    -Wnon-virtual-dtor -Wctor-dtor-privacy"
clang="-Weverything -Wno-padded -Wno-declaration-after-statement -Wno-c++98-compat
    -Wno-c++98-compat-pedantic -Wno-pre-c11-compat -Wno-unknown-warning-option"
tried=0

warnings() { # COMPILER
    case $1 in
    gcc) echo "$gcc $gcc_c" ;;
    g++) echo "$gcc $gcc_cpp" ;;
    *) echo "$clang" ;;
    esac
}

try() { # COMPILER LANGUAGE STANDARD FILE
    for enabled in 0 1; do
        # shellcheck disable=SC2086
        "$1" -x "$2" -std="$3" $(warnings "$1") -Werror $includes -DLUDUS_PROFILE_ENABLED=$enabled -fsyntax-only "$4" || {
            echo "$4: $1 -std=$3 LUDUS_PROFILE_ENABLED=$enabled"
            exit 1
        }
        tried=$((tried + 1))
    done
}

# What needs headers of somebody else is tried where these are.
echo '#include <vulkan/vulkan_core.h>' | cc -x c -fsyntax-only - 2>"$work/vulkan.log" ||
    headers=$(echo "$headers" | sed 's|ludus/gpu_vulkan.h||')
for header in $headers; do
    name=$(echo "$header" | tr '/.' '__')
    # Twice, for the guard; and something of its own, as an empty file is not C.
    printf '#include <%s>\n#include <%s>\nextern int own_declaration;\n' "$header" "$header" >"$work/$name.c"
done
for file in "$work"/ludus_*.c "$macros"; do
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || continue
        for standard in c99 c11; do try "$compiler" c "$standard" "$file"; done
    done
    for compiler in g++ clang++; do
        command -v "$compiler" >/dev/null || continue
        for standard in c++11 c++20; do try "$compiler" c++ "$standard" "$file"; done
    done
done
echo "$tried compilations"
test "$tried" -ge 32
