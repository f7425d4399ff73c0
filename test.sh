#!/bin/sh
# Builds and runs every test: with the sanitizers first, then as it is shipped. Installs what is
# missing (Debian 12; root or sudo). Ends with ctest's summary, and fails when any run failed.
set -eu
cd "$(dirname "$0")"
jobs=$(($(nproc) + 1)) # some tests wait the most of their time
failed=

.ci/install-packages build test package

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
# sanitize SANITIZERS FOLDER COMPILER LABEL CMAKE-OPTION...: the flags save half of the compiler's time,
# and a report still tells the lines.
sanitize() {
    sanitizers=$1 flags="-O1 -g1 -DNDEBUG"
    shift
    build_and_run "$@" -DLUDUS_SANITIZE="$sanitizers" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DCMAKE_C_FLAGS_RELWITHDEBINFO="$flags" -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$flags"
}
# Every program holds clang's runtime of the sanitizers, which lld links in half of the time.
sanitize address,undefined build-asan clang "" -DLUDUS_BUILD_FUZZERS=ON \
    -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld
sanitize thread build-tsan gcc runtime
build_and_run build-test gcc "" -DCMAKE_BUILD_TYPE=Release

[ -z "$failed" ] || {
    echo "test.sh: failed in:$failed" >&2
    exit 1
}
