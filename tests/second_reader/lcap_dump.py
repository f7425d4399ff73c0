#!/usr/bin/python3
"""Prints the dump of a capture file, by a reader that was written from format/FORMAT.md alone.

Ends with 0 for a file that is whole and finished, 1 when there is damage, a gap or no end, 2 for
wrong arguments, and 3 when the file cannot be read as a capture."""

import mmap
import os
import stat
import sys

import capture_walk as walk
from payload_lines import BLOCK_NAMES, PayloadDecoder

EXIT_WHOLE = 0
EXIT_NOT_WHOLE = 1
EXIT_USAGE = 2
EXIT_NOT_READABLE = 3


def item_lines(item):
    """The lines that stand for one item of the walk."""
    if isinstance(item, walk.FileHeader):
        yield f"file version {item.version_major}.{item.version_minor} capture {item.capture_id:016x}"
    elif isinstance(item, walk.Block):
        header = item.header
        yield (f"block {header.sequence} {BLOCK_NAMES[header.kind]} offset {item.offset}"
               f" stored {header.stored_size} raw {header.raw_size}")
        yield from item.lines
    elif isinstance(item, walk.Skipped):
        header = item.header
        yield (f"skipped {header.sequence} kind {header.kind} version {header.kind_version}"
               f" offset {item.offset} stored {header.stored_size}")
    elif isinstance(item, walk.Gap):
        yield f"gap expected {item.expected} found {item.found} offset {item.offset}"
    elif isinstance(item, walk.Damage):
        yield f"damage offset {item.offset} size {item.size} reason {item.reason}"
    elif isinstance(item, walk.Finished):
        yield f"finished size {item.size}"
    else:
        end = "zero" if item.zero else "cut"
        yield f"unfinished offset {item.offset} tail {item.tail_size} {end}"


def dump(data, write):
    """Gives the lines of a capture's dump to write, one by one. Returns whether it is whole.

    Raises walk.NotReadable, before the first line, for what is not a capture."""
    whole = True
    items = walk.CaptureWalk(data, PayloadDecoder().lines, BLOCK_NAMES).items()
    for item in items:
        if isinstance(item, (walk.Gap, walk.Damage, walk.Unfinished)):
            whole = False
        for line in item_lines(item):
            write(line + "\n")
    return whole


def open_bytes(path):
    """The bytes of a regular file, mapped where there are any."""
    # Without O_NONBLOCK, opening a pipe would wait for a writer.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise walk.NotReadable("it is not a regular file")
        if status.st_size == 0:
            return b""
        return mmap.mmap(descriptor, status.st_size, access=mmap.ACCESS_READ)
    finally:
        os.close(descriptor)


def main(arguments):
    if len(arguments) != 2:
        print("usage: lcap_dump.py FILE", file=sys.stderr)
        return EXIT_USAGE
    path = arguments[1]
    try:
        data = open_bytes(path)
    except (OSError, ValueError, walk.NotReadable) as error:
        print(f"lcap_dump.py: cannot read {path!r}: {error}", file=sys.stderr)
        return EXIT_NOT_READABLE
    try:
        whole = dump(data, sys.stdout.write)
        sys.stdout.flush()
        return EXIT_WHOLE if whole else EXIT_NOT_WHOLE
    except walk.NotReadable as error:
        print(f"lcap_dump.py: cannot read {path!r}: {error}", file=sys.stderr)
    except MemoryError:
        print(f"lcap_dump.py: not enough memory for {path!r}", file=sys.stderr)
    except OSError as error:
        # The reader of the output has gone: keep the interpreter from flushing into it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"lcap_dump.py: cannot write the dump: {error}", file=sys.stderr)
    return EXIT_NOT_READABLE


if __name__ == "__main__":
    sys.exit(main(sys.argv))
