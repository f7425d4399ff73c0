#!/usr/bin/env python3
"""Holds diff --report against the other forms of the same comparison: check_diff_page.py --program P
--synthetic S.

Of random runs: the page's tables are those of --format json, its frames those of the runs, its
contexts the stacks of --folded, and captures and the databases made of them have one page. Of a
capture of many sites: the page is small, and counts what it leaves out. Of sides that cannot be
compared: it says why."""

import argparse
import collections
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import check_junit
import diff_runs
import random_sides

PASS, FAIL, INPUT = 0, 1, 3  # exit codes
SIDES = ("base", "candidate")
MOST_BYTES = 2000000
MOST_SCOPES, MOST_ROWS, MOST_CONTEXTS, MOST_BINS = 400, 800, 2500, 1600
MANY = 300  # long names
PICOSECOND = 0.001
DATA = re.compile(rb'<script id="data" type="application/json">([^<]*)</script>')


class Page:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.data = json.loads(DATA.search(self.bytes).group(1))

    def rows(self, report, table):
        """As dictionaries."""
        found = self.data[report][table]
        names = [column["name"] for column in found["columns"]]
        return [dict(zip(names, row)) for row in found["rows"]]


class Checker:
    def __init__(self, program, synthetic):
        self.program = program
        self.synthetic = synthetic
        self.problems = []

    def fail(self, *what):
        self.problems.append(" ".join(str(part)[:800] for part in what))

    def diff(self, folder, *words):
        return subprocess.run([self.program, "diff", *words], capture_output=True, cwd=folder,
                              check=False, timeout=300)

    def ask(self, folder, words):
        """The page, the JSON, and the stacks; the page is the same beside each of them."""
        done = self.diff(folder, *words, "--format", "json", "--top", str(MOST_SCOPES),
                         "--report", "page.html", "--junit", "tests.xml")
        page = Page(os.path.join(folder, "page.html"))
        stacks = None
        if done.returncode != INPUT:
            self.diff(folder, *words, "--folded", "stacks", "--report", "again.html")
            stacks = self.read(folder, "stacks")
            if self.read(folder, "again.html") != page.bytes:
                self.fail(words, "has another page beside stacks")
        tables = json.loads(done.stdout)["tables"]
        return page, {table: found["rows"] for table, found in tables.items()}, stacks

    def read(self, folder, name):
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()

    def ask_alone(self, folder, words):
        """The page changes neither the answer nor the stacks, which are those of the last ask."""
        json_words = [*words, "--format", "json"]
        plain = self.diff(folder, *json_words)
        beside = self.diff(folder, *json_words, "--report", "page.html")
        if (beside.returncode, beside.stdout) != (plain.returncode, plain.stdout):
            self.fail(words, "answers otherwise with --report")
        if plain.returncode != INPUT:
            self.diff(folder, *words, "--folded", "alone")
            if self.read(folder, "alone") != self.read(folder, "stacks"):
                self.fail(words, "has other stacks beside a page")


# --- tables, frames -------------------------------------------------------------------------------

def check_tables(checker, words, page, tables):
    """All of them, or of sides that cannot be compared those that there are."""
    expected = set(tables)
    if tables["verdict"][0]["verdict"] == "incomparable":
        expected = {"verdict", "remarks", "runs"}
    if set(page.data["diff"]) != expected or page.data["kind"] != "diff":
        checker.fail(words, "shows", sorted(page.data["diff"]), "not", sorted(expected))
    for table in expected & set(page.data["diff"]):
        if page.rows("diff", table) != tables[table][:MOST_ROWS]:
            checker.fail(words, table, page.rows("diff", table), "is not", tables[table])
        if page.data["diff"][table]["row_count"] != len(tables[table]):
            checker.fail(words, table, "does not say how many rows there are")


def check_bins(checker, words, page, tables, runs):
    """`runs`: what was recorded, in their order, where all frames are looked at; or None."""
    is_compared = tables["verdict"][0]["verdict"] != "incomparable"
    hitches = collections.Counter()
    for index, run in enumerate(tables["runs"]):
        bins = [row for row in page.rows("bins", "bins") if row["run"] == index]
        if sum(row["frames"] for row in bins) != run["frames"]:
            checker.fail(words, "frames of bins", bins, "of", run)
        if bins and max(row["max_ns"] for row in bins) != run["max_ns"]:
            checker.fail(words, "longest of bins", bins, "of", run)
        for row in bins:
            if row["side"] != run["side"] or not row["min_ns"] <= row["max_ns"] or \
                    not row["first"] <= row["max_frame"] <= row["last"] or \
                    (row["over"] is not None) != is_compared:
                checker.fail(words, "bin", row, "of", run)
            hitches[run["side"]] += row["over"] or 0
        if runs is not None and [(row["first"], row["begin_ns"], row["min_ns"]) for row in bins] != \
                list(zip(range(len(bins)), runs[index].marks, lengths(runs[index]))):
            checker.fail(words, "bins", bins, "of the run", runs[index].marks)
    if is_compared:
        row = tables["hitches"][0]
        if [hitches[side] for side in SIDES] != [row[side + "_hitches"] for side in SIDES]:
            checker.fail(words, "hitches of bins", hitches, "not", row)


def lengths(run):
    return [end - begin for begin, end in zip(run.marks, run.marks[1:])]


def check_histogram(checker, words, page, tables):
    rows = page.rows("distribution", "histogram")
    for side in SIDES:
        frames = sum(run["frames"] for run in tables["runs"] if run["side"] == side)
        if sum(row[side + "_frames"] for row in rows) != frames:
            checker.fail(words, "frames of the histogram", rows, "not", frames)
        if frames and abs(sum(row[side + "_percent"] for row in rows) - 100) > 0.01:
            checker.fail(words, "percents of the histogram", rows)
    for row, after in zip(rows, rows[1:]):
        if row["until_ns"] != after["from_ns"]:
            checker.fail(words, "edges of the histogram", rows)
    longest = [run["max_ns"] for run in tables["runs"] if run["max_ns"] is not None]
    if not rows[-1]["from_ns"] <= max(longest) < rows[-1]["until_ns"]:
        checker.fail(words, "the last of the histogram", rows, "does not have", longest)


# --- contexts -------------------------------------------------------------------------------------

def check_tree(checker, words, rows):
    """A context is as long as itself and all below it. Parents stand before children, and of
    siblings the larger first."""
    below = {row["node"]: [0.0, 0.0] for row in rows}
    sizes = {}
    for row in rows:
        parent = row["parent"]
        size = max(row["base_inclusive_ns"], row["candidate_inclusive_ns"])
        if parent is not None and (parent not in below or parent >= row["node"]):
            checker.fail(words, "no context above", row)
            continue
        if size > sizes.get((parent, row["part"]), math.inf) + PICOSECOND:
            checker.fail(words, "larger than the one before:", row)
        sizes[parent, row["part"]] = size
        for i, side in enumerate(SIDES):
            if parent is not None:
                below[parent][i] += row[side + "_inclusive_ns"]
        change = row["candidate_exclusive_ns"] - row["base_exclusive_ns"]
        if abs(change - row["change_ns"]) > PICOSECOND:
            checker.fail(words, "does not change so:", row)
    for row in rows:
        for i, side in enumerate(SIDES):
            rest = row[side + "_inclusive_ns"] - row[side + "_exclusive_ns"] - \
                below[row["node"]][i]
            most = PICOSECOND * len(rows) if row["left_out"] == 0 else math.inf
            if not -PICOSECOND * len(rows) <= rest <= most:
                checker.fail(words, "does not add up to", row, "by", rest)


def stacks_of(rows):
    """Exclusive times of both sides, by names as --folded writes them."""
    names, found = {}, collections.defaultdict(lambda: [0.0, 0.0])
    for row in rows:
        above = "" if row["parent"] is None else names[row["parent"]] + ";"
        names[row["node"]] = above + row["scope"]
        root = "(other tracks);" if row["part"] == "others" else ""
        for i, side in enumerate(SIDES):
            found[root + names[row["node"]]][i] += row[side + "_exclusive_ns"]
    return found


def check_contexts(checker, words, page, tables, stacks):
    rows = page.rows("contexts", "contexts")
    check_tree(checker, words, rows)
    expected, lines = collections.defaultdict(lambda: [0, 0]), collections.Counter()
    for line in stacks.decode().splitlines():
        name, base, candidate = line.rsplit(" ", 2)
        expected[name][0] += int(base)
        expected[name][1] += int(candidate)
        lines[name] += 1
    found = stacks_of(rows)
    for name in set(expected) | set(found):
        for one, other in zip(expected[name], found[name]):
            if abs(one - other) > 0.5 * max(1, lines[name]) + PICOSECOND:
                checker.fail(words, "exclusive time of", name, found[name], "not", expected[name])
    check_rest(checker, words, rows, tables)
    if any(row["finding"] is not None for row in rows) and "path" not in words:
        checker.fail(words, "has findings of contexts that were not judged")
    if "path" in words:
        check_findings(checker, words, rows, tables)


def check_rest(checker, words, rows, tables):
    """Roots of the track that marks the frames, and no scope, are the mean frame."""
    mean = next(row for row in tables["frames"] if row["measure"] == "mean")
    rest = [row for row in tables["scopes"] if row["name"].startswith("(no ")]
    for side in SIDES if rest else ():
        total = rest[0][side + "_ns"] + sum(
            row[side + "_inclusive_ns"] for row in rows
            if row["part"] == "frames" and row["parent"] is None)
        if abs(total - mean[side + "_ns"]) > PICOSECOND * (len(rows) + 2):
            checker.fail(words, "the frame of the", side, "is", mean, "not", total)


def check_findings(checker, words, rows, tables):
    """By path they are those of the tables."""
    expected = collections.Counter(
        row["finding"] for table in ("scopes", "work") for row in tables[table]
        if row["finding"] is not None)
    found = collections.Counter(row["finding"] for row in rows if row["finding"] is not None)
    if found != expected:
        checker.fail(words, "finds", found, "not", expected)


# --- random runs ----------------------------------------------------------------------------------

def check_page(checker, folder, words, runs):
    page, tables, stacks = checker.ask(folder, words)
    check_tables(checker, words, page, tables)
    check_bins(checker, words, page, tables, runs)
    check_histogram(checker, words, page, tables)
    if (stacks is None) != ("contexts" not in page.data):
        checker.fail(words, "has contexts, or has none")
    if stacks is not None:
        check_contexts(checker, words, page, tables, stacks)
    return page


def check_databases(checker, folder, sides, words, page):
    """Under the names of the captures. Statistics alone are of all tracks and of the windows that
    were imported."""
    for options in ([],) if {"--window", "--track"} & set(words) else ([], ["--stats-only"]):
        others = os.path.join(folder, "databases" + "".join(options))
        os.makedirs(others, exist_ok=True)
        for name in sum(sides, []):
            if not os.path.exists(os.path.join(others, name)):
                subprocess.run([checker.program, "import", "--quiet", *options, name, "-o", "made.db"],
                               cwd=folder, check=True, capture_output=True)
                shutil.move(os.path.join(folder, "made.db"), os.path.join(others, name))
        checker.diff(others, *words, "--report", "page.html")
        if Page(os.path.join(others, "page.html")).bytes != page.bytes:
            checker.fail(words, "has another page of databases", *options)


def check_random(checker, seeds):
    for seed in range(1, seeds + 1):
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory(prefix="ludus-page-%d-" % seed) as folder:
            sides, runs = random_sides.write_sides(folder, rng)
            for number, question in enumerate(random_sides.QUESTIONS):
                words = ["--min-frames", "1", "--max-loss", "100", *question, *sides[0], "--to",
                         *sides[1]]
                page = check_page(checker, folder, words, None if "--window" in words else runs)
                check_databases(checker, folder, sides, words, page)
                if number == seed % len(random_sides.QUESTIONS):
                    checker.ask_alone(folder, words)


# --- what is too much -----------------------------------------------------------------------------

def check_many_sites(checker, folder):
    """More contexts than a page shows, and more frames than it has bins."""
    path = os.path.join(folder, "many.lcap")
    subprocess.run([checker.synthetic, "--slices", "400000", "--sites", "60000", "--tracks", "2",
                    "-o", path], check=True, capture_output=True)
    sides = [["many.lcap"], ["long.lcap"]]
    run = diff_runs.Run(2, [1000 + i % 7 for i in range(5000)] + [90000], ("main",))
    run.each_frame(("Step", "a.c", 3, ""), 10, 100).write(folder, sides[1][0])
    words = ["--min-frames", "1", *sides[0], "--to", *sides[0]]
    page, tables, stacks = checker.ask(folder, words)
    check_tables(checker, words, page, tables)
    rows = page.rows("contexts", "contexts")
    check_tree(checker, words, rows)
    notes = " ".join(page.data["contexts"]["contexts"]["notes"])
    without = int(re.search(r"(\d+) more", notes).group(1)) if notes else 0
    total = len(rows) + sum(row["left_out"] for row in rows) + without
    if len(rows) != MOST_CONTEXTS or total != len(stacks.splitlines()):
        checker.fail(len(rows), "contexts, and", total, "of", len(stacks.splitlines()))
    if len(page.bytes) > MOST_BYTES:
        checker.fail("a page of", len(page.bytes), "bytes")
    words = ["--min-frames", "1", *sides[1], "--to", *sides[1]]
    page = check_page(checker, folder, words, None)
    bins = page.rows("bins", "bins")
    if len(bins) != 2 * MOST_BINS or max(row["max_ns"] for row in bins) != 90000:
        checker.fail(len(bins), "bins of 5001 frames a side, or no hitch in them")


def check_gaps(checker, folder):
    """Frames that follow a missing mark have their own numbers and times."""
    run = diff_runs.Run(1, [1000] * 40, ("main",))
    run.marks = [mark for i, mark in enumerate(run.marks) if i not in (7, 30)]
    run.numbers = [i for i in range(41) if i not in (7, 30)]
    run.write(folder, "gaps.lcap")
    words = ["--min-frames", "1", "--max-loss", "100", "gaps.lcap", "--to", "gaps.lcap"]
    page = check_page(checker, folder, words, None)
    frames = [(row["first"], row["begin_ns"]) for row in page.rows("bins", "bins")
              if row["run"] == 0]
    expected = [(i, 1000 * i) for i in range(40) if i not in (6, 7, 29, 30)]
    if frames != expected:
        checker.fail("frames around missing marks:", frames, "not", expected)


def check_names(checker, folder):
    """Names of any bytes end no element, and none gets lost."""
    base = check_junit.write(folder, "base", check_junit.steps(1000))
    new = check_junit.write(folder, "new", check_junit.steps(1200, only="</script><script>x"))
    checker.diff(folder, *base, "--to", *new, "--report", "page.html")
    page = Page(os.path.join(folder, "page.html"))
    names = {row["scope"] for row in page.rows("contexts", "contexts")}
    if len(names) != len(check_junit.NAMES) + 1 or "</script><script>x" not in names:
        checker.fail("names:", names)


def check_long_names(checker, folder):
    """Paths are told whole as long as there is room for them, and otherwise by both ends, with the data saying
    what names are; however many there are, the page stays small."""
    deep, sides = ["%02d%s" % (i, "Caller" * 8) for i in range(18)], []
    for number, side in enumerate(SIDES):
        run = diff_runs.Run(1 + number, [MANY * 1000] * 2, ("main",))
        for mark in run.marks[:-1]:
            for i in range(MANY):
                begin, end = mark + i * 1000, mark + i * 1000 + 500 + 300 * number
                nested = ((("%04d" % i) * 300, begin, end),) if i else (("Leaf", begin, end),)
                for name in reversed(deep):
                    nested = ((name, begin, end, nested),)
                run.scope(*nested[0][:3], 0, nested[0][3])
        run.write(folder, side)
        sides.append(side)
    for words, kind in (["--by", "path"], "path"), ([], "site"):
        checker.diff(folder, "--min-frames", "1", *words, *sides, "--report", "page.html")
        page = Page(os.path.join(folder, "page.html"))
        names = [row["name"] for row in page.rows("diff", "scopes")]
        if page.data["by"] != kind or len(page.bytes) > MOST_BYTES or len(names) < MANY:
            checker.fail(page.data["by"], len(page.bytes), "bytes", len(names), "names")
        if kind == "path" and " > ".join(deep + ["Leaf"]) not in names:
            checker.fail("a long path is not told:", names[:3])
        for i in range(1, MANY):
            ends = ("%04d" % i) * 20
            if not any(name.endswith(ends) and "\u2026" in name for name in names):
                checker.fail("no end of the long name", i)


def check_no_verdict(checker, folder):
    run = diff_runs.Run(1, [1000] * 120, ("main",)).each_frame("Step", 100, 200)
    run.write(folder, "base.lcap")
    other = diff_runs.Run(2, [1000] * 120, ("main",), facts={"cpu.model": "Another 4000"})
    other.each_frame("Step", 100, 200).write(folder, "other.lcap")
    diff_runs.Run(3, []).write(folder, "empty.lcap")
    page = check_page(checker, folder, ["base.lcap", "--to", "other.lcap"], [run, other])
    if not any("Another 4000" in row["text"] for row in page.rows("diff", "remarks")):
        checker.fail("no reason:", page.rows("diff", "remarks"))
    page, tables, _ = checker.ask(folder, ["empty.lcap", "--to", "empty.lcap"])
    check_tables(checker, "no frames:", page, tables)
    if "no_bins" not in page.data or set(page.data) & {"bins", "distribution", "contexts"}:
        checker.fail("no frames:", sorted(page.data))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--synthetic", required=True)
    parser.add_argument("--seeds", type=int, default=6)
    arguments = parser.parse_args()
    checker = Checker(os.path.abspath(arguments.program), os.path.abspath(arguments.synthetic))
    check_random(checker, arguments.seeds)
    for check in (check_many_sites, check_gaps, check_names, check_long_names,
                  check_no_verdict):
        with tempfile.TemporaryDirectory(prefix="ludus-page-") as folder:
            check(checker, folder)
    for problem in checker.problems[:20]:
        print(problem)
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
