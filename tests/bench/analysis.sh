#!/bin/sh
# How fast and how large: analysis.sh [--quick] BUILD BENCH-BUILD WORK ARENA-CAPTURE. Rates of the
# commands that read all events, on arena's capture and on synthetic ones, and what they do with more
# slices, more cores and more sites. A part of bench.sh, whose conventions it keeps; takes five
# minutes, with --quick half a minute.
set -eu
quick=
if [ "$1" = --quick ]; then
    quick=--quick
    shift
fi
build=$1
bench=$2
work=$3
arena=$4
here=$(cd "$(dirname "$0")" && pwd)
trace=$build/ludus-trace
make=$build/tests/synthetic/synthetic_capture
runs=$(full=3; [ -n "$quick" ] && full=1; echo $full)
# shellcheck source=tests/bench/bench_functions.sh
. "$here/bench_functions.sh"

# A command: its name, its arguments behind the capture, and the least million events/s on one core.
commands='summarize||50
tree||35
frames||25'

# A synthetic capture: million slices, tracks, sites.
captures=$(full_or_quick '1 1 60
5 1 60
10 64 60
10 1 60000
50 1 60
50 64 60
50 64 60000' '1 1 60
5 64 60000
2 1 60')

# What memory may take: see docs/measurements.md.
constant_bytes=$((12 * 1048576))
smaller=$(full_or_quick 5 1)
larger=$(full_or_quick 50 2)

# name_of MILLIONS TRACKS SITES
name_of() {
    echo "$1 M, $2 tracks, $3 sites"
}
file_of() {
    echo "$work/synthetic-$1-$2-$3.lcap"
}

# rate_on CORES COMMAND ARGUMENTS CAPTURE: sets `rate`, in million events/s of processor time, which on
# one core is the time that it takes when nothing else runs there; and what measured sets.
rate_on() {
    cores=$1
    command=$2
    capture=$4
    # shellcheck disable=SC2086
    measured "$runs" /dev/null taskset -c "$cores" "$trace" "$command" "$capture" $3
    rate=$(calculate "%.1f" "$(events "$capture") / $cpu_seconds / 1e6")
}

# measure_rates CAPTURE NAME [BOUND]: all commands, with one core and with two.
measure_rates() {
    echo "$commands" | while IFS='|' read -r name arguments least; do
        rate_on 0 "$name" "$arguments" "$1"
        one=$seconds
        echo "$name, $2: $rate million events/s on one core, $(calculate "%.1f" "$peak_kib / 1024") MiB, first output after $first_output s"
        gate "$rate >= $least" "$name" "$rate million events/s on one core, $2 (at least $least)"
        [ -z "${3-}" ] || gate "$peak_kib * 1024 <= $3" "$name, memory" \
            "$(calculate "%.1f" "$peak_kib / 1024") MiB, $2 (at most $(calculate "%.1f" "$3 / 1048576"))"
        rate_on 0,1 "$name" "$arguments" "$1"
        gate "$one / $seconds >= 1.5" "$name, two cores" \
            "$(calculate "%.2f" "$one / $seconds") times as fast as on one, $2 (at least 1.5)"
    done
}

# The bound of memory of a capture, bytes: 32 MB with few sites, else by what is in it. Frames are one
# for 10,000 slices, and paths two for each site.
bound_of() {
    if [ "$3" -le 60 ]; then
        echo 32000000
    else
        echo $((constant_bytes + 16 * $1 * 100 + 256 * $3 + 64 * 2 * $3))
    fi
}

measure_synthetic() {
    echo "$captures" | while read -r millions tracks sites; do
        file=$(file_of "$millions" "$tracks" "$sites")
        "$make" --slices "${millions}000000" --tracks "$tracks" --sites "$sites" -o "$file"
        measure_rates "$file" "$(name_of "$millions" "$tracks" "$sites")" \
            "$(bound_of "$millions" "$tracks" "$sites")"
        [ "$tracks$sites" = 160 ] || rm "$file"
    done
}

# From few slices to many, in the same minute.
measure_growth() {
    echo "$commands" | while IFS='|' read -r name arguments least; do
        rate_on 0 "$name" "$arguments" "$(file_of "$smaller" 1 60)"
        before=$cpu_seconds
        rate_on 0 "$name" "$arguments" "$(file_of "$larger" 1 60)"
        most=$(calculate "%.1f" "1.1 * $larger / $smaller")
        gate "$cpu_seconds <= $most * $before" "$name, growth" \
            "$(calculate "%.2f" "$cpu_seconds / $before") times the time for $smaller to $larger million slices (at most $most)"
    done
}

# Both sides of a comparison are read once each; of the same slices, so that both take the same.
measure_diff() {
    millions=$(full_or_quick 10 1)
    file=$work/synthetic-diff.lcap
    "$make" --slices "${millions}000000" --tracks 4 --sites 60 -o "$file"
    cp "$file" "$file.2"
    measured "$runs" /dev/null "$trace" summarize "$file"
    one=$seconds
    measured "$runs" /dev/null "$trace" diff "$file" "$file.2" 2>/dev/null # that they are one recording
    gate "$seconds <= 2.2 * $one" "diff" \
        "$(calculate "%.2f" "$seconds / $one") times one summarize, two captures of $millions million slices (at most 2.2)"
    rm "$file" "$file.2"
}

# drop_cache FILE: says whether it is read from the disk.
drop_cache() {
    sync "$1"
    if [ -w /proc/sys/vm/drop_caches ] && echo 1 2>/dev/null >/proc/sys/vm/drop_caches; then
        echo "cold cache"
    else
        echo "warm cache"
    fi
}

measure_first_output() {
    file=$work/synthetic-huge.lcap
    "$make" --slices "$(full_or_quick 200000000 20000000)" --tracks 64 --mean-ns 1000000 -o "$file"
    size=$(calculate "%.2f" "$(stat -c %s "$file") / 1e9")
    cache=$(drop_cache "$file")
    measured 1 /dev/null "$trace" info "$file"
    gate "$first_output <= 0.3" "info, first output" \
        "$first_output s, capture of $size GB, $cache (at most 0.3)"
    if [ -z "$quick" ]; then
        measured 1 /dev/null "$trace" summarize "$file"
        printf 'gate %-6s %-28s %s\n' figure "summarize, first output" \
            "$first_output s, capture of $size GB"
    fi
    rm "$file"
}

echo "analysis: medians of $runs runs; captures of arena and of synthetic_capture"
measure_rates "$arena" "arena"
measure_synthetic
measure_growth
measure_diff
measure_first_output
