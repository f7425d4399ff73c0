#!/usr/bin/python3
"""Holds what `check --repair` makes against what it was made of.

For the golden captures, and for some of them cut and with bytes flipped at many places: the new
capture is whole for both readers of the format, summarize says the same of both but for facts of
the file, and warns when it did before; its repair is the same file but for its number."""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "second_reader"))

YES, INPUT = 0, 3  # exit codes
FILE_FACTS = ("file_bytes", "capture_id")
DAMAGED = ("game", "hitch", "clocks", "several-indexes", "gpu", "gpu-game")  # golden captures
SEED = 20260730

try:
    import capture_walk
    import lcap_dump
except ImportError:  # Debian's python3-zstandard is not there
    lcap_dump = None


class Checker:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.problems = []
        self.tried = self.repaired = 0

    def run(self, *words):
        return subprocess.run([self.program, *words], capture_output=True, timeout=300, check=False)

    def path(self, name):
        return os.path.join(self.folder, name)

    def repair(self, source, name):
        """The path of a repaired capture, or None when it cannot be read or saved."""
        target = self.path(name)
        if os.path.exists(target):
            os.remove(target)
        done = self.run("check", source, "--repair", "-o", target)
        if done.returncode == INPUT and not os.path.exists(target):
            return None
        if done.returncode != YES:
            raise ValueError("repair ends with %d: %r" % (done.returncode, done.stderr))
        return target

    def numbers(self, capture):
        """What summarize says of a capture but for the file, and whether it warns."""
        done = self.run("summarize", "--top", "0", "--format", "json", capture)
        if done.returncode != YES:
            raise ValueError("summarize: %r" % done.stderr)
        report = json.loads(done.stdout)
        for row in report["tables"]["session"]["rows"]:
            for fact in FILE_FACTS:
                row[fact] = None
        tables = {name: (table["rows"], table["notes"]) for name, table in report["tables"].items()}
        tables.update(self.gpu_tables(capture))
        # Tracks whose definitions are lost are in the order in which something names them.
        for name in ("tracks", "losses"):
            tables[name][0].sort(key=json.dumps)
        return tables, done.stderr != b""

    def gpu_tables(self, capture):
        """What is said of GPU passes, and every sample, likewise."""
        done = self.run("summarize", "--gpu", "--top", "0", "--format", "json", capture)
        if done.returncode != YES:
            raise ValueError("summarize --gpu: %r" % done.stderr)
        report = json.loads(done.stdout)
        tables = {name: (table["rows"], table["notes"])
                  for name, table in report["tables"].items() if name.startswith("gpu_")}
        dump = self.run("check", "--dump", capture).stdout.splitlines()
        for what in (b"frame", b"pass", b"calibration", b"count", b"queue"):
            tables["dumped %s" % what] = [[line for line in dump
                                           if line.startswith(b"gpu-" + what)], []]
        return tables

    def check(self, name, source):
        self.tried += 1
        try:
            self.compare(source)
        except ValueError as fault:
            self.problems.append("%s: %s" % (name, fault))

    def compare(self, source):
        first = self.repair(source, "first.lcap")
        if first is None:
            if self.run("summarize", source).returncode == YES and self.has_block(source):
                raise ValueError("it can be read and is not repaired")
            return
        self.repaired += 1
        if self.run("check", first).returncode != YES:
            raise ValueError("the repaired capture is not whole")
        with open(first, "rb") as file:
            repaired = file.read()
        if lcap_dump is not None and not lcap_dump.dump(repaired, lambda line: None):
            raise ValueError("the second reader does not find it whole")
        before, after = self.numbers(source), self.numbers(first)
        for table in before[0]:
            if before[0][table] != after[0][table]:
                raise ValueError("table %s:\n  %s\n  %s"
                                 % (table, before[0][table], after[0][table]))
        if before[1] and not after[1]:
            raise ValueError("a warning is gone")
        second = self.repair(first, "second.lcap")
        dumps = [self.run("check", "--dump", path).stdout.splitlines()[1:]
                 for path in (first, second)]
        if dumps[0] != dumps[1]:
            raise ValueError("a repaired capture is repaired")

    def has_block(self, source):
        return b"\nblock " in self.run("check", "--dump", source).stdout


def spoiled(data, places):
    """(what was done, bytes) of a capture with something wrong: cuts and flips at so many places, a
    third as many stretches of zeros."""
    choice = random.Random(SEED)
    for size in range(33, len(data), max(1, len(data) // places)):
        yield "cut at %d" % size, data[:size]
    for place in range(0, len(data), max(1, len(data) // places)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << choice.randrange(8)
        yield "flipped at %d" % place, bytes(flipped)
    for place in range(32, len(data), max(1, len(data) // (places // 3))):
        zeroed = data[:place] + bytes(100) + data[place + 100:]
        yield "zeroed at %d" % place, zeroed[:len(data)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--golden", required=True)
    parser.add_argument("--every", type=int, default=1, help="one of so many invalid captures")
    parser.add_argument("--places", type=int, default=15, help="cuts of a capture, flips as well")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(os.path.abspath(arguments.program), folder)
        for kind in ("valid", "invalid"):
            directory = os.path.join(arguments.golden, kind)
            names = [name for name in sorted(os.listdir(directory)) if name.endswith(".lcap")]
            for name in names if kind == "valid" else names[::arguments.every]:
                checker.check(name, os.path.join(directory, name))
        for name in DAMAGED:
            with open(os.path.join(arguments.golden, "valid", name + ".lcap"), "rb") as file:
                data = file.read()
            for what, bad in spoiled(data, arguments.places):
                path = checker.path("spoiled.lcap")
                with open(path, "wb") as file:
                    file.write(bad)
                checker.check("%s, %s" % (name, what), path)
    for problem in checker.problems:
        print(problem)
    print("%d of %d captures repaired, %d problems"
          % (checker.repaired, checker.tried, len(checker.problems)))
    return 1 if checker.problems or checker.repaired < checker.tried / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
