#!/bin/sh
# Makes a bare Debian 12 in a folder: base.sh ROOT. apt is told there what it is told here of Debian's
# sources, their keys and proxies, and nothing else.
set -eu
root=$1
sources=$("$(dirname "$0")/sources.sh")
# shellcheck disable=SC2086 # its words
set -- $sources
release=$1 mirror=$2

# What apt knows of proxies, debootstrap takes from the environment.
for scheme in http https; do
    proxy=
    eval "$(apt-config shell proxy "Acquire::$scheme::Proxy")"
    [ -z "$proxy" ] || export "${scheme}_proxy=$proxy"
done
debootstrap --variant=minbase "$release" "$root" "$mirror"

rm -f "$root/etc/apt/sources.list"
for file in $(echo "$sources" | sed 's/.* //' | sort -u); do
    cp "$file" "$root$file"
done
apt-config dump | grep '^Acquire::' | grep -vE '^Acquire::(IndexTargets|Changelogs)' \
    >"$root/etc/apt/apt.conf.d/90host"
for keys in /etc/apt/trusted.gpg /etc/apt/trusted.gpg.d /etc/apt/keyrings /usr/share/keyrings \
    /usr/local/share/ca-certificates; do
    [ ! -e "$keys" ] || cp -a "$keys" "$root$(dirname "$keys")"
done
cp -L /etc/resolv.conf /etc/hosts "$root/etc"
