#!/usr/bin/env python3
"""Runs examples/ci/compare.sh as a CI job would: check_ci_example.py SOURCE BUILD.

Times of so short runs say nothing, so that budgets alone decide: the game draws 42 tiles a picture,
and more with a planted fault. The report of tests is read by an XML parser that knows nothing of
diff."""
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

PASSED, FAILED, USAGE, STEP = 0, 1, 2, 5
LIMIT_SECONDS = 300
# A revision whose "build" has the programs that are there already, and adds words to the game's.
REVISION = """cmake_minimum_required(VERSION 3.16)
project(revision NONE)
file(WRITE ${CMAKE_BINARY_DIR}/examples/arena "#!/bin/sh\\nexec '%(build)s/examples/arena' \\"$@\\" %(words)s\\n")
file(CHMOD ${CMAKE_BINARY_DIR}/examples/arena PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(CREATE_LINK %(build)s/ludus-trace ${CMAKE_BINARY_DIR}/ludus-trace SYMBOLIC)
add_custom_target(arena)
add_custom_target(ludus-trace)
"""


class Checker:
    def __init__(self, script, build, folder):
        self.script = script
        self.build = build
        self.folder = folder
        self.problems = []

    def compare(self, base, candidate, *more, code, says, **variables):
        done = subprocess.run(
            [self.script, "-w", "work", "-n", "1", "-f", "40", base, candidate, "--min-frames", "30",
             "--fail-on", "budget", *more], cwd=self.folder, timeout=LIMIT_SECONDS, check=False,
            env={**os.environ, **variables}, capture_output=True, text=True)
        name = "compare.sh %s %s %s" % (base, candidate, variables)
        if done.returncode != code:
            self.problems.append("%s: exit code %d: %s" % (name, done.returncode, done.stderr))
        if says not in done.stdout + done.stderr:
            self.problems.append("%s: does not say '%s': %s%s" % (name, says, done.stdout[:2000],
                                                                  done.stderr))
        page = os.path.join(self.folder, "work", "changes.html")
        if done.returncode in (0, 1, 3) and not os.path.exists(page):
            self.problems.append("%s: leaves no page" % name)

    def cases(self):
        """How each test case ended, by name."""
        root = xml.etree.ElementTree.parse(os.path.join(self.folder, "work", "tests.xml")).getroot()
        cases = {}
        for case in root.iter("testcase"):
            name = (case.get("classname"), case.get("name"))
            if name in cases:
                self.problems.append("two test cases are called %s" % (name,))
            cases[name] = {child.tag for child in case}
        for element in [root, *root.iter("testsuite")]:
            for attribute, tag in (("failures", "failure"), ("errors", "error"),
                                   ("skipped", "skipped")):
                number = sum(tag in tags for tags in cases.values())
                if element.get("tests") != str(len(cases)) or element.get(attribute) != str(number):
                    self.problems.append("the report counts otherwise: %s" % element.attrib)
        return cases

    def expect_failures(self, names):
        failures = {name for name, tags in self.cases().items() if "failure" in tags}
        if failures != names:
            self.problems.append("failures: %s" % sorted(failures))


def commit(folder, build, words):
    with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write(REVISION % {"build": build, "words": words})
    name = ["-c", "user.name=Test", "-c", "user.email=test@localhost"]
    for command in (["init", "-q"], ["add", "CMakeLists.txt"],
                    [*name, "commit", "-q", "-m", "A revision"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True,
                          text=True).stdout.strip()


def main():
    source, build = (os.path.abspath(path) for path in sys.argv[1:])
    draw = ("budgets", "Tile/Draw, calls per frame")
    with tempfile.TemporaryDirectory(prefix="ludus-ci-") as folder:
        checker = Checker(os.path.join(source, "examples/ci/compare.sh"), build, folder)
        checker.compare(build, build, code=PASSED, says="| held | Tile/Draw |")
        checker.expect_failures(set())
        checker.compare(build, build, code=FAILED, says="Budget exceeded: Tile/Draw",
                        CANDIDATE_ARGS="--plant-calls 10")
        checker.expect_failures({draw})

        before = commit(folder, build, "")
        after = commit(folder, build, "--plant-calls 5")
        checker.compare(before, after, code=FAILED, says="Budget exceeded: Tile/Draw")
        checker.compare(after, before, code=PASSED, says="| held | Tile/Draw |")

        checker.compare(folder, build, code=STEP, says="no examples/arena")
        checker.compare("no-such-revision", build, code=STEP, says="checking out no-such-revision failed")
        checker.compare(build, build, code=STEP, says="recording", BASE_ARGS="--no-such-option")
        checker.compare(build, build, "--no-such-option", code=USAGE, says="no option")
    for problem in checker.problems:
        print(problem)
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
