#!/bin/sh
# Builds and runs every test: with the sanitizers first, then as it is shipped. Installs what is
# missing (Debian 12; root or sudo). Ends with ctest's summary, and fails when any run failed.
set -eu
cd "$(dirname "$0")"
jobs=$(nproc)
failed=

.ci/install-packages build test

# build_and_run FOLDER COMPILER LABEL CMAKE-OPTION...: builds and runs the tests of a label; of "" all.
build_and_run() {
    folder=$1 compiler=$2 label=$3
    shift 3
    echo "== $folder: $compiler $*"
    CC=$compiler CXX=$([ "$compiler" = gcc ] && echo g++ || echo clang++) \
        .ci/build "$folder" ${label:+"tests_$label"} -DLUDUS_BUILD_TESTS=ON -DLUDUS_BUILD_BENCHMARKS=OFF "$@"
    ctest --test-dir "$folder" -j "$jobs" --output-on-failure --no-tests=error \
        ${label:+-L "$label"} || failed="$failed $folder"
}

export ASAN_OPTIONS=detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1
build_and_run build-asan clang "" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DLUDUS_SANITIZE=address,undefined -DLUDUS_BUILD_FUZZERS=ON
build_and_run build-tsan gcc runtime -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLUDUS_SANITIZE=thread
build_and_run build-test gcc "" -DCMAKE_BUILD_TYPE=Release

[ -z "$failed" ] || {
    echo "test.sh: failed in:$failed" >&2
    exit 1
}
