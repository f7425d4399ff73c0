#!/bin/sh
# Builds a small outside project with the recorder inside, in C and C++, and reads what it records:
# check_embedding.sh SOURCE LUDUS-TRACE CMAKE-OPTION...
set -eu
source=$1
trace=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake -S "$source/tests/embed" -B "$work" -DLUDUS_TRACE_DIR="$source" "$@" >"$work/configure.log" 2>&1 ||
    { cat "$work/configure.log"; exit 1; }
cmake --build "$work" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
cd "$work"
./game
mv game-*.lcap game.lcap
LUDUS_CAPTURE=engine-%p.lcap ./engine
mv engine-*.lcap engine.lcap

expect() {
    answer=$("$trace" query "$1" "$2" --format csv | tr -d '\r' | tail -n +2)
    [ "$answer" = "$3" ] || { echo "$1: $2: $answer, not $3"; exit 1; }
}
# Frame 0 begins at the first mark and the hundredth is never closed.
expect game.lcap "SELECT count(*), sum(complete) FROM frame" "100,99"
expect game.lcap "SELECT name, category, file, line FROM site WHERE site_id IN (SELECT site_id FROM slice)" \
    "Physics/Step,Physics,game.c,8"
expect game.lcap "SELECT count(*) FROM slice WHERE NOT incomplete" 100
# Also the scope that an exception left has ended.
expect engine.lcap "SELECT count(*), sum(incomplete) FROM slice" "5,0"
expect engine.lcap "SELECT site.name FROM instant JOIN site USING (site_id)" "Level/Missing"
# Nothing of ours but the recorder has been built, and no target of the outer project is changed.
[ ! -e "$work/ludus-trace/cli" ] || { echo "the tools were built, too"; exit 1; }
