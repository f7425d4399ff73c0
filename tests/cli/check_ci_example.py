#!/usr/bin/env python3
"""Runs examples/ci/compare.sh as a CI job would, and the steps of workflow.yml with it:
check_ci_example.py SOURCE BUILD.

Times of so short runs say nothing, so that budgets alone decide: the game draws 42 tiles a picture,
and more with a planted fault. The report of tests is read by an XML parser that knows nothing of
diff."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import yaml

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
            [self.script, "-w", "work", "-n", "1", "-f", "20", base, candidate, "--min-frames", "10",
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
    """A revision, with all that is in the folder besides; its name."""
    with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write(REVISION % {"build": build, "words": words})
    name = ["-c", "user.name=Test", "-c", "user.email=test@localhost"]
    for command in (["init", "-q"], ["add", "-A", ":!work"],
                    [*name, "commit", "-q", "-m", "A revision"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True,
                          text=True).stdout.strip()


# Stands in for a command of the job's machine, and writes down what it was given.
STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >>"$CALLS"
for word; do case $word in *.md) cat "$word" >>"$CALLS" ;; esac; done
"""
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")


class Workflow:
    """The job of workflow.yml, whose commands are run here; of what it uses of others only the files
    that it hands over are looked at."""

    def __init__(self, source, folder, values):
        with open(os.path.join(source, "examples/ci/workflow.yml"), encoding="utf-8") as file:
            (job,) = yaml.safe_load(file)["jobs"].values()
        self.steps = job["steps"]
        self.folder = folder
        self.values = values
        self.calls = os.path.join(folder, ".git", "calls")
        self.environment = {**os.environ, "CALLS": self.calls}
        tools = os.path.join(folder, ".git", "tools")
        os.makedirs(tools)
        for name in ("sudo", "gh"):
            with open(os.path.join(tools, name), "w", encoding="utf-8") as file:
                file.write(STAND_IN)
            os.chmod(file.name, 0o755)
        self.environment["PATH"] = tools + ":" + os.environ["PATH"]

    def expand(self, text):
        return EXPRESSION.sub(lambda match: self.values[match.group(1)], text)

    def run(self):
        """The exit code of each step that has commands, by name."""
        codes = {}
        for step in self.steps:
            if "run" in step:
                own = {name: self.expand(value) for name, value in step.get("env", {}).items()}
                codes[step["name"]] = subprocess.run(
                    ["/bin/bash", "-e", "-c", self.expand(step["run"])], cwd=self.folder,
                    timeout=LIMIT_SECONDS, check=False, env={**self.environment, **own},
                    stdin=subprocess.DEVNULL, capture_output=True).returncode
        return codes

    def said(self):
        with open(self.calls, encoding="utf-8") as file:
            return file.read()

    def kept(self):
        """The patterns of the files that are kept, and whether there is one."""
        for step in self.steps:
            for pattern in step.get("with", {}).get("path", "").split():
                yield pattern, bool(glob.glob(os.path.join(self.folder, pattern)))


def accept_short_runs(path):
    """The workflow makes ten runs, of which each frame costs this test as much as a game."""
    with open(path, encoding="utf-8") as file:
        gate = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**gate, "min_frames": 10}, file)


def check_workflow(source, build, problems):
    """A pull request that draws more tiles, by the words of the workflow alone."""
    with tempfile.TemporaryDirectory(prefix="ludus-workflow-") as folder:
        shutil.copytree(os.path.join(source, "examples/ci"), os.path.join(folder, "examples/ci"))
        accept_short_runs(os.path.join(folder, "examples/ci/gate.json"))
        base = commit(folder, build, "--frames 20")
        head = commit(folder, build, "--frames 20 --plant-calls 5")
        workflow = Workflow(source, folder, {
            "github.event.pull_request.base.sha": base, "github.event.pull_request.head.sha": head,
            "github.event.pull_request.number": "7", "github.token": "none"})
        codes = workflow.run()
        if codes.pop("Compare") != FAILED or any(codes.values()):
            problems.append("workflow.yml: exit codes %s" % codes)
        said = workflow.said()
        for text in ("gh pr comment 7 --body-file", "Budget exceeded: Tile/Draw"):
            if text not in said:
                problems.append("workflow.yml: does not say '%s': %s" % (text, said))
        with open(os.path.join(source, ".ci/packages/build"), encoding="utf-8") as file:
            known = set(file.read().split())
        for word in re.search(r"apt-get install -y (.*)", said).group(1).split():
            if word not in known:
                problems.append("workflow.yml: %s is no package that the build needs" % word)
        for pattern, is_there in workflow.kept():
            if not is_there:
                problems.append("workflow.yml: keeps %s, which is not there" % pattern)


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
    check_workflow(source, build, checker.problems)
    for problem in checker.problems:
        print(problem)
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
