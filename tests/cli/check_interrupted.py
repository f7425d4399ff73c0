#!/usr/bin/env python3
"""Interrupts commands that write: check_interrupted.py --program P --synthetic S.

Whenever the signal comes, no temporary file is left, the output is whole or not there, and the
shell learns which signal it was."""
import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

LIMIT_SECONDS = 120
SLICES = 1000000
TIMES = 2  # at which each command is interrupted besides, wherever it is then

# What is read is `in`; what is written, `out` and others of OUTPUTS.
OUTPUTS = ("out", "page", "stacks")
COMMANDS = (
    ["import", "in", "-o", "out"],
    ["import", "in", "--stats-only", "-o", "out"],
    ["export", "--perfetto", "in", "-o", "out"],
    ["export", "--csv", "in", "-o", "out"],
    ["export", "--folded", "in", "-o", "out"],
    ["report", "in", "-o", "out"],
    ["check", "--repair", "in", "-o", "out"],
    ["trim", "--window", "frames:10..", "in", "-o", "out"],
    ["diff", "in", "in", "--quiet", "--folded", "out"],
    ["diff", "in", "in", "--quiet", "--junit", "out"],
    ["diff", "in", "in", "--quiet", "--junit", "out", "--report", "page", "--folded", "stacks"],
    ["query", "in", "SELECT count(*) FROM slice"],
    ["query", "in", "SELECT count(*) FROM slice", "-o", "out"],
)


def paths_in(folder):
    return {os.path.join(parent, name) for parent, folders, files in os.walk(folder)
            for name in files + folders}


def writes_into(process, folder):
    """Whether it has begun to write a file there, with a name or without one."""
    try:
        for name in os.listdir("/proc/%d/fd" % process.pid):
            link = "/proc/%d/fd/%s" % (process.pid, name)
            target = os.readlink(link)
            if target.startswith(folder) and target != os.path.join(folder, "in"):
                return True
    except OSError:  # it has ended, or closed the file meanwhile
        pass
    return False


class Checker:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.problems = []
        self.caught = 0

    def start(self, words):
        environment = {**os.environ, "TMPDIR": self.folder}
        return subprocess.Popen([self.program, *words], cwd=self.folder, env=environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def interrupt(self, words, number, is_due):
        """Sends the signal when is_due says so; returns whether that was in time."""
        process = self.start(words)
        began = time.monotonic()
        while process.poll() is None and not is_due(process, time.monotonic() - began):
            time.sleep(0.001)
        process.send_signal(number)  # of one that has ended nothing comes
        errors = process.communicate(timeout=LIMIT_SECONDS)[1].decode()
        self.check(" ".join(words), process.returncode, number, errors)
        return process.returncode == -number

    def check(self, name, code, number, errors):
        left = paths_in(self.folder) - {os.path.join(self.folder, "in")}
        outputs = {os.path.join(self.folder, output) for output in OUTPUTS}
        if code == -number and errors:
            self.problems.append("%s: said %s" % (name, errors))
        if code not in (0, 3, -number):  # 3: a comparison of one recording with itself
            self.problems.append("%s: exit code %d: %s" % (name, code, errors))
        if left - outputs:
            self.problems.append("%s: left %s" % (name, sorted(left - outputs)))
        for path in sorted(left, reverse=True):
            (os.rmdir if os.path.isdir(path) else os.remove)(path)

    def check_command(self, words):
        if self.interrupt(words, signal.SIGINT, lambda process, _: writes_into(process,
                                                                               self.folder)):
            self.caught += 1
        rng = random.Random(" ".join(words))
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT) * TIMES:
            self.interrupt(words, number, lambda _, seconds, due=0.4 * rng.random(): seconds >= due)


def check_ignored(checker):
    """As under nohup: a signal that was ignored stays so."""
    process = subprocess.Popen(["sh", "-c", "trap '' HUP; exec \"$0\" import in -o out",
                                checker.program], cwd=checker.folder)
    while process.poll() is None and not writes_into(process, checker.folder):
        time.sleep(0.001)
    process.send_signal(signal.SIGHUP)
    if process.wait(LIMIT_SECONDS) != 0:
        checker.problems.append("SIGHUP that is ignored ended an import")
    os.remove(os.path.join(checker.folder, "out"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--synthetic", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludus-interrupted-") as folder:
        checker = Checker(os.path.abspath(arguments.program), os.path.realpath(folder))
        subprocess.run([arguments.synthetic, "--slices", str(SLICES), "--frames", "1000", "-o",
                        os.path.join(folder, "in")], check=True, stdout=subprocess.DEVNULL)
        for words in COMMANDS:
            checker.check_command(words)
        check_ignored(checker)
    for problem in checker.problems:
        print(problem)
    print("%d of %d commands were interrupted while they wrote" % (checker.caught, len(COMMANDS)))
    return 1 if checker.problems or checker.caught == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
