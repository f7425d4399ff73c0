#!/usr/bin/env python3
"""Reads what is said of captures from which something is missing that nobody lost:
check_told.py PROGRAM. Categories that nobody has, an end that has not come, a program without scopes."""
import os
import subprocess
import sys
import tempfile

import diff_runs

PLACE = ("Step", "game.c", 10, "Physics")
UNKNOWN = "Switched at the start, but no site of the capture has it: "
UNFINISHED = "the recording was not finished; its last moments may be missing, or it still goes on\n"
COMPILED_OUT = "and no track: are scopes compiled out"


def run(facts=None, is_finished=True):
    made = diff_runs.Run(1, [1000] * 3, facts=facts).each_frame(PLACE, 100, 200)
    made.is_finished = is_finished
    return made


def switched(rules):
    return run({"recorder.categories": rules})


# The run, the command, what its answer must have in it, and what not.
CASES = (
    (switched("-Physic"), "info", UNKNOWN + "Physic.", ""),
    (switched("-*,audio,physics,-Ai"), "info", UNKNOWN + "audio, Ai.", ""),
    (switched("-physics"), "info", "Physics", UNKNOWN),
    (switched("-*,PHYSICS"), "info", "Physics", UNKNOWN),
    (switched(",-,"), "info", "Physics", UNKNOWN),
    (run(), "info", "Physics", UNKNOWN),
    (run(is_finished=False), "summarize", UNFINISHED, "behind the last whole block)"),
    (diff_runs.Run(1, [], tracks=()), "summarize", COMPILED_OUT, "none has a scope"),
    (diff_runs.Run(1, [1000] * 3), "summarize", "none has a scope", COMPILED_OUT),
)


def main():
    program = os.path.abspath(sys.argv[1])
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (made, command, there, not_there) in enumerate(CASES):
            path = made.write(folder, "told%d.lcap" % number)
            done = subprocess.run([program, command, path, "--format", "markdown"],
                                  capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
            if done.returncode != 0 or there not in said or (not_there and not_there in said):
                problems += 1
                print("case", number, command, "exits with", done.returncode, "and says:", said)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
