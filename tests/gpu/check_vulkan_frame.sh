#!/bin/sh
# What the example that draws records: each of its passes, on the CPU and the GPU or the GPU alone;
# and how it ends where it cannot. Usage: check_vulkan_frame.sh VULKAN_FRAME LUDUS_TRACE FOLDER
set -eu
frame=$1
trace=$2
folder=$3

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
unset LUDUS_CAPTURE LUDUS_SOURCES LUDUS_HITCH LUDUS_CATEGORIES

# WHAT ANSWER WANTED
expect() {
    [ "$2" = "$3" ] || {
        echo "$1: $2, and not $3" >&2
        exit 1
    }
}

# code COMMAND...: its exit code
code() {
    status=0
    "$@" >out 2>&1 || status=$?
    echo $status
}

# coverage CAPTURE SUBJECT OUTCOME: how many
coverage() {
    "$trace" info "$1" --table gpu_coverage --format csv | tr -d '\r' |
        awk -F, -v subject="$2" -v outcome="$3" '$2 == subject && $3 == outcome { print $4 }'
}

status=$(code "$frame" --frames 10 --size 32x24 --capture both.lcap)
if [ "$status" = 77 ]; then
    cat out
    exit 77
fi
expect "both: exit code" "$status" 0
expect "check of both" "$(code "$trace" check both.lcap)" 0
expect "frames" "$(coverage both.lcap frame eligible)" 10
expect "passes" "$(coverage both.lcap pass eligible) $(coverage both.lcap pass valid)" "60 60"
names=$("$trace" query both.lcap "SELECT DISTINCT name FROM slice JOIN site USING (site_id) ORDER BY name" \
    --format csv | tr -d '\r' | tail -n +2 | tr '\n' ' ')
expect "scopes of the CPU" "$names" "Frame/Record Frame/Submit Frame/Wait "

expect "gpu: exit code" "$(LUDUS_SOURCES=gpu code "$frame" --frames 4 --size 32x24 --capture gpu.lcap)" 0
expect "passes of the GPU alone" "$(coverage gpu.lcap pass valid)" 24
expect "scopes beside" "$("$trace" query gpu.lcap "SELECT count(*) FROM slice" --format csv | tr -d '\r' |
    tail -n 1)" 0

expect "a capture that there is" "$(code "$frame" --frames 1 --capture gpu.lcap)" 4
expect "a size that is none" "$(code "$frame" --size 32)" 2
expect "no driver" "$(VK_DRIVER_FILES=/dev/null VK_ICD_FILENAMES=/dev/null code "$frame")" 77
