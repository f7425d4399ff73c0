#!/bin/sh
# From a clone to an answer: builds everything, records the example game while it runs, and shows
# what ludus-trace makes of the capture. Installs what is missing (Debian 12; root or sudo).
set -eu
cd "$(dirname "$0")"
demo=build/demo

.ci/install-packages build
# A folder that is configured already keeps its options.
if [ -f build/CMakeCache.txt ]; then
    .ci/build build
else
    .ci/build build -DCMAKE_BUILD_TYPE=Release -DLUDUS_BUILD_TESTS=OFF -DLUDUS_BUILD_BENCHMARKS=OFF
fi

mkdir -p "$demo"
rm -f "$demo/arena.lcap"
echo
echo "\$ build/examples/arena --frames 600 --capture $demo/arena.lcap"
build/examples/arena --frames 600 --capture "$demo/arena.lcap"
echo
echo "\$ build/ludus-trace summarize $demo/arena.lcap"
build/ludus-trace summarize "$demo/arena.lcap"
build/ludus-trace import "$demo/arena.lcap" -o "$demo/arena.db"
build/ludus-trace export --perfetto "$demo/arena.lcap" -o "$demo/arena.perfetto.json"

cat <<TRY

Written: $demo/arena.lcap            the capture
         $demo/arena.db              the same as a SQLite database
         $demo/arena.perfetto.json   the same for https://ui.perfetto.dev (Open trace file)
Try next:
  build/ludus-trace frames $demo/arena.lcap
  build/ludus-trace frames $demo/arena.lcap --explain 483   # a hitch
  build/ludus-trace report $demo/arena.lcap -o $demo/arena.html
  build/ludus-trace query $demo/arena.db "SELECT domain, number, duration_ns / 1e6 AS ms FROM frame ORDER BY duration_ns DESC LIMIT 5"
  build/ludus-trace summarize $demo/arena.lcap --format csv
  build/ludus-trace help
TRY
