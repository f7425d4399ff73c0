#!/bin/sh
# Unpacks speedscope, a viewer of profiles that is one static page, into FOLDER, which is made anew:
#     install_speedscope.sh FOLDER
# Its package comes from npm's registry, of one version with one content. Exits with 77 when it cannot
# be had.
set -eu
version=1.25.0
content=2831f1e0d26df914b477e522d78b8485511495a6af81a0b88158f8b48f9e0d03
folder=$1

[ "$(cat "$folder/installed" 2>/dev/null)" != "$version" ] || exit 0
command -v npm >/dev/null || {
    echo "install_speedscope: there is no npm" >&2
    exit 77
}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
npm pack --silent --cache "$folder/cache" "speedscope@$version" >name || {
    echo "install_speedscope: npm cannot get speedscope@$version" >&2
    exit 77
}
echo "$content  $(cat name)" | sha256sum --check --quiet
tar -xzf "$(cat name)" package/dist/release
rm -rf cache "$(cat name)" name
echo "$version" >installed
