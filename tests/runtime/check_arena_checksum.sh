#!/bin/sh
# The example game does the same work whether it is recorded or not, or built without a recorder:
# the checksum that it prints for one seed is the same.
#
#     check_arena_checksum.sh ARENA ARENA_PLAIN FOLDER
set -eu

arena=$1
plain=$2
folder=$3

# What a run prints as its checksum; a run that fails, or prints none, ends the test.
checksum() {
  "$@" --frames 30 --seed 7 > "$folder/report"
  sed -n 's/^checksum *\([0-9a-f]\{16\}\)$/\1/p' "$folder/report" | grep .
}

rm -rf "$folder"
mkdir -p "$folder"
without=$(checksum "$plain")
idle=$(checksum "$arena")
recorded=$(checksum "$arena" --capture "$folder/arena.lcap" --times "$folder/times.json")
if [ ! -s "$folder/arena.lcap" ]; then
  echo "no capture was written" >&2
  exit 1
fi
# The times of those 30 frames, none of which is 0.
times=$(sed -n 's/^  "frame_work_ns": \[\(.*\)\]$/\1/p' "$folder/times.json" | tr -d ' ' | tr ',' '\n' |
  grep -c '^[1-9][0-9]*$')
if [ "$times" -ne 30 ]; then
  echo "--times told of $times frames" >&2
  exit 1
fi
if [ "$idle" != "$without" ] || [ "$recorded" != "$without" ]; then
  echo "checksums: $without without a recorder, $idle not recorded, $recorded recorded" >&2
  exit 1
fi
# What is planted is done again, and so changes nothing either.
planted=$(checksum "$plain" --plant-cost 5 --plant-calls 4 --plant-hitch 10)
if [ "$planted" != "$without" ]; then
  echo "checksums: $without, $planted with plants" >&2
  exit 1
fi
# A checksum that does not depend on the work would pass, too.
other=$("$plain" --frames 30 --seed 8 | sed -n 's/^checksum *//p')
if [ "$other" = "$without" ]; then
  echo "seeds 7 and 8 have the same checksum $other" >&2
  exit 1
fi
