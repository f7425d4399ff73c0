#!/bin/sh
# What somebody meets who has Debian 12, git and nothing else: makes bare roots with debootstrap and
# goes the documented ways in them, with what is committed here, so that a package that the lists in
# .ci/packages lack cannot hide behind those that a machine happens to have.
#   .ci/fresh.sh [demo] [test] [image] [packages]     all of them when none is named
#     demo       git clone, ./demo.sh: tells the time from the clone to the first answer
#     test       git clone, ./test.sh: no test may be skipped
#     image      what the Dockerfile says; the image then summarizes a capture
#     packages   .ci/package; its packages are installed with apt, used and removed
# Needs root. FRESH_BASE names a bare root to begin with, such as one that a run before has left.
set -eu
cd "$(dirname "$0")/.."
tools=$PWD/.ci/fresh

usage() {
    sed -n 's/^#   \(.*\)/\1/p' "$0" >&2
    exit 2
}
for step in "$@"; do
    case $step in demo | test | image | packages) ;; *) usage ;; esac
done
[ $# -gt 0 ] || set -- demo test image packages
[ "$(id -u)" = 0 ] || {
    echo "fresh: only root can make a root" >&2
    exit 2
}
.ci/install-packages fresh
.ci/fresh/sources.sh >/dev/null

work=$(mktemp -d)
log=$work/base.log child=
stop() { # What runs in a root ends with the process that made its mounts.
    [ -z "$child" ] || kill -KILL -- "-$child" 2>/dev/null || true
    trap - EXIT
    rm -rf --one-file-system "$work"
    exit 130
}
trap stop INT TERM HUP
trap 'echo "fresh: failed; $log tells how, and the roots are beside it" >&2' EXIT

# logged COMMAND...: into the log of the step, in a group of its own that can be stopped at any time.
logged() {
    setsid "$@" >>"$log" 2>&1 </dev/null &
    child=$!
    wait "$child" || {
        tail -n 40 "$log" >&2
        exit 1
    }
    child=
}
# new_root BASE NAME
new_root() { logged cp -a --reflink=auto "$work/$1" "$work/$2"; }
# in_root NAME OPTION-OF-ENTER... COMMAND...: what is committed is a repository there.
in_root() {
    root=$work/$1
    shift
    # Node has its own list of authorities; where the network has another, this variable says so.
    if [ -n "${NODE_EXTRA_CA_CERTS-}" ]; then
        cp "$NODE_EXTRA_CA_CERTS" "$root/etc/node-authorities.pem"
        set -- --env NODE_EXTRA_CA_CERTS=/etc/node-authorities.pem "$@"
    fi
    logged "$tools/enter.sh" "$root" --in /root --bind "$work/repository.git:/mnt/ludus-trace.git" "$@"
}
cloned() { # NAME PROGRAM: runs a program of a new clone
    in_root "$1" sh -c "git clone -q /mnt/ludus-trace.git ludus-trace && ludus-trace/$2"
}

step_demo() {
    new_root with_git demo
    begin=$(date +%s)
    cloned demo demo.sh
    end=$(date +%s)
    grep -q '^Frame times' "$log"
    packages=$(($(stat -c %Y "$work/demo/var/log/dpkg.log") - begin))
    echo "clone to first answer: $((end - begin)) s (of which packages $packages s)"
}

step_test() {
    new_root with_git test
    cloned test test.sh
    skipped=$(grep -E '[0-9] - .*\((Skipped|Not Run|Disabled)\)$' "$log" || true)
    [ -z "$skipped" ] || {
        printf 'skipped:\n%s\n' "$skipped" >&2
        exit 1
    }
    grep 'tests passed' "$log"
}

step_image() {
    git clone -q "$work/repository.git" "$work/context"
    logged "$tools/dockerfile.py" build "$work/context" "$work/base" "$work/image"
    mkdir "$work/data"
    cp tests/golden/valid/game.lcap "$work/data/game.lcap"
    for user in 0:0 1000:1000; do
        logged "$tools/dockerfile.py" run "$work/image" --volume "$work/data:/data" --user "$user" \
            summarize game.lcap
    done
}

step_packages() {
    new_root with_git packages_build
    cloned packages_build .ci/package
    new_root base packages
    in_root packages --bind "$tools:/mnt/fresh" \
        --bind "$work/packages_build/root/ludus-trace/build-package/packages:/mnt/packages" \
        /mnt/fresh/try_packages.sh /mnt/packages
}

start=$(date +%s)
[ -z "$(git status --porcelain)" ] || echo "fresh: takes what is committed, not what is changed" >&2
git clone -q --bare . "$work/repository.git"
if [ -n "${FRESH_BASE-}" ]; then
    logged cp -a --reflink=auto "$FRESH_BASE" "$work/base"
else
    logged "$tools/base.sh" "$work/base"
fi
new_root base with_git
in_root with_git sh -c 'apt-get -qq update && apt-get -qq -y --no-install-recommends install git'
echo "bare root: $(($(date +%s) - start)) s"
for step in "$@"; do
    log=$work/$step.log
    begin_step=$(date +%s)
    "step_$step"
    echo "$step: $(($(date +%s) - begin_step)) s"
    # Nothing is mounted in them that can be seen from here.
    find "$work" -mindepth 1 -maxdepth 1 -type d ! -name base ! -name with_git ! -name repository.git \
        -exec rm -rf --one-file-system {} +
done
echo "fresh: all of it: $(($(date +%s) - start)) s"
trap - EXIT
rm -rf --one-file-system "$work"
