#!/usr/bin/env python3
"""Follows the advice of warnings about losses: check_cured_losses.py --program P --recorder R. A
program records with too little of something; with the value that the warning says, or with those of
as many warnings as it takes to double it often enough, nothing is lost."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

# What is lost, the setting, its value at first, and after how many warnings nothing may be lost any
# more: what the recorder could count is said at once, of what it could not, twice as much is tried.
CASES = (
    ("sites", "max_sites", 64, 1),
    ("names", "max_dynamic_names", 16, 3),
    ("threads", "max_threads", 2, 2),
    ("burst", "memory_bytes", 1 << 20, 1),
    ("burst", "memory_bytes", 4 << 20, 1),
)


def record(recorder, program, folder, sort, setting, value):
    """What the capture's warnings are."""
    path = os.path.join(folder, f"{sort}-{value}.lcap")
    if os.path.exists(path):
        os.remove(path)
    subprocess.run([recorder, path, sort, setting, str(value)], check=True)
    done = subprocess.run([program, "info", path], capture_output=True, text=True, check=True)
    if f"recorder.{setting}" not in done.stdout:
        return f"info does not show {setting}"
    return done.stderr


def problem_of(options, folder, sort, setting, value, warnings):
    """None when the advice helps."""
    for _ in range(warnings):
        told = record(options.recorder, options.program, folder, sort, setting, value)
        advice = re.search(rf"; {setting} was (\d+): try (\d+)", told)
        if not advice:
            return f"{setting} {value}: {told or 'nothing is said'}"
        if int(advice[1]) > value or int(advice[2]) <= value:
            return f"{setting} {value}: not an advice: {told}"
        value = int(advice[2])
    told = record(options.recorder, options.program, folder, sort, setting, value)
    return f"{setting} {value}: still {told}" if told else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--recorder", required=True)
    options = parser.parse_args()
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            problem = problem_of(options, folder, *case)
            if problem:
                problems += 1
                print(case[0], problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
