#!/usr/bin/env python3
"""Holds diff to what must be of any captures: check_diff.py --program P --golden G.

Of random runs: captures and the databases made of them give the same answer, what is printed adds
up, and sides that change places mirror every number. Of golden captures: with itself nothing
changes. Of what would make a verdict worthless: exit code 3, and the reason. Names of any bytes are
shown as they are, and tables fit a screen. Every JSON fits the schema that the program prints."""

import argparse
import csv
import decimal
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unicodedata

import diff_runs
import json_schema
import random_sides

PASS, FAIL, USAGE, INPUT = 0, 1, 2, 3  # exit codes
WIDTH = 100
MANY = 20000
OTHER = (" (other tracks)", " (all tracks)")  # behind names of what is not of the frame alone
FINDINGS = {"regression": "improvement", "suspected": "maybe better", "same": "same",
            "noise": "noise", None: None}
FINDINGS.update({other: word for word, other in list(FINDINGS.items())})
SIDES = {"new": "gone", "new here": "gone here"}
SIDES.update({other: word for word, other in list(SIDES.items())})


class Checker:
    def __init__(self, program):
        self.program = program
        self.schema = json.loads(self.run("schema", "diff").stdout)
        self.problems = []
        self.runs = 0

    def run(self, *words, folder=None):
        return subprocess.run([self.program, *words], capture_output=True, timeout=300, cwd=folder,
                              check=False)

    def fail(self, what, *more):
        self.problems.append(" ".join(str(part)[:600] for part in (what, *more)))

    def tables(self, words, codes=(PASS, FAIL), folder=None):
        """The rows by table, numbers as they are printed; None when there is no right answer."""
        self.runs += 1
        done = self.run("diff", *words, "--format", "json", folder=folder)
        name = " ".join(words)
        if done.returncode not in codes:
            self.fail(name, "exit code", done.returncode, done.stderr)
            return None
        try:
            json_schema.validate(json.loads(done.stdout), self.schema)
            answer = json.loads(done.stdout, parse_float=decimal.Decimal,
                                parse_int=decimal.Decimal)
        except (ValueError, json_schema.Mismatch) as problem:
            self.fail(name, problem)
            return None
        verdict = answer["tables"]["verdict"]["rows"][0]["verdict"]
        if verdict != {PASS: "pass", FAIL: "fail", INPUT: "incomparable"}[done.returncode]:
            self.fail(name, "exit code", done.returncode, "of the verdict", verdict)
        return {table: rows["rows"] for table, rows in answer["tables"].items()}


# --- databases ----------------------------------------------------------------------------------

def without_labels(tables):
    """The rows, but for what runs are called."""
    for row in tables["runs"]:
        del row["run"]
    for row in tables["remarks"]:
        row["text"] = re.sub(r"\S+\.(lcap|db(#\d+)?)\b", "RUN", row["text"])
    for row in tables["verdict"]:
        row["summary"] = re.sub(r"\S+\.(lcap|db(#\d+)?)\b", "RUN", row["summary"])
    return tables


def make_databases(checker, folder, sides):
    """The same sides, as a database of each run, one of all of a side, and both without events."""
    made = []
    for options in ([], ["--stats-only"]):
        single, several = [], []
        for number, side in enumerate(sides):
            kind = "s" if options else "e"
            names = [name.replace(".lcap", "-%s.db" % kind) for name in side]
            for name, database in zip(side, names):
                checker.run("import", *options, name, "-o", database, folder=folder)
            checker.run("import", *options, *side, "-o", "all-%d%s.db" % (number, kind),
                        folder=folder)
            single.append(names)
            several.append(["all-%d%s.db" % (number, kind)])
        made += [(single, options), (several, options)]
    return made


def check_databases(checker, folder, sides):
    databases = make_databases(checker, folder, sides)
    for question in random_sides.QUESTIONS:
        words = ["--min-frames", "1", "--max-loss", "100", *question]
        if "--window" in question:  # statistics alone are of the windows that were imported
            databases = [made for made in databases if not made[1]]
        first = checker.tables([*words, *sides[0], "--to", *sides[1]], folder=folder)
        for (base, new), _ in databases:
            second = checker.tables([*words, *base, "--to", *new], folder=folder)
            if None in (first, second):
                continue
            if without_labels(first) != without_labels(second):
                checker.fail(folder, words, base, "differs in",
                             [table for table in first if first[table] != second[table]])
            first = checker.tables([*words, *sides[0], "--to", *sides[1]], folder=folder)


# --- sums and mirrors -----------------------------------------------------------------------------

def check_sums(checker, words, tables):
    """What is printed adds up; scopes, new and gone ones, waiting and the rest are the frame."""
    sums = {"base": 0, "candidate": 0}
    for table in ("scopes", "work", "waiting", "gpu"):
        for row in tables[table]:
            if row["base_ns"] + row["change_ns"] != row["candidate_ns"]:
                checker.fail(words, "does not add up:", row)
            if row["workload_ns"] is not None and \
                    row["workload_ns"] + row["cost_ns"] != row["change_ns"]:
                checker.fail(words, "work and cost do not add up:", row)
            if table in ("scopes", "waiting") and row["name"] != "(runnable, not running)" and \
                    not row["name"].endswith(OTHER):
                sums["base"] += row["base_ns"]
                sums["candidate"] += row["candidate_ns"]
    for row in tables["unpaired"]:
        if row["per_frame_ns"] is not None and not row["what"].endswith(OTHER):
            sums["candidate" if row["side"].startswith("new") else "base"] += row["per_frame_ns"]
    mean = next((row for row in tables["frames"] if row["measure"] == "mean"), None)
    if mean is not None and any(row["name"].startswith("(no ") for row in tables["scopes"]):
        for side, total in sums.items():
            if abs(total - mean[side + "_ns"]) > decimal.Decimal("0.01"):
                checker.fail(words, "the frame of the", side, "is", mean[side + "_ns"], "not",
                             total)


def negative(value):
    return None if value is None else -value


decimal.getcontext().prec = 400  # gauges may be of any size


def mirror(row):
    """A row as it must be when the sides change places."""
    swapped = {}
    for name, value in row.items():
        if name.startswith("base_") or name == "base":
            swapped["candidate" + name[4:]] = value
        elif name.startswith("candidate_") or name == "candidate":
            swapped["base" + name[9:]] = value
        elif name == "finding":
            swapped[name] = FINDINGS[value]
        elif name == "side":
            swapped[name] = SIDES[value]
        elif name in ("change_ns", "workload_ns", "cost_ns", "change"):
            swapped[name] = negative(value)
        elif name.startswith("low_") or name.startswith("high_"):
            swapped[("high" if name[0] == "l" else "low") + name[name.index("_"):]] = negative(value)
        elif name not in ("change_percent", "why", "least_base", "most_base", "limit_ns"):
            swapped[name] = value
    return swapped


def key(row):
    return json.dumps({name: str(value + 0 if isinstance(value, decimal.Decimal) else value)
                       for name, value in row.items()}, sort_keys=True)


def check_mirror(checker, folder, sides):
    """Without parts of the base's value for limits, which are other ones of the other side."""
    words = ["--min-frames", "1", "--max-loss", "100", "--min-change", "0", "--min-frame-change",
             "0", "--min-hitch-count", "0", "--min-calls", "1"]
    there = checker.tables([*words, *sides[0], "--to", *sides[1]], folder=folder)
    back = checker.tables([*words, *sides[1], "--to", *sides[0]], folder=folder)
    if None in (there, back):
        return
    check_sums(checker, folder, there)
    check_sums(checker, folder, back)
    for table in ("frames", "hitches", "scopes", "work", "waiting", "gpu", "unpaired", "counters"):
        skipped = ("change_percent", "why", "least_base", "most_base", "limit_ns")
        expected = sorted(key(mirror(row)) for row in there[table])
        found = sorted(key({name: value for name, value in row.items() if name not in skipped})
                       for row in back[table])
        if expected != found:
            checker.fail(folder, table, "is no mirror:",
                         [pair for pair in zip(expected, found) if pair[0] != pair[1]][:1])


def check_budgets(checker, folder, sides):
    """They are of scopes, also where the report is of callers, which alone tell that places of one
    name are within each other."""
    with open(os.path.join(folder, "gate.json"), "w", encoding="ascii") as file:
        json.dump({"scopes": {"*": {"per_frame_ms": 1000, "exclusive_per_frame_ms": 1000,
                                    "calls_per_frame": 1000}}}, file)
    words = ["--min-frames", "1", "--max-loss", "100", "--fail-on", "budget", "--config",
             "gate.json", *sides[0], "--to", *sides[1]]
    answers = [checker.tables([*words, *more], (PASS,), folder=folder)
               for more in ([], ["--by", "path"])]
    if None in answers:
        return
    rows = [sorted(answer["budgets"], key=lambda row: (row["what"], row["of"]))
            for answer in answers]
    names = [[(row["what"], row["of"]) for row in these] for these in rows]
    if not rows[0] or names[0] != names[1]:
        checker.fail(folder, "other budgets by path:", set(names[0]) ^ set(names[1]))
    for one, other in zip(*rows):
        for name in ("value_ns", "value"):
            if one[name] is None:
                continue
            more = other[name] - one[name]
            if more > decimal.Decimal("0.02") or (more < -decimal.Decimal("0.02") and
                                                  not one["of"].startswith("inclusive")):
                checker.fail(folder, "another value by path:", one, other)


def check_random(checker, seeds):
    for seed in range(1, seeds + 1):
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory(prefix="ludus-diff-%d-" % seed) as folder:
            sides, _ = random_sides.write_sides(folder, rng)
            check_mirror(checker, folder, sides)
            check_budgets(checker, folder, sides)
            check_databases(checker, folder, sides)


# --- golden captures ------------------------------------------------------------------------------

def check_same(checker, golden):
    """With itself nothing changes, whatever it is; captures that are not whole are refused."""
    folder = os.path.join(golden, "valid")
    compared = 0
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.endswith(".lcap") or checker.run("summarize", path).returncode == INPUT:
            continue
        for more in ([], ["--by", "path", "--attribute", "clip"]):
            words = ["--min-frames", "1", "--max-loss", "100", "--min-time", "0%", "--min-change",
                     "0", "--min-calls", "0", *more]
            tables = checker.tables([*words, path, "--to", path], (PASS, INPUT))
            if tables is None or tables["verdict"][0]["verdict"] == "incomparable":
                continue
            compared += 1
            changed = [row for table in ("scopes", "work", "waiting", "gpu", "frames", "counters")
                       for row in tables[table]
                       if row.get("change_ns", row.get("change")) not in (0, None)]
            if changed or tables["changes"] or tables["unpaired"]:
                checker.fail(path, "differs from itself:", changed, tables["changes"],
                             tables["unpaired"])
            check_sums(checker, path, tables)
    if compared < 10:
        checker.fail("only", compared, "golden captures are compared with themselves")


def check_golden_runs(checker, golden):
    with tempfile.TemporaryDirectory(prefix="ludus-diff-") as folder:
        diff_runs.write_golden(folder)
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as new, \
                    open(os.path.join(golden, "diff", name), "rb") as old:
                if new.read() != old.read():
                    checker.fail(name, "is not what diff_runs.py writes")


# --- what cannot be compared ----------------------------------------------------------------------

def plain_run(number, **options):
    run = diff_runs.Run(number, [1000] * 120, ("main", "worker"), **options)
    return run.each_frame("Step", 100, 200)


def coarse_clock(run):
    run.source = 2


def cut_short(run):
    run.is_finished = False


def lose_many(run):
    run.lose(10, 5000, 5100)


def lose_few(run):
    run.each_frame("Many", 400, 10)
    for mark in run.marks[:-1]:
        for i in range(20):
            run.scope("Many", mark + 500 + 10 * i, mark + 505 + 10 * i)
    run.lose(1, 5000, 5100)


REASONS = (
    ({"facts": {"cpu.model": "Other"}}, None, "the CPU model differs"),
    ({"facts": {"cpu.cores": "16"}}, None, "the number of cores differs"),
    ({"facts": {"build.flavor": "Debug"}}, None, "the build flavor differs"),
    ({"domain": "render"}, None, "the frame domain differs"),
    ({}, coarse_clock, "the clock differs"),
    ({}, cut_short, "cut short"),
    ({}, lose_many, "of the events were lost"),
)
WARNINGS = (
    ({"facts": {"cpu.governor": "powersave"}}, None, "the CPU governor differs"),
    ({"facts": {"program": "other"}}, None, "the program differs"),
    ({"facts": {"os": "Other"}}, None, "the system differs"),
    ({"facts": {"cpu.model": ""}}, None, "the CPU model differs"),
    ({}, lose_few, "of the events were lost"),
)


def check_reasons(checker):
    with tempfile.TemporaryDirectory(prefix="ludus-diff-") as folder:
        plain_run(1).write(folder, "base.lcap")
        for cases, code, kind in ((REASONS, INPUT, "reason"), (WARNINGS, PASS, "warning")):
            for options, change, text in cases:
                run = plain_run(2, **options)
                if change is not None:
                    change(run)
                run.write(folder, "new.lcap")
                for words in (["base.lcap", "--to", "new.lcap"], ["new.lcap", "--to", "base.lcap"]):
                    tables = checker.tables(words, (code,), folder=folder)
                    remarks = [] if tables is None else tables["remarks"]
                    if not any(row["kind"] == kind and text in row["text"] for row in remarks):
                        checker.fail(text, "is not said:", remarks)
        lost = ["base.lcap", "--to", "new.lcap", "--fail-on", "loss"]  # the last one lost something
        checker.tables(lost, (FAIL,), folder=folder)
        checker.tables(["new.lcap", "--to", "base.lcap", "--fail-on", "loss"], (PASS,),
                       folder=folder)
        checker.tables([*lost, "--max-loss", "0"], (INPUT,), folder=folder)
        many = ["base.lcap"]
        for number in range(3, 67):
            many.append("%d.lcap" % number)
            plain_run(number).write(folder, many[-1])
        checker.tables([*many[:32], "--to", *many[32:64]], (PASS,), folder=folder)
        done = checker.run("diff", *many[:32], "--to", *many[32:], folder=folder)
        if done.returncode == PASS or b"one run too many" not in done.stderr:
            checker.fail("65 runs are compared", done.stderr)


# --- what people read -----------------------------------------------------------------------------

ODD_NAMES = ["a|b`c<d>*e*_f_", "two\nlines\r\tx", "\x1b[31mred", "[link](http://x) ~~s~~ &amp; \\ #1",
             "semi;colon", "=1+1", "<details>", "</details>", "\u00fc\u6f22\u5b57\U0001f600", "x" * 300,
             b"\xff\xfe bad", "- list", "x" * 300 + "y", "-->", "\"quoted\", twice", "||", "\\|"]


def odd_run(number, step):
    run = diff_runs.Run(number, [10000] * 120)
    for i, name in enumerate(ODD_NAMES):
        run.each_frame((name, "fi|le<b>.c", i + 1, "ca*t|" if i % 2 else ""), 50 + 400 * i,
                       100 + step)
    for i, place in enumerate((("a.c", "A"), ("b.c", "A"), ("b.c", "B"))):
        run.each_frame(("Twin", place[0], 5, place[1]), 9000 + 100 * i, 50 + step)
    return run


def columns_of(line):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


def check_table(checker, text):
    for line in text.splitlines():
        if columns_of(line) > WIDTH:
            checker.fail("wider than the screen:", line)
        if any(unicodedata.category(letter) == "Cc" for letter in line):
            checker.fail("a control character in", repr(line))
    lines = text.splitlines()
    start = lines.index("What changed")
    rows = lines[start + 2:lines.index("", start)]
    if len(rows) != len(ODD_NAMES) + 3 or len(set(rows)) != len(rows):
        checker.fail("rows look alike:", rows)


def check_markdown(checker, text):
    count = 0
    for line in text.splitlines():
        plain = re.sub(r"\\.", "", line)
        if line.startswith("|"):
            count = count or plain.count("|")
            if plain.count("|") != count:
                checker.fail("a row of other columns:", line)
        else:
            count = 0
        shown = re.sub(r"</?details>|</?summary>", "", plain) if line.startswith("<") else plain
        if re.search(r"[<>`]", shown) or re.search(r"[*_]", shown.strip("*")):
            checker.fail("not shown as text:", line)


def check_names(checker):
    """Each name is what it was: in JSON and CSV as it is, for people escaped."""
    with tempfile.TemporaryDirectory(prefix="ludus-diff-") as folder:
        for i in range(4):
            odd_run(2 * i + 1, 0).write(folder, "base|`<%d.lcap" % i)
            odd_run(2 * i + 2, 30).write(folder, "new_*_%d.lcap" % i)
        names = sorted(os.listdir(folder))
        words = ["diff", *names[:4], "--to", *names[4:], "--top", "0"]
        check_table(checker, checker.run(*words, folder=folder).stdout.decode())
        check_markdown(checker, checker.run(*words, "--format", "markdown",
                                            folder=folder).stdout.decode())
        done = checker.run(*words, "--format", "csv", "--table", "scopes", folder=folder)
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))
        tables = checker.tables(words[1:], (FAIL,), folder=folder)
        expected = {name if isinstance(name, str) else name.decode("utf-8", "replace")
                    for name in ODD_NAMES} | {"Twin", "(no scope)"}
        if tables is not None and {row["name"] for row in tables["scopes"]} != expected:
            checker.fail("names in JSON:", {row["name"] for row in tables["scopes"]} ^ expected)
        if {row["name"] for row in rows} != expected:
            checker.fail("names in CSV:", {row["name"] for row in rows} ^ expected)
        checker.run(*words[:9], "--folded", "stacks", folder=folder)
        with open(os.path.join(folder, "stacks"), "rb") as file:
            stacks = file.read().splitlines()
        if len(stacks) != len(ODD_NAMES) + 3 or \
                not all(re.search(rb" \d+ \d+$", stack) for stack in stacks):
            checker.fail("folded stacks:", stacks)


def check_many(checker):
    """With thousands of scopes, and with none."""
    with tempfile.TemporaryDirectory(prefix="ludus-diff-") as folder:
        for number, name in ((1, "base.lcap"), (2, "new.lcap")):
            run = diff_runs.Run(number, [MANY * 40])
            for i in range(MANY):
                run.scope(("s%d" % i, "f.c", i, ""), 40 * i, 40 * i + 10 + number)
            run.write(folder, name)
        with open(os.path.join(folder, "gate.json"), "w", encoding="ascii") as file:
            json.dump({"scopes": {"s*": {"per_frame_ms": 0.0000115}}}, file)
        tables = checker.tables(["base.lcap", "new.lcap", "--min-frames", "1", "--config",
                                 "gate.json"], (FAIL,), folder=folder)
        if tables is not None and [len(tables[table]) for table in ("scopes", "budgets")] != \
                [MANY + 1, MANY]:
            checker.fail("not all scopes:", [len(rows) for rows in tables.values()])
        for number in (1, 2):
            diff_runs.Run(number, [1000] * 120).write(folder, "%d.lcap" % number)
        tables = checker.tables(["1.lcap", "2.lcap"], (PASS,), folder=folder)
        if tables is not None and [row["name"] for row in tables["scopes"]] != ["(no scope)"]:
            checker.fail("without scopes:", tables["scopes"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="ludus-trace")
    parser.add_argument("--golden", required=True, help="the folder of golden captures")
    parser.add_argument("--seeds", type=int, default=6, help="how many random comparisons")
    arguments = parser.parse_args()
    checker = Checker(os.path.abspath(arguments.program))
    check_golden_runs(checker, arguments.golden)
    check_same(checker, os.path.abspath(arguments.golden))
    check_random(checker, arguments.seeds)
    check_reasons(checker)
    check_names(checker)
    check_many(checker)
    print("%d comparisons, %d problems" % (checker.runs, len(checker.problems)))
    print("\n".join(checker.problems))
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
