#!/bin/sh
# Compares two builds of arena, as a CI job does of a game: README.md.
set -eu

usage() {
    cat >&2 <<'END'
usage: compare.sh -w FOLDER [-n RUNS] [-f FRAMES] [-c CONFIG] BASE CANDIDATE [DIFF-OPTION...]
  BASE, CANDIDATE  revisions of the git repository that you are in, or folders of builds
  -w FOLDER        where builds, captures, comment.md, tests.xml and changes.html go; made
                   when it is not there
  -n RUNS          of each side; 5 when not given: with 4 or more, times are evidence
  -f FRAMES        of each run; 600 when not given
  -c CONFIG        thresholds and budgets; gate.json beside this script when not given
BASE_ARGS and CANDIDATE_ARGS are more words for that side's arena.
END
    exit 2
}

say() { echo "compare.sh: $*" >&2; }

# step WHAT COMMAND...: runs it quietly; when it fails, says so, shows what it said, and ends.
step() {
    what=$1
    shift
    if ! "$@" >"$work/step.log" 2>&1; then
        say "$what failed: $*"
        tail -n 30 "$work/step.log" >&2
        exit 5
    fi
}

# build_of SIDE NAME: sets `build` to the folder of a build, which is made for a revision.
build_of() {
    if [ -d "$2" ]; then
        build=$2
        [ -x "$build/examples/arena" ] || {
            say "'$build' is no build: it has no examples/arena"
            exit 5
        }
        return
    fi
    tree=$work/$1-tree build=$work/$1-build
    [ ! -e "$tree" ] || step "removing the last checkout" git worktree remove --force "$tree"
    step "checking out $2" git worktree add --force --detach "$tree" "$2"
    step "configuring $2" cmake -S "$tree" -B "$build" -DCMAKE_BUILD_TYPE=Release
    step "building $2" cmake --build "$build" --parallel --target arena ludus-trace
}

# record SIDE BUILD RUN WORD...: one run, and its statistics, which are all that diff needs.
record() {
    name=$work/$1-$3
    arena=$2/examples/arena
    shift 3
    rm -f "$name.lcap"
    step "recording $name.lcap" "$arena" --frames "$frames" --capture "$name.lcap" "$@"
    step "importing $name.lcap" "$trace" import "$name.lcap" --stats-only -o "$name.db"
}

work='' runs=5 frames=600 config=$(dirname "$0")/gate.json
while getopts w:n:f:c: option; do
    case $option in
    w) work=$OPTARG ;;
    n) runs=$OPTARG ;;
    f) frames=$OPTARG ;;
    c) config=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ -n "$work" ] && [ $# -ge 2 ] || usage
mkdir -p "$work"
work=$(cd "$work" && pwd)

build_of base "$1"
base=$build
build_of candidate "$2"
candidate=$build
trace=$candidate/ludus-trace # one program for both sides
shift 2
rm -f "$work"/base-*.db "$work"/candidate-*.db "$work/tests.xml" "$work/changes.html"

# One clock for all runs: the counter is refused where a busy machine leaves no time to look at it.
LUDUS_CLOCK=${LUDUS_CLOCK-monotonic}
export LUDUS_CLOCK

# In turns: what else the machine does, and how warm it is, hits both sides alike.
run=1
while [ "$run" -le "$runs" ]; do
    # shellcheck disable=SC2086 # these are words
    record base "$base" "$run" ${BASE_ARGS-}
    # shellcheck disable=SC2086
    record candidate "$candidate" "$run" ${CANDIDATE_ARGS-}
    run=$((run + 1))
done

code=0
"$trace" diff "$work"/base-*.db --to "$work"/candidate-*.db --config "$config" "$@" \
    --format markdown --junit "$work/tests.xml" --report "$work/changes.html" \
    >"$work/comment.md" || code=$?
cat "$work/comment.md"
case $code in
0) say "passed" ;;
1) say "failed: the verdict is in $work/comment.md, $work/tests.xml and $work/changes.html" ;;
*) say "no verdict: diff ended with $code" ;;
esac
exit "$code"
