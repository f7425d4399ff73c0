#!/bin/sh
# Runs a command in a root as a container does: it sees no other files, processes or devices, and
# mounts and processes are gone when it ends, however it ends.
#   enter.sh ROOT [--bind FOLDER:PLACE]... [--user UID:GID] [--in FOLDER] [--env NAME=VALUE]... COMMAND...
set -eu
if [ "${1-}" != --inside ]; then
    exec unshare --mount --propagation private --pid --fork --kill-child --ipc --uts "$0" --inside "$@"
fi
root=$2
shift 2
folder=/ user='' binds='' variables='PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root'
while :; do
    case $1 in
    --bind) binds="$binds $2" ;;
    --user) user=$2 ;;
    --in) folder=$2 ;;
    --env) variables="$variables $2" ;;
    *) break ;;
    esac
    shift 2
done

hostname fresh
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
    : >"$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm" "$root/dev/host"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for stream in stdin:0 stdout:1 stderr:2; do
    ln -s "/proc/self/fd/${stream#*:}" "$root/dev/${stream%:*}"
done
for bind in $binds; do
    mkdir -p "$root${bind#*:}"
    mount --bind "${bind%%:*}" "$root${bind#*:}"
done

# Not chroot: in one, the kernel gives no user namespaces, which browsers want.
cd "$root"
pivot_root . dev/host
umount -l /dev/host
rmdir /dev/host
if [ -n "$user" ]; then
    set -- setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups "$@"
fi
cd "$folder"
# This shell stays, as the process that takes in orphans.
# shellcheck disable=SC2086 # one word for each variable
env -i $variables "$@"
exit $?
