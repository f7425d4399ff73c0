#!/bin/sh
# Builds a small outside project with the recorder inside, in C and C++, and reads what it records:
# check_embedding.sh SOURCE LUDUS-TRACE WAY CMAKE-OPTION...
set -eu
source=$1 trace=$2 way=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$source/tests/embed/embedding.sh"

build_outside "$way" "$work" -DLUDUS_TRACE_DIR="$source" \
    -DFETCHCONTENT_SOURCE_DIR_LUDUS="$source" "$@"
check_programs "$work"
# Nothing of ours but the recorder has been built; nothing is installed, and there are no tests.
found=$(find "$work" -name '*.o' -path '*/CMakeFiles/*' |
    grep -E '/(cli|analyzer|schemas|examples|tests)/CMakeFiles|lcap_decode' || true)
[ -z "$found" ] || { echo "built, too: $found"; exit 1; }
folder=$(ninja -C "$work" -t query all | grep -o '[^ ]*ludus[^ ]*/all')
found=$(ninja -C "$work" -t query "$folder" | grep -E '/(format|runtime|gpu)/all' || true)
[ -z "$found" ] || { echo "built though nothing links it: $found"; exit 1; }
run_or_show "$work/install.log" cmake --install "$work" --prefix "$work/prefix"
[ ! -e "$work/prefix" ] || { echo "installed:"; find "$work/prefix"; exit 1; }
[ ! -e "$work/CTestTestfile.cmake" ] || { echo "tests are enabled"; exit 1; }
