#!/usr/bin/env python3
"""Holds diff --junit against diff --format json: check_junit.py --program P.

The report is read by an XML parser that knows nothing of diff. Its cases are what the JSON says was
judged, they fail exactly when that made the exit code 1, and names come back as they are."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import diff_runs

PASS, FAIL, USAGE, INPUT, OUTPUT = 0, 1, 2, 3, 4  # exit codes
NAMES = ["plain", "<b>&amp;</b> \"x\" 'y' ]]>", "tab\there\nand there\r", "gr\u00fc\u00df \U0001f3ae",
         "\x01\x1b[31m", b"broken \xff\xc0\xaf", "none \ufffe\uffff", "--> <!-- <?x?>"]
# What no XML can hold is U+FFFD; of bytes that are no UTF-8 each maximal part is one.
READ = {"\x01\x1b[31m": "\ufffd\ufffd[31m", b"broken \xff\xc0\xaf": "broken \ufffd\ufffd\ufffd",
        "none \ufffe\uffff": "none \ufffd\ufffd"}
SKIPPED = ("noise", "suspected", "maybe better")


class Checker:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.path = os.path.join(folder, "tests.xml")
        self.problems = []

    def fail(self, *what):
        self.problems.append(" ".join(str(part)[:1000] for part in what))

    def run(self, *words):
        return subprocess.run([self.program, "diff", *words], capture_output=True, cwd=self.folder,
                              check=False)

    def cases(self):
        """By group and name: how the case ended, and with which words."""
        root = xml.etree.ElementTree.parse(self.path).getroot()
        cases = {}
        for case in root.iter("testcase"):
            name = (case.get("classname"), case.get("name"))
            if name in cases or len(case) > 1:
                self.fail("two of", name)
            tag = case[0].tag if len(case) else "passed"
            cases[name] = (tag, case[0].get("message") or case[0].text if len(case) else "")
        for element in (root, *root.iter("testsuite")):
            numbers = [str(len(cases))] + [str(sum(tag == what for tag, _ in cases.values()))
                                           for what in ("failure", "error", "skipped")]
            if [element.get(key) for key in ("tests", "failures", "errors", "skipped")] != numbers:
                self.fail("counts", element.attrib, "of", cases)
        return cases

    def compare(self, *words):
        """Runs it; returns the cases, and the rows of the same comparison by table."""
        if os.path.exists(self.path):
            os.remove(self.path)
        done = self.run(*words, "--junit", self.path, "--format", "json")
        name = " ".join(words)
        without = self.run(*words, "--format", "json")
        if (done.returncode, done.stdout) != (without.returncode, without.stdout):
            self.fail(name, "answers otherwise than without --junit")
        cases = self.cases()
        tags = [tag for tag, _ in cases.values()]
        if ("failure" in tags, "error" in tags) != (done.returncode == FAIL,
                                                     done.returncode == INPUT):
            self.fail(name, "exit code", done.returncode, "and", cases)
        tables = json.loads(done.stdout)["tables"]
        return cases, {table: rows["rows"] for table, rows in tables.items()}


def write(folder, side, make):
    paths = []
    for number in range(4):
        run = diff_runs.Run(1 + 2 * number + (side == "new"), [100000 + 2 * number] * 120)
        make(run, number)
        paths.append(run.write(folder, "%s-%d.lcap" % (side, number)))
    return paths


def steps(length, only=None):
    """Scopes of all the names, each in every frame, and one more that this side alone has."""
    def make(run, number):
        for i, name in enumerate(NAMES + ([only] if only else [])):
            run.each_frame((name, "physics.c", 30 + i, "Sim"), 100 + 2000 * i, length + number)
    return make


def check_findings(checker, base, new):
    """Each judged scope is a case, under its name, and is told as the JSON does."""
    cases, tables = checker.compare(*base, "--to", *new)
    expected = {READ.get(name, name) for name in NAMES}
    names = {name for group, name in cases if group == "scopes"}
    if names != expected:
        checker.fail("scopes", names, "not", expected)
    findings = [row["finding"] for row in tables["scopes"] if row["finding"] is not None]
    failed = [tag for (group, _), (tag, _) in cases.items() if group == "scopes"]
    if failed.count("failure") != findings.count("regression") or "failure" not in failed:
        checker.fail("failures", cases, "of", findings)
    for (_, name), (tag, words) in cases.items():
        if tag == "failure" and not words.startswith("regression: "):
            checker.fail(name, "says", words)


def check_fail_on(checker, base, new):
    """What --fail-on leaves out is no failure; what it adds is one."""
    cases, _ = checker.compare(*base, "--to", *new, "--fail-on", "budget")
    if cases["scopes", "plain"][0] != "skipped" or "--fail-on" not in cases["scopes", "plain"][1]:
        checker.fail("left out:", cases["scopes", "plain"])
    cases, _ = checker.compare(*base, "--to", *new, "--fail-on", "new")
    if cases.get(("new scopes", "Fresh"), ("",))[0] != "failure":
        checker.fail("new:", cases)
    cases, _ = checker.compare(*base, "--to", *new, "--fail-on", "loss")
    if [tag for (group, _), (tag, _) in cases.items() if group == "losses"] != ["passed"] * 4:
        checker.fail("losses:", cases)
    few = (base[0], "--to", new[0])
    cases, tables = checker.compare(*few)
    if cases["scopes", "plain"][0] != "skipped" or \
            not cases["scopes", "plain"][1].startswith(SKIPPED):
        checker.fail("suspected:", cases)
    cases, _ = checker.compare(*few, "--fail-on", "suspected")
    if cases["scopes", "plain"][0] != "failure":
        checker.fail("suspected:", cases, tables)


def check_budgets(checker, base, new):
    config = os.path.join(checker.folder, "gate.json")
    with open(config, "w", encoding="utf-8") as file:
        json.dump({"scopes": {"plain": {"calls_per_frame": 0.5}, NAMES[1]: {"calls_per_frame": 1}}},
                  file)
    cases, _ = checker.compare(*base, "--to", *new, "--config", config)
    found = {name: cases["budgets", name + ", calls per frame"] for name in ("plain", NAMES[1])}
    if found["plain"] != ("failure", "exceeded: 1.00 of 0.50") or found[NAMES[1]][0] != "system-out":
        checker.fail("budgets:", found)
    for words in ((config, "--config", config), (base[0],)):
        done = checker.run(*base, "--to", *new, *words[1:], "--junit", words[0])
        if done.returncode != USAGE:
            checker.fail("written over what is read:", words, done.returncode, done.stderr)


def check_no_verdict(checker, base):
    """Sides that cannot be compared are an error; a report that cannot be made is none."""
    run = diff_runs.Run(99, [100000] * 120, facts={"cpu.model": "Another 4000"})
    other = run.each_frame(("plain", "a.c", 1, ""), 100, 1000).write(checker.folder, "other.lcap")
    cases, _ = checker.compare(*base, "--to", other)
    tag, words = cases.get(("sides", "can be compared"), ("", ""))
    if len(cases) != 1 or tag != "error" or "Another 4000" not in words:
        checker.fail("incomparable:", cases)
    before = open(checker.path, "rb").read()
    for words, code in ((("no-such.lcap", "--junit", checker.path), INPUT),
                        (("no/such/folder", "--junit", "no/such/folder/x.xml"), OUTPUT),
                        ((base[0], "--junit", "x.xml", "--folded", "./x.xml"), USAGE)):
        done = checker.run(base[0], *words)
        if done.returncode != code or open(checker.path, "rb").read() != before:
            checker.fail(words, "exit code", done.returncode, done.stderr)
    left = {name for name in os.listdir(checker.folder) if not name.endswith(".lcap")}
    if left != {"tests.xml", "gate.json"}:
        checker.fail("left:", left)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludus-junit-") as folder:
        checker = Checker(os.path.abspath(arguments.program), folder)
        base = write(folder, "base", steps(1000))
        new = write(folder, "new", steps(1200, only="Fresh"))
        check_findings(checker, base, new)
        check_fail_on(checker, base, new)
        check_budgets(checker, base, new)
        check_no_verdict(checker, base)
    for problem in checker.problems:
        print(problem)
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
