#!/bin/sh
# How often `diff` finds a regression in runs of the arena, where there is none and where one was
# planted: diff_power.sh [--quick] BUILD BENCH-BUILD. Records a session of runs in turn, a run of
# each fault to five that have none, and compares sides that are drawn from them (compare_pools.c).
# 160 runs of 300 frames take six minutes on a machine of two cores that does nothing else, and with
# --quick 40 runs of 100 frames half a minute. Nothing else may run meanwhile.
set -eu
base=100
frames=300
splits=2000
hitch=100
if [ "${1-}" = --quick ]; then
    base=25
    frames=100
    splits=200
    hitch=30
    shift
fi
arena=$1/examples/arena
bench=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/ludus-power.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# record POOL NUMBER OPTION...
record() {
    pool=$1
    number=$2
    shift 2
    "$arena" --frames $frames --capture "$work/$pool-$number.lcap" "$@" >/dev/null
}

run=0
while [ $run -lt $base ]; do
    record base $run
    case $((run % 5)) in
    1) record cost $run --plant-cost 5 ;;
    2) record calls $run --plant-calls 4 ;;
    3) record hitch $run --plant-hitch $hitch ;;
    esac
    run=$((run + 1))
done
"$bench/compare_pools" "$work" $splits
