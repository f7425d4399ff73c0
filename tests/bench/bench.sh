#!/bin/sh
# Measures what the project promises, in one run on this machine: bench.sh BUILD BENCH-BUILD. Each
# line names its figure, its inputs and what it must be. Takes some minutes, and 2 GB of disk.
set -eu
build=$1
bench=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/ludus-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
trace=$build/ludus-trace

# measured NAME RUNS COMMAND...: sets `seconds` and `peak_kib`.
measured() {
    figures=$("$bench/measure_command" "$@")
    seconds=${figures% *}
    peak_kib=${figures#* }
}
calculate() {
    awk "BEGIN { printf \"$1\", $2 }"
}
# slices CAPTURE
slices() {
    "$trace" summarize "$1" --format csv --table windows | tr -d '\r' |
        awk -F, 'NR > 1 { sum += $2 } END { print sum }'
}
echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(uname -sr)"
echo "program: $("$trace" --version), $(cc --version | head -n 1)"
echo

"$bench/scope_cost"
echo

"$bench/collector_cost" "$work"
echo

echo "inputs: arena --dense --frames 540 (large), --frames 270 (half), and arena --frames 600 (game)"
"$build/examples/arena" --dense --frames 540 --capture "$work/large.lcap" >/dev/null
"$build/examples/arena" --dense --frames 270 --capture "$work/half.lcap" >/dev/null
"$build/examples/arena" --frames 600 --capture "$work/game.lcap" >/dev/null
count=$(slices "$work/large.lcap")
echo "  large.lcap holds $count slices"
echo
"$bench/bytes_per_slice" "$work/game.lcap"
echo

measured 5 /dev/null "$trace" summarize "$work/large.lcap"
large_peak=$peak_kib
rate=$(calculate "%.1f" "2 * $count / $seconds / 1e6")
measured 5 /dev/null "$trace" summarize "$work/half.lcap"
echo "summarize: $rate million events/s on one core (must be at least 20)"
echo "  peak memory $(calculate "%.1f" "$large_peak / 1024") MiB at $count slices, $(calculate "%.1f" "$peak_kib / 1024") MiB at half of them (must be under 64 MB, and not grow)"
echo

"$bench/import_floor" "$work/large.lcap" "$work"
echo

"$bench/export_speed" "$work/large.lcap"
