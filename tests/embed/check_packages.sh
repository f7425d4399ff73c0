#!/bin/sh
# Makes the Debian packages of a build and installs them into an empty root, where they work and from
# which they are removed without a trace: check_packages.sh BUILD. Exits with 77, skipped, where
# nobody is root.
set -eu
build=$1
if [ "$(id -u)" != 0 ]; then
    unshare -r true 2>/dev/null || { echo "needs root, or user namespaces"; exit 77; }
    exec unshare -r "$0" "$@"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packages=$build/packages root=$work/root

rm -rf "$packages"
cpack --config "$build/CPackConfig.cmake" -B "$packages" >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; exit 1; }
rm -rf "$packages/_CPack_Packages"
names=$(for package in "$packages"/*.deb; do dpkg-deb --field "$package" Package; done)

# What they ask for is packages that there are: each other, and those that this was built with.
for package in "$packages"/*.deb; do
    for dependency in $(dpkg-deb --field "$package" Depends | tr ',' '\n' | sed 's/(.*//; s/|.*//'); do
        echo "$names" | grep -qxF "$dependency" ||
            dpkg-query -W -f '${db:Status-Status}\n' "$dependency" | grep -qx installed ||
            { echo "$package: no package $dependency"; exit 1; }
    done
    case $package in
    */libludus-dev_*) ;; # nothing in it runs
    *)
        dpkg-deb --field "$package" Depends | grep -q libc6 ||
            { echo "$package: asks for no libraries"; exit 1; }
        ;;
    esac
    # Of root, not to be written by others.
    strange=$(dpkg-deb --contents "$package" |
        grep -vE '^(d|-)rw[x-]r-[x-]r-[x-] root/root |^lrwxrwxrwx root/root ' || true)
    [ -z "$strange" ] || { echo "$package: $strange"; exit 1; }
done

# What Debian asks of a package, where the program is that knows all of it. Where files of one
# architecture lie, CMake decides by the prefix that a build is configured with.
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on warning,error \
        --suppress-tags pkg-config-unavailable-for-cross-compilation "$packages"/*.deb
fi

mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
: >"$root/var/lib/dpkg/status"
# There is no shell in the root: packages that have scripts fail.
in_root() {
    dpkg --root="$root" --force-depends "$@" >"$work/dpkg.log" 2>&1 || { cat "$work/dpkg.log"; exit 1; }
}
in_root --install "$packages"/*.deb
in_root --audit
[ ! -s "$work/dpkg.log" ] || { cat "$work/dpkg.log"; exit 1; }
grep -qx 'activate-noawait ldconfig' "$root"/var/lib/dpkg/info/libludus[0-9]*.triggers || {
    echo "the libraries are not told to the linker"
    exit 1
}
"$root/usr/bin/ludus-trace" --version
for package in $names; do
    for file in copyright changelog.gz; do
        [ -f "$root/usr/share/doc/$package/$file" ] || { echo "$package: no $file"; exit 1; }
    done
done
[ -n "$(find "$root/usr" -name ludus-config.cmake)" ] || { echo "no package for CMake"; exit 1; }
# shellcheck disable=SC2086 # one word for each package
in_root --purge $names
left=$(find "$root" -path "$root/var" -prune -o -type f -print -o -type l -print -o -type d -path '*ludus*' -print)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
cd "$packages" && ls -s --block-size=1K ./*.deb
