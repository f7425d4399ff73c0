#!/usr/bin/python3
"""Runs test cases of the command line that are files, not code.

A case is a folder:
  cmd      shell lines, run by sh in a fresh, empty folder
  exit     the expected exit status
  stdout   what they print; an empty output when the file is missing
  stderr   the same for errors
  files    the names left in the folder afterwards, one a line, sorted; none when missing
  skip     optional: a shell line; the case is skipped when it succeeds

A line of stdout or stderr that begins with "~ " is a regular expression for the whole line.
The commands see LUDUS_TRACE (the program), GOLDEN (the folder of golden captures), CASE (the
folder of the case) and UNPRIVILEGED (words to put before a command so that file permissions count
for it, even for root).
"""
import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77  # what ctest takes for "skipped"
LIMIT_SECONDS = 120


def read(path):
    """The bytes of a file, as text that keeps every one of them; empty when there is none."""
    if not os.path.exists(path):
        return ""
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape")


def environment(arguments, case):
    """A known environment: nothing of the caller's changes what the program prints."""
    drop = "" if os.geteuid() != 0 else (
        "setpriv --bounding-set=-dac_override,-dac_read_search"
        " --inh-caps=-dac_override,-dac_read_search")
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LC_ALL": "C",
        "TERM": "xterm",
        "LUDUS_TRACE": os.path.abspath(arguments.program),
        "GOLDEN": os.path.abspath(arguments.golden),
        "CASE": case,
        "UNPRIVILEGED": drop,
    }


def listing(folder):
    names = []
    for parent, _, files in os.walk(folder):
        names += [os.path.relpath(os.path.join(parent, name), folder) for name in files]
    return "".join(name + "\n" for name in sorted(names))


def matches(expected, actual):
    """Whether the texts agree line by line, patterns included."""
    expected_lines = expected.split("\n")
    actual_lines = actual.split("\n")
    if len(expected_lines) != len(actual_lines):
        return False
    for wanted, line in zip(expected_lines, actual_lines):
        if wanted.startswith("~ "):
            if re.fullmatch(wanted[2:], line) is None:
                return False
        elif wanted != line:
            return False
    return True


def visible(text):
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def compare(what, expected, actual):
    """The differences as text; empty when there are none."""
    if matches(expected, actual):
        return ""
    lines = difflib.unified_diff(visible(expected).split("\n"), visible(actual).split("\n"),
                                 "expected " + what, "actual " + what, lineterm="")
    return "\n".join(lines) + "\n"


def run_lines(lines, folder, variables):
    return subprocess.run(["sh", "-c", lines], cwd=folder, env=variables, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=LIMIT_SECONDS, check=False)


def run_case(arguments, case):
    """Runs one case; returns what is wrong as text, or None when it was skipped."""
    variables = environment(arguments, case)
    folder = tempfile.mkdtemp(prefix="ludus-case-")
    try:
        skip = read(os.path.join(case, "skip"))
        if skip and run_lines(skip, folder, variables).returncode == 0:
            return None
        done = run_lines(read(os.path.join(case, "cmd")), folder, variables)
        left = listing(folder)
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", folder], check=False)
        shutil.rmtree(folder)
    actual = {
        "exit": "%d\n" % done.returncode,
        "stdout": done.stdout.decode("utf-8", "surrogateescape"),
        "stderr": done.stderr.decode("utf-8", "surrogateescape"),
        "files": left,
    }
    if arguments.accept:
        accept(case, actual)
        return ""
    if not os.path.exists(os.path.join(case, "exit")):
        return "the case has no file 'exit'\n"
    return "".join(compare(what, read(os.path.join(case, what)), text)
                   for what, text in actual.items())


def accept(case, actual):
    """Writes what happened as what is expected, to be read before it is committed. What matches
    already is left alone, so that patterns stay."""
    for what, text in actual.items():
        path = os.path.join(case, what)
        if matches(read(path), text) and (os.path.exists(path) or what != "exit"):
            continue
        if text == "":
            os.remove(path)
            continue
        with open(path, "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="ludus-trace")
    parser.add_argument("--golden", required=True, help="the folder of golden captures")
    parser.add_argument("--accept", action="store_true", help="write what happens as expected")
    parser.add_argument("cases", nargs="+", help="folders of cases")
    arguments = parser.parse_args()
    failed = skipped = 0
    for case in arguments.cases:
        problem = run_case(arguments, os.path.abspath(case))
        if problem is None:
            skipped += 1
            print("%s: skipped" % case)
        elif problem:
            failed += 1
            print("%s: failed\n%s" % (case, problem))
    if failed:
        return 1
    return SKIPPED if skipped == len(arguments.cases) else 0


if __name__ == "__main__":
    sys.exit(main())
