#!/usr/bin/env python3
"""Shows many captures in many ways: check_tables.py [--every N] --program P --golden G [CAPTURE...].

What must hold of every table for people: no line is longer than a screen's 100 columns, which the
renderer sees to by cutting names and, where that is not enough, by going on below; windows that have
different names look different. --every N tries each N-th combination."""

import argparse
import glob
import itertools
import os
import subprocess
import sys

COLUMNS = 100
LONG = ["a/part/of/the/session/with/a/long/name/%d/that/is/cut/to/fit/into/its/column" % i
        for i in range(2)]
WINDOWS = [[], ["--window", "early=time:0s..1us", "--window", "late=time:1us.."],
           ["--window", LONG[0] + "=time:0s..300us", "--window", LONG[1] + "=time:0s..350us"],
           ["--attribute", "clip"]]
ROWS = [[], ["--track", "*"], ["--top", "0"]]
COMMANDS = [["summarize", "--by", by] for by in
            ("site", "path", "category", "track", "counter", "mark", "flow")]
COMMANDS += [["summarize", "--percentiles"], ["summarize", "--union", "--by", "category"],
             ["summarize", "--gpu"], ["tree"], ["tree", "--per-track"], ["frames"],
             ["frames", "--worst", "20", "--budget", "1us"], ["frames", "--explain", "0"],
             ["frames", "--explain", "1"]]
WHOLE = [["info"], ["check"], ["top"]]


def show(program, words, capture):
    """The lines; none when what was asked for is not in the capture."""
    done = subprocess.run([program, *words, capture], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace").split("\n")


def problems_of(words, lines):
    found = ["%d columns: %s" % (len(line), line) for line in lines if len(line) > COLUMNS]
    if LONG[0] in " ".join(words):
        shown = {line.split()[0] for line in lines if line.startswith("  ") and
                 line[2:].split(" ")[0].count("...") == 1 and "/column" in line.split()[0]}
        if len(shown) == 1:
            found.append("windows look alike: %s" % shown.pop())
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--golden", required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("captures", nargs="*")
    arguments = parser.parse_args()
    captures = sorted(glob.glob(os.path.join(arguments.golden, "valid", "*.lcap")))
    words = [sum(part, []) for part in itertools.product(COMMANDS, WINDOWS, ROWS)] + WHOLE
    runs = problems = 0
    calls = itertools.product(captures + arguments.captures, words)
    for capture, call in itertools.islice(calls, 0, None, arguments.every):
        code, lines = show(arguments.program, call, capture)
        runs += code in (0, 1)
        found = problems_of(call, lines)
        if code not in (0, 1, 2, 3):
            found.append("exit code %d" % code)
        for problem in found[:3]:
            print("%s: %s: %s" % (os.path.basename(capture), " ".join(call), problem))
        problems += bool(found)
    print("%d answers, %d problems" % (runs, problems))
    return problems != 0 or runs == 0


if __name__ == "__main__":
    sys.exit(main())
