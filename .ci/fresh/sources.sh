#!/bin/sh
# Where this machine's apt gets Debian 12 from: a line "SUITE ADDRESS FILE" for each source, that of the
# release itself first. Sources of other packages than Debian's would hide what is missing.
set -eu
release=bookworm
# shellcheck disable=SC2016 # apt puts the values in
sources=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI) $(SOURCESENTRY)' \
    'Created-By: Packages' 'Component: main' | sed 's/:[0-9]*$//' | LC_ALL=C sort |
    grep -E "^$release(-updates|-security)? " || true)
case $sources in
"$release "*) echo "$sources" ;;
*)
    echo "fresh: apt has no source of Debian 12 ($release) here" >&2
    exit 2
    ;;
esac
