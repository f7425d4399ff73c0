#!/bin/sh
# The gates that compilers decide: what disabled macros leave, how long the header is and what it
# costs to read, and what sites cost in code and data. Usage: header_cost.sh BENCH-BUILD WORK-DIR
# ROUNDS
# The checks themselves are tests; here they print their figures.
set -eu
bench=$1
work=$2
rounds=$3
root=$(cd "$(dirname "$0")/../.." && pwd)
checks=$root/tests/runtime
includes="-I$root/runtime/include -I$root/format/include"
cc=${CC:-cc}
cxx=${CXX:-c++}

# gate NAME FIGURE COMMAND...: prints what the command prints, and a line for the summary. FIGURE is
# an awk program that makes the figure of it.
gate() {
    name=$1
    figure=$2
    shift 2
    verdict=ok
    "$@" >"$work/check" 2>&1 || verdict=over
    sed 's/^/  /' "$work/check"
    printf 'gate %-6s %-28s %s\n' "$verdict" "$name" "$(awk "$figure" "$work/check")"
}

echo "compilers: $("$cc" --version | head -n 1); $("$cxx" --version | head -n 1)"
# shellcheck disable=SC2086
gate "disabled code" 'END { print }' \
    "$checks/check_disabled_form.sh" "$checks/every_macro.h" "$root/runtime/include/ludus/profile.h" \
    "$work/disabled_form" "$cc" "$cxx" $includes
# shellcheck disable=SC2086
gate "header, lines" '{ sub(/:/, "", $1); text = text (NR > 1 ? ", " : "") $2 " in " $1 } END { print text " (at most 300)" }' \
    "$checks/check_header_lines.sh" "$cc" "$cxx" $includes
# shellcheck disable=SC2086
gate "code size" \
    '/enabled/ { sub(/,/, "", $1); text = text $1 " " $3 " + " $8 ", " }
    END { print text "disabled 0 (bytes of text + data of 1,000 scopes; limits above)" }' \
    "$checks/check_code_size.sh" "$work/code_size" "$cc" "$cxx" $includes

# parse_ms COMPILER LANGUAGE: the median of how much more CPU time the compiler takes with the header than
# with <stdint.h> alone, each run in turn with the other.
parse_ms() {
    echo '#include <stdint.h>' >"$work/without.h"
    echo '#include <ludus/profile.h>' >"$work/with.h"
    : >"$work/differences"
    for _ in $(seq "$rounds"); do
        # shellcheck disable=SC2086
        without=$("$bench/measure_command" 3 /dev/null "$1" -x "$2" $includes -fsyntax-only "$work/without.h")
        # shellcheck disable=SC2086
        with=$("$bench/measure_command" 3 /dev/null "$1" -x "$2" $includes -fsyntax-only "$work/with.h")
        echo "$without $with" | awk '{ print ($7 - $3) * 1000 }' >>"$work/differences"
    done
    sort -n "$work/differences" | awk '{ all[NR] = $1 } END { printf "%.1f", all[int((NR + 1) / 2)] }'
}
printf 'gate %-6s %-28s %s\n' figure "header, parse time" \
    "$(parse_ms "$cc" c) ms in C and $(parse_ms "$cxx" c++) ms in C++ beyond <stdint.h>"
