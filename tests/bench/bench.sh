#!/bin/sh
# Measures what the project promises, in one run on this machine: bench.sh [--quick] BUILD
# BENCH-BUILD. Every program prints its inputs and its figures; the lines that begin with "gate" are
# repeated at the end, each with the figure and what it must be: ok, over, unsure (the machine is too
# noisy to tell), or a figure that has no bound. Takes some thirty minutes and 3 GB of disk; --quick
# takes less than five, with fewer rounds and shorter inputs.
set -eu
quick=
if [ "${1-}" = --quick ]; then
    quick=--quick
    shift
fi
build=$1
bench=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/ludus-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
trace=$build/ludus-trace

# shellcheck source=tests/bench/bench_functions.sh
. "$here/bench_functions.sh"

# run COMMAND...: its output is shown, and kept for the summary.
run() {
    {
        set +e
        (
            set -e
            "$@"
        )
        status=$?
        [ $status -eq 0 ] || echo "gate failed $(basename "$1"): exit code $status"
    } | tee -a "$work/report"
    echo
}
# slices CAPTURE
slices() {
    "$trace" summarize "$1" --format csv --table windows | tr -d '\r' |
        awk -F, 'NR > 1 { sum += $2 } END { print sum }'
}

make_captures() {
    large=$(full_or_quick 540 120)
    game=$(full_or_quick 600 200)
    "$build/examples/arena" --dense --frames "$large" --capture "$work/large.lcap" >/dev/null
    "$build/examples/arena" --frames "$game" --capture "$work/game.lcap" >/dev/null
    "$build/examples/arena" --frames "$game" --resolution 10 --capture "$work/coarse.lcap" >/dev/null
    count=$(slices "$work/large.lcap")
    echo "captures: arena --dense --frames $large (large, $count slices), arena --frames $game" \
        "(game), and the same with --resolution 10 (coarse)"
    echo
}

# measure_size CAPTURE: the bound is that of a clock with a step of one tick; 2.4 with one of 10 ns.
measure_size() {
    "$bench/bytes_per_slice" "$1" >"$work/size"
    cat "$work/size"
    figure=$(sed -n 's/^size: .* bytes: \([0-9.]*\) bytes\/slice.*/\1/p' "$work/size")
    step=$("$trace" info "$1" | awk '/^Clocks/ { getline; getline; print $3 }')
    most=$([ "$step" -lt 10 ] && echo 3.1 || echo 2.4)
    gate "$figure <= $most" "size, step of $step" \
        "$figure bytes a slice of arena (at most $most with a step of $step)"
}

measure_import() {
    taskset -c 0 "$bench/import_floor" "$work/large.lcap" "$work" >"$work/import"
    cat "$work/import"
    figure=$(sed -n 's/^import reaches \([0-9]*\) %.*/\1/p' "$work/import")
    gate "$figure >= 80" "import" "$figure % of the rate of a bare loop of inserts, one core (at least 80)"
}

measure_export() {
    "$bench/export_speed" "$work/large.lcap" >"$work/export"
    cat "$work/export"
    figure=$(sed -n 's/^export .* s: \([0-9]*\) MB\/s.*/\1/p' "$work/export")
    gate "$figure >= 400" "export --perfetto" "$figure MB/s of JSON (at least 400)"
}

load=$(cut -d ' ' -f 1-3 /proc/loadavg)
make_captures >"$work/captures"
echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(uname -sr)"
echo "program: $("$trace" --version), $(cc --version | head -n 1)"
echo "commit: $(git -C "$here" describe --always --dirty 2>/dev/null || echo unknown)"
echo "recorder's clock: $("$trace" info "$work/game.lcap" | sed -n 's/^  clock  *\(.*:.*\)/\1/p')"
echo "load: $load before the first program (figures of a busy machine say little)"
echo

run "$here/header_cost.sh" "$bench" "$work" "$(full_or_quick 31 7)"
# shellcheck disable=SC2086
{
    run "$bench/scope_cost" $quick --folder "$work"
    run "$bench/clock_quality" $quick
    run "$bench/thread_scaling" $quick --folder "$work"
    run "$bench/counter_cost" $quick --folder "$work"
    run "$bench/sched_cost"
    run "$bench/memory_cost" $quick --folder "$work"
    run "$bench/collector_cost" "$work" "$(full_or_quick 180 60)" "$(full_or_quick 5 3)"
    run "$bench/trigger_cost" $quick --folder "$work"
    [ ! -x "$bench/gpu_cost" ] || run "$bench/gpu_cost" $quick --folder "$work"
    run "$here/observer.py" "$build" $quick --folder "$work" --hitch LUDUS_HITCH=20ms
}
cat "$work/captures"
count=$(sed -n 's/.*(large, \([0-9]*\) slices).*/\1/p' "$work/captures")
run measure_size "$work/game.lcap"
run measure_size "$work/coarse.lcap"
run measure_import
run measure_export
# shellcheck disable=SC2086
{
    run "$here/analysis.sh" $quick "$build" "$bench" "$work" "$work/large.lcap"
    run "$here/drawn.py" "$build" $quick --folder "$work"
}

# shellcheck disable=SC2086
run "$here/diff_power.sh" $quick "$build" "$bench"
run "$bench/false_alarms" "$(full_or_quick 10000 700)"
run "$bench/detection_power" "$(full_or_quick 500 40)"

echo "load: $(cut -d ' ' -f 1-3 /proc/loadavg) at the end"
echo
sed -n 's/^gate //p' "$work/report"
! grep -q '^gate failed' "$work/report"
