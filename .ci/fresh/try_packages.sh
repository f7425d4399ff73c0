#!/bin/sh
# In a bare root: installs the Debian packages of a folder with apt, uses them as somebody would who
# has nothing else of the project, and removes them: try_packages.sh FOLDER.
set -eu
folder=$1
export DEBIAN_FRONTEND=noninteractive
install() { apt-get -qq -y --no-install-recommends install "$@" >/dev/null; }
files() { find / -xdev \( -path /proc -o -path /sys -o -path /var/lib/dpkg -o -path /var/lib/apt \) \
    -prune -o -iname '*ludus*' -print; }
work=$(mktemp -d)

apt-get -qq update
install man-db
before=$(files)
install "$folder"/ludus-trace_*.deb
ludus-trace --version
man -w ludus-trace ludus-trace-summarize
echo "== a program's libraries alone"
install "$folder"/libludus[0-9]*.deb
ldconfig -p | grep libludus-runtime
echo "== a program with pkg-config, then with CMake"
install "$folder"/libludus-dev_*.deb gcc g++ libc6-dev cmake make
cd "$work"
cat >game.c <<'GAME'
#include <ludus/profile.h>
#include <ludus/recorder.h>

int main(void)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    struct ludus_recorder_result result;
    struct ludus_error error;
    config.path = "game.lcap";
    if (ludus_recorder_start(&config, &error) != LUDUS_OK)
        return 1;
    for (int frame = 0; frame < 100; frame++) {
        LUDUS_PROFILE_FRAME();
        LUDUS_PROFILE_SCOPE(Physics/Step);
    }
    return ludus_recorder_stop(&result, &error) != LUDUS_OK;
}
GAME
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(game LANGUAGES C)
find_package(ludus 0.1 REQUIRED)
add_executable(game game.c)
target_link_libraries(game PRIVATE ludus::runtime)
CMAKE
check() { # whether the program records
    rm -f game.lcap
    "$1"
    [ "$(ludus-trace query game.lcap 'SELECT count(*) FROM slice' --format csv | tr -d '\r' | tail -n 1)" = 100 ]
}
# shellcheck disable=SC2046 # one word for each flag
cc game.c -o by_pkg_config $(pkg-config --cflags --libs ludus-runtime)
check ./by_pkg_config
for shared in OFF ON; do
    cmake -B "cmake-$shared" -DLUDUS_SHARED_LIBS=$shared >/dev/null
    cmake --build "cmake-$shared" >/dev/null
    check "./cmake-$shared/game"
done
echo "== all of it removed"
cd /
rm -r "$work"
apt-get -qq -y purge 'libludus*' ludus-trace >/dev/null
left=$(dpkg-query -W -f '${Package}\n' '*ludus*' 2>/dev/null || true)
after=$(files)
if [ -n "$left" ] || [ "$before" != "$after" ]; then
    echo "left behind: $left $after" >&2
    exit 1
fi
