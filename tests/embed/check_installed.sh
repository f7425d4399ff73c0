#!/bin/sh
# Installs this build, moves it elsewhere, and builds the outside project with what is there: with
# CMake and with pkg-config, with the static libraries and with the shared ones.
# check_installed.sh SOURCE BUILD CC CXX
set -eu
source=$1 build=$2 cc=$3 cxx=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$source/tests/embed/embedding.sh"

run_or_show "$work/install.log" cmake --install "$build" --prefix "$work/first"
prefix=$work/moved
mv "$work/first" "$prefix"
trace=$prefix/bin/ludus-trace
"$trace" --version >/dev/null
libraries=$(dirname "$(find "$prefix" -name libludus-runtime.a)")
if grep -rlF -e "$source" -e "$build" -e "$work/first" "$prefix" --include='*.cmake' --include='*.pc'; then
    echo "names a folder of the machine that built it"
    exit 1
fi
if [ -d "$build/manual" ]; then
    for page in share/man/man1/ludus-trace.1 share/bash-completion/completions/ludus-trace \
        share/zsh/vendor-completions/_ludus-trace share/fish/vendor_completions.d/ludus-trace.fish; do
        [ -s "$prefix/$page" ] || { echo "there is no $page"; exit 1; }
    done
fi
python3 "$source/tests/embed/check_exports.py" "$cc" "$libraries" "$prefix/include/ludus"

set -- -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx"
build_outside find_package "$work/static" "$@"
check_programs "$work/static"
build_outside find_package "$work/shared" -DBUILD_SHARED_LIBS=ON "$@"
check_programs "$work/shared"

needed() { # PROGRAM LIBRARY: whether it needs the shared library
    readelf -d "$1" | grep -q "NEEDED.*\[lib$2\.so\.[0-9]*\.[0-9]*\]"
}
if needed "$work/static/game" ludus-runtime; then echo "static: needs the shared library"; exit 1; fi
needed "$work/shared/game" ludus-runtime || { echo "shared: does not need the library"; exit 1; }
needed "$work/shared/no_device" ludus-gpu || { echo "shared: does not need the library"; exit 1; }

# with_pkg_config FOLDER PKG-CONFIG-OPTION...: the same programs without CMake.
with_pkg_config() {
    folder=$1
    shift
    mkdir "$folder"
    export PKG_CONFIG_PATH="$libraries/pkgconfig"
    for enabled in 1 0; do
        suffix=
        [ $enabled = 1 ] || suffix=_disabled
        # shellcheck disable=SC2046 # one word for each flag
        for program in game.c engine.cpp; do
            compiler=$cc
            [ $program = game.c ] || compiler=$cxx
            "$compiler" -DLUDUS_PROFILE_ENABLED=$enabled -DLUDUS_SOURCE_ROOT="\"$source/tests/embed\"" \
                "$source/tests/embed/$program" -o "$folder/${program%.*}$suffix" \
                $(pkg-config --cflags --libs "$@" ludus-runtime)
        done
    done
    # shellcheck disable=SC2046
    "$cc" -shared -fPIC "$source/tests/embed/plugin.c" -o "$folder/libplugin.so" \
        $(pkg-config --cflags --libs "$@" ludus-runtime)
    cp "$work/static/plugin_host" "$folder" # which knows nothing of the recorder
    # shellcheck disable=SC2046
    "$cc" "$source/tests/embed/no_device.c" -o "$folder/no_device" \
        $(pkg-config --cflags --libs "$@" ludus-gpu)
    check_programs "$folder"
}
LD_LIBRARY_PATH=$libraries with_pkg_config "$work/pkg-config"
needed "$work/pkg-config/game" ludus-runtime || { echo "pkg-config: no shared library"; exit 1; }
rm "$libraries"/libludus-*.so*
with_pkg_config "$work/pkg-config-static" --static
