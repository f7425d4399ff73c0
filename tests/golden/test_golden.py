#!/usr/bin/python3
"""Holds the dumps of both readers of the format against the ones that are committed.

test_golden.py PROGRAM...: PROGRAM, with a capture's path behind it, prints a dump. With --update as
the first argument, dumps on which both readers agree are written instead of compared."""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "second_reader"))

EXIT_SKIPPED = 77
FAULT = re.compile(r"^(damage) .* reason (\S+)$|^(gap|unfinished) ")

try:
    import capture_walk
    import lcap_dump
except ImportError as missing:
    print(f"skipped: {missing}; the second reader needs Debian's python3-zstandard")
    sys.exit(EXIT_SKIPPED)


def captures():
    """(path, path of its dump) of all golden captures."""
    for folder, ending in (("valid", ".dump"), ("invalid", ".expected")):
        for name in sorted(os.listdir(os.path.join(HERE, folder))):
            base, extension = os.path.splitext(os.path.join(HERE, folder, name))
            if extension == ".lcap":
                yield base + extension, base + ending


def read(path):
    with open(path, "rb") as file:
        return file.read()


def second_readers_dump(data):
    """(exit code, dump) by the second reader."""
    lines = []
    try:
        whole = lcap_dump.dump(data, lines.append)
    except capture_walk.NotReadable:
        return lcap_dump.EXIT_NOT_READABLE, b""
    code = lcap_dump.EXIT_WHOLE if whole else lcap_dump.EXIT_NOT_WHOLE
    return code, "".join(lines).encode("ascii")


def programs_dump(program, path):
    """(exit code, dump) by the program, which says something on stderr when it cannot read."""
    done = subprocess.run([*program, path], capture_output=True, check=False)
    if (done.returncode == lcap_dump.EXIT_NOT_READABLE) != (done.stderr != b""):
        return done.returncode, b"unexpected on stderr: " + done.stderr
    return done.returncode, done.stdout


def faults(dump):
    """The faults that a dump names: reasons of damage, "gap", "unfinished"."""
    found = (FAULT.match(line) for line in dump.decode("ascii").splitlines())
    return [match.group(2) or match.group(3) for match in found if match]


def name_is_right(path, code, dump):
    """Whether a capture has the fault that its name tells, and no other."""
    folder, name = path.split(os.sep)[-2:]
    told = name.split(".")[0]
    found = faults(dump)
    if told == "not-a-capture":
        return code == lcap_dump.EXIT_NOT_READABLE and dump == b""
    if folder == "valid" and told != "unfinished":
        return code == lcap_dump.EXIT_WHOLE and found == []
    # Without a tag, no end is believed; and blocks can be missing at several places.
    if name == "file-header.no-blocks.lcap":
        told = ["file-header", "unfinished"]
    elif told == "gap":
        told = ["gap"] * len(found)
    else:
        told = [told]
    return code == lcap_dump.EXIT_NOT_WHOLE and found == told and found != []


def first_difference(one, other):
    lines, others = one.splitlines(), other.splitlines()
    for number in range(max(len(lines), len(others))):
        pair = [these[number] if number < len(these) else b"(no line)" for these in (lines, others)]
        if pair[0] != pair[1]:
            return f"line {number + 1}: {pair[0][:200]!r} and {pair[1][:200]!r}"
    return "no line"


def check(program, path, dump_path, update):
    """What is wrong with the dumps of one capture, or None."""
    second = second_readers_dump(read(path))
    first = programs_dump(program, path)
    if first != second:
        return (f"the readers differ: exit codes {first[0]} and {second[0]}, "
                + first_difference(first[1], second[1]))
    if not name_is_right(path, *first):
        return f"its name tells another fault than its dump: {faults(first[1])}, exit code {first[0]}"
    if update:
        with open(dump_path, "wb") as file:
            file.write(first[1])
    elif read(dump_path) != first[1]:
        return "its committed dump is another: " + first_difference(read(dump_path), first[1])
    return None


def main(arguments):
    update = arguments[:1] == ["--update"]
    program = arguments[1:] if update else arguments
    if not program:
        print(__doc__, file=sys.stderr)
        return 2
    pairs = list(captures())
    wrong = 0
    for path, dump_path in pairs:
        problem = check(program, path, dump_path, update)
        if problem:
            wrong += 1
            print(f"{os.path.relpath(path, HERE)}: {problem}")
    print(f"{len(pairs)} captures, {wrong} wrong")
    return 1 if wrong or not pairs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
