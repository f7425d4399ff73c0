#!/usr/bin/env python3
"""Reads what is said of scopes that are too short to be measured: check_short_sites.py PROGRAM. The
table of sites names those with the most calls and says what to do, once, also when they are not
listed; others are not named."""
import json
import os
import subprocess
import sys
import tempfile

import diff_runs

COST = {"recorder.scope_cost_ps": "50000", "recorder.scope_inner_cost_ps": "20000"}


def note_of(program, path, *words):
    """The notes on short sites in the answer's tables."""
    done = subprocess.run([program, "summarize", "--format", "json", path, *words],
                          capture_output=True, text=True, check=True)
    tables = json.loads(done.stdout)["tables"].values()
    return [note for table in tables for note in table.get("notes", ()) if "Too short" in note]


def make_run(facts):
    """Of 20 frames: Long is 1,000 ns, 20 times the cost, exactly; Tiny N is shorter, and has N calls
    a frame."""
    run = diff_runs.Run(1, [100000] * 20, facts=facts)
    run.each_frame("Long", 100, 1000)
    for calls in range(1, 8):
        for call in range(calls):
            run.each_frame(f"Tiny {calls}", 5000 * calls + 300 * call, 999 if calls == 1 else 100)
    return run


def main():
    program, problems = os.path.abspath(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as folder:
        path = make_run(COST).write(folder, "short.lcap")
        five = "most calls first: Tiny 7, Tiny 6, Tiny 5, Tiny 4, Tiny 3 and 2 more. Time what calls " \
               "them, or count them (LUDUS_PROFILE_COUNT)."
        expected = (
            ((), five), (("--top", "1"), five), (("--by", "path"), None),
            (("--site", "Long"), None), (("--site", "Tiny 1"), "most calls first: Tiny 1. Time"),
            (("--attribute", "clip"), None))
        for words, text in expected:
            notes = note_of(program, path, *words)
            if len(notes) != (text is not None) or (text and text not in notes[0]):
                problems += 1
                print(words, "is told as:", notes)
        unknown = make_run({}).write(folder, "unknown.lcap")
        if note_of(program, unknown):
            problems += 1
            print("without a known cost it is told:", note_of(program, unknown))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
