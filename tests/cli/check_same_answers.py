#!/usr/bin/python3
"""Holds the answers from a capture against those from a database that is made of it.

For the golden captures that summarize answers, valid, unfinished or damaged, and for captures named
besides: reports and exports are byte for byte the same from both, so are the warnings but for the
file's name, and --strict says the same; the JSON fits the schema that the program prints for it; and
the database has every table and view of the SQL schema, whatever the capture is empty of."""
import argparse
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

import json_schema

YES, NO, USAGE, INPUT = 0, 1, 2, 3  # exit codes
SHARE = 8
ANSWERS = (
    ("info", ["info", "--format", "json", "--strict"]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--strict"]),
    ("tree", ["tree", "--format", "json", "--strict"]),
    ("export", ["export", "--perfetto", "--strict"]),
)
# Each of these is asked of every SHARE-th capture, the next one of the captures behind: all of them of all
# captures would take the most of the tests' time.
MORE_ANSWERS = (
    ("tree", ["tree", "--per-track", "--attribute", "clip", "--format", "json", "--strict"]),
    ("tree", ["tree", "--window", "a=time:0s..200us", "--window", "b=last:2s",
              "--format", "json", "--strict"]),
    ("summarize", ["summarize", "--format", "json", "--strict"]),
    ("summarize", ["summarize", "--top", "3", "--format", "json", "--by", "path"]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--by", "category"]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--by", "track"]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--by", "path", "--sort", "name",
                   "--window", "a=frames:0..", "--window", "b=time:..1s", "--window", "last:1ms"]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--by", "category", "--sort",
                   "inclusive", "--attribute", "clip", "--window", "time:..50us"]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--by", "track", "--track",
                   "*", "--window", "last:2frames", "--attribute", "clip"]),
    ("summarize", ["summarize", "--format", "json", "--site", "*a*", "--sort", "mean"]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--by", "counter"]),
    ("summarize", ["summarize", "--format", "json", "--percentiles", "--window", "a=time:..1ms",
                   "--window", "b=time:..1s"]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--union"]),
    ("summarize", ["summarize", "--format", "json", "--union", "--by", "path", "--attribute",
                   "clip", "--window", "a=time:..50us", "--window", "b=last:2frames"]),
    ("summarize", ["summarize", "--format", "json", "--union", "--by", "category", "--track", "*",
                   "--site", "*a*", "--window", "frames:1.."]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--by", "flow"]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--by", "flow", "--window",
                   "time:..1ms", "--track", "*"]),
    ("summarize", ["summarize", "--top", "0", "--format", "json", "--by", "mark", "--window",
                   "time:10us.."]),
    ("export of what is long", ["export", "--perfetto", "--min-duration", "60ns", "--strict"]),
    ("export --folded", ["export", "--folded", "--per-track", "--strict"]),
    ("export --csv", ["export", "--csv", "--strict"]),
    ("report", ["report", "--strict", "--budget", "1us"]),
)
TEXTS = ("export --folded", "export --csv", "report")  # the others are JSON
# What a database of statistics alone answers as well, but for captures with GPU samples the first two.
ALONE = (
    ["summarize", "--top", "0", "--format", "json", "--strict"],
    ["summarize", "--top", "0", "--format", "json", "--by", "path"],
    ["tree", "--format", "json", "--strict"],
    ["export", "--folded"],
)
# Of captures with GPU samples.
GPU_ANSWERS = (
    ["summarize", "--gpu", "--top", "0", "--format", "json"],
    ["summarize", "--gpu", "--top", "1", "--format", "json", "--window", "a=time:..1ms", "--window",
     "b=time:5ms..33ms", "--window", "c=time:9ms..12ms"],
    ["summarize", "--gpu", "--top", "0", "--format", "json", "--site", "*a*", "--track", "*"],
)
# Of captures with a complete frame; the others are refused in the same words.
FRAME_ANSWERS = (
    ["--worst", "50", "--top", "0", "--budget", "1us"],
    ["--attribute", "clip", "--window", "a=last:3frames", "--window", "b=time:0.."],
)


class Checker:
    def __init__(self, program, folder):
        self.program = program
        self.database = os.path.join(folder, "captures.db")
        self.statistics = os.path.join(folder, "statistics.db")
        self.schemas = {name: json.loads(self.run("schema", name).stdout)
                        for name in ("info", "summarize", "tree", "frames", "explain")}
        self.schema = sqlite3.connect(":memory:")
        self.schema.executescript(self.run("schema").stdout.decode())
        self.problems = []
        self.answered = 0
        self.has_gpu = False  # the capture that is compared now
        self.given = set()  # answers that some capture gave: one that none gives checks nothing

    def run(self, *words):
        return subprocess.run([self.program, *words], capture_output=True, timeout=300, check=False)

    def problem(self, capture, text):
        self.problems.append("%s: %s" % (os.path.basename(capture), text))

    def check(self, capture):
        """Compares all answers; a capture that cannot be answered must not be imported either."""
        refused = self.run("summarize", capture).returncode == INPUT
        done = self.run("import", capture, "-o", self.database)
        if refused:
            if done.returncode != INPUT:
                self.problem(capture, "import takes what summarize refuses")
            return
        if done.returncode != YES or done.stdout != b"":
            self.problem(capture, "import: exit code %d: %r" % (done.returncode, done.stderr))
            return
        self.answered += 1
        info = json.loads(self.run("info", "--format", "json", capture).stdout)
        self.has_gpu = bool(info["tables"]["gpu_queues"]["rows"])
        for name, words in ANSWERS:
            if name != "info" or not self.is_damage_hidden(capture):
                self.compare(capture, name, words, done.stderr)
        for number, (name, words) in enumerate(MORE_ANSWERS):
            if self.is_due(number):
                self.compare(capture, name, words, done.stderr)
        for words in GPU_ANSWERS if self.has_gpu else ():
            self.compare(capture, "summarize", words, done.stderr)
        self.check_frames(capture, done.stderr)
        self.check_tables(capture)
        self.check_statistics_alone(capture, done)

    def is_due(self, number):
        """Whether a question is one that this capture is asked; those with GPU samples, which are
        few, are asked all."""
        return self.has_gpu or (self.answered + number) % SHARE == 0

    def check_frames(self, capture, warnings):
        """Of the frames that frames lists some are explained as well."""
        first = self.run("frames", capture)
        if first.returncode == INPUT:
            second = self.run("frames", self.database)
            if (first.stdout, first.stderr) != (second.stdout, second.stderr):
                self.problem(capture, "frames is refused in other words: %r and %r"
                             % (first.stderr, second.stderr))
            return
        for number, words in enumerate(FRAME_ANSWERS):
            if self.is_due(number):
                self.compare(capture, "frames", ["frames", *words, "--format", "json", "--strict"],
                             warnings)
        answer = json.loads(self.run("frames", capture, "--format", "json").stdout)
        for number, row in enumerate(answer["tables"]["scopes"]["rows"][:3]):
            site = re.sub(r"[][*?\\]", "?", row["site"])
            if self.is_due(2 + number):
                self.compare(capture, "frames", ["frames", "--site", site, "--format", "json",
                                                 "--strict"], warnings)
        for number, row in enumerate(answer["tables"]["worst"]["rows"]):
            if self.is_due(5 + number):
                self.compare(capture, "explain",
                             ["frames", "--explain", str(row["frame"]), "--attribute",
                              "begin" if self.answered % 2 == 0 else "clip",
                              "--format", "json", "--strict"], warnings)

    def is_damage_hidden(self, capture):
        """Whether an events block has a right checksum and is faulty all the same: info, which
        decodes no events, cannot know it of a capture; import does."""
        info = json.loads(self.run("info", "--format", "json", capture).stdout)
        check = json.loads(self.run("check", "--format", "json", capture).stdout)
        told = [row["what"] for row in check["tables"]["faults"]["rows"]
                if row["what"].startswith("damage")]
        return len(told) > sum(row["size_bytes"] > 0
                               for row in info["tables"]["damage"]["rows"])

    def compare(self, capture, name, words, warnings):
        """One answer, from the capture and from the database that was made of it."""
        first = self.run(*words, capture)
        second = self.run(*words, self.database)
        told = second.stderr.replace(self.database.encode(), capture.encode())
        if USAGE == first.returncode == second.returncode and first.stderr == told:
            return  # what is chosen is in neither: both say so
        self.given.add(tuple(words))
        if first.returncode not in (YES, NO) or first.returncode != second.returncode:
            self.problem(capture, "%s: exit codes %d and %d"
                         % (name, first.returncode, second.returncode))
        if first.stdout != second.stdout:
            self.problem(capture, "%s: %s" % (name, difference(first.stdout, second.stdout)))
        # What there is nothing of, an export says beside what import says.
        rest = b"".join(line for line in first.stderr.splitlines(True)
                        if b": nothing to export: " not in line)
        if first.stderr != told or rest != warnings:
            self.problem(capture, "%s: the warnings are %r, from the database %r, from import %r"
                         % (name, first.stderr, second.stderr, warnings))
        try:
            answer = None if name in TEXTS else json.loads(first.stdout)
            if name in self.schemas:
                json_schema.validate(answer, self.schemas[name])
        except (ValueError, json_schema.Mismatch) as problem:
            self.problem(capture, "%s: %s" % (name, problem))

    def check_statistics_alone(self, capture, import_all):
        """A database without events says the same at import, and gives the same answer or none."""
        done = self.run("import", "--stats-only", capture, "-o", self.statistics)
        if (done.returncode, done.stderr) != (import_all.returncode, import_all.stderr):
            self.problem(capture, "import --stats-only: %d, %r" % (done.returncode, done.stderr))
        for words in ALONE:
            first = self.run(*words, capture)
            second = self.run(*words, self.statistics)
            if self.has_gpu and second.returncode == INPUT and not second.stdout:
                continue
            if (first.returncode, first.stdout) != (second.returncode, second.stdout):
                self.problem(capture, "%s of statistics alone: %s, %r" % (
                    " ".join(words), difference(first.stdout, second.stdout), second.stderr))

    def check_tables(self, capture):
        database = sqlite3.connect(self.database)
        query = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name"
        try:
            expected = self.schema.execute(query).fetchall()
            found = database.execute(query).fetchall()
            if expected != found:
                self.problem(capture, "the database differs from the schema in %s"
                             % [row[:2] for row in set(expected) ^ set(found)])
        finally:
            database.close()


def difference(one, other):
    lines, others = one.splitlines(), other.splitlines()
    for number in range(max(len(lines), len(others))):
        pair = [these[number][:300] if number < len(these) else b"(no line)"
                for these in (lines, others)]
        if pair[0] != pair[1]:
            return "line %d is %r, from the database %r" % (number + 1, *pair)
    return "line ends differ"


def golden_captures(folder, valid_every, invalid_every):
    """One of so many valid ones, the largest, which have the most in them, and of so many invalid ones."""
    valid, invalid = ([os.path.join(folder, part, name)
                       for name in sorted(os.listdir(os.path.join(folder, part)))
                       if name.endswith(".lcap")] for part in ("valid", "invalid"))
    valid.sort(key=os.path.getsize, reverse=True)
    return valid[:len(valid) // valid_every] + invalid[::invalid_every]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="ludus-trace")
    parser.add_argument("--golden", required=True, help="the folder of golden captures")
    parser.add_argument("--valid-every", type=int, default=1, help="one of so many valid captures, the largest")
    parser.add_argument("--every", type=int, default=1, help="one of so many invalid captures")
    parser.add_argument("captures", nargs="*", help="captures besides the golden ones")
    arguments = parser.parse_args()
    captures = golden_captures(arguments.golden, arguments.valid_every, arguments.every)
    captures += arguments.captures
    with tempfile.TemporaryDirectory(prefix="ludus-same-") as folder:
        checker = Checker(os.path.abspath(arguments.program), folder)
        for capture in captures:
            checker.check(capture)
        for words in [words for _, words in ANSWERS] + list(GPU_ANSWERS):
            if tuple(words) not in checker.given:
                checker.problems.append("no capture answers %s" % " ".join(words))
    print("%d captures, %d answered, %d problems"
          % (len(captures), checker.answered, len(checker.problems)))
    print("\n".join(checker.problems))
    return 1 if checker.problems or checker.answered == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
