#!/bin/sh
# What the example game counts while it is recorded is what an import finds, in all and in each
# frame: bytes against the sum that the game prints, jobs against the flows that leave with them.
#
#     check_arena_values.sh ARENA LUDUS_TRACE FOLDER FRAMES
set -eu

arena=$1
trace=$2
folder=$3
frames=$4

rm -rf "$folder"
mkdir -p "$folder"
"$arena" --frames "$frames" --seed 7 --capture "$folder/arena.lcap" \
  --times "$folder/times.json" > "$folder/report"
"$trace" import "$folder/arena.lcap" -o "$folder/arena.db"

# The answer of a query that has one row.
ask() {
  "$trace" query "$folder/arena.db" "$1" --format csv | tr -d '\r' | sed -n 2p
}

# WHAT ANSWER WANTED
expect() {
  if [ "$2" != "$3" ]; then
    echo "$1: $2, and not $3" >&2
    exit 1
  fi
}

total="SELECT sum(value) FROM counter_sample JOIN counter USING (counter_id) WHERE name"
read_bytes=$(sed -n 's/.* \([0-9]*\) bytes read.*/\1/p' "$folder/report" | grep .)
expect "bytes that were read" "$(ask "$total = 'Streaming/Bytes'")" "$read_bytes"

outs=$(ask "SELECT flow_outs FROM capture")
test "$outs" -gt $((16 * frames))
expect "jobs" "$(ask "$total = 'Jobs/Submitted'")" "$outs"
expect "arrivals" "$(ask "SELECT count(DISTINCT flow) FROM flow")" "$outs"
expect "unbound ends" "$(ask "SELECT flow_outs_unbound || ' ' || flow_ins_unbound FROM capture")" "0 0"
expect "places" \
  "$(ask "SELECT group_concat(DISTINCT o.name || ' > ' || i.name) FROM flow
    JOIN slice AS os ON os.slice_id = out_slice_id JOIN site AS o ON o.site_id = os.site_id
    JOIN slice AS ins ON ins.slice_id = in_slice_id JOIN site AS i ON i.site_id = ins.site_id")" \
  "Jobs/Submit > Jobs/Execute"

# The thread that marks the frames submits the jobs: both must be the same in each of them.
per_frame="WITH sent AS (SELECT slice.frame_id, count(DISTINCT flow) AS n FROM flow
    JOIN slice ON slice_id = out_slice_id GROUP BY slice.frame_id),
  counted AS (SELECT frame_id, value AS n FROM counter_frame WHERE name = 'Jobs/Submitted')
  SELECT count(*) || ' ' || sum(sent.n IS NOT counted.n)
  FROM frame JOIN capture ON default_domain = domain LEFT JOIN sent USING (frame_id)
  LEFT JOIN counted USING (frame_id) WHERE complete"
expect "frames, and those that differ" "$(ask "$per_frame")" "$frames 0"
expect "values of the gauge" "$(ask "SELECT gauges FROM capture")" "$frames"

# With plants: 4 of 42 tiles are drawn twice in each frame, and a level is loaded in the frames 10,
# 20 and 30 besides the one at the start, from 4 files each.
"$arena" --frames 30 --plant-cost 5 --plant-calls 4 --plant-hitch 10 \
  --capture "$folder/planted.lcap" > "$folder/report"
rm "$folder/arena.db"
"$trace" import "$folder/planted.lcap" -o "$folder/arena.db"
calls="SELECT count(*) FROM slice JOIN site USING (site_id) WHERE name"
expect "tiles" "$(ask "$calls = 'Tile/Draw'")" $((30 * 46))
expect "grounds" "$(ask "$calls = 'Tile/Ground'")" $((30 * 46))
expect "levels" "$(ask "$calls = 'Streaming/Level'")" 4
