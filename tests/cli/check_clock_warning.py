#!/usr/bin/env python3
"""Reads what is said of a recording whose clock is not the one that was wanted:
check_clock_warning.py PROGRAM. Each fault of the counter that the recorder knows has an answer, told
once, in the same words by a capture and by the database of it; a clock that was asked for has
none."""
import os
import subprocess
import sys
import tempfile

import diff_runs
w = diff_runs.w

COST = {"recorder.scope_cost_ps": "84400", "recorder.scope_inner_cost_ps": "40000"}

# The fact, the clock's reason in the file, and what the warning says of what to do.
FAULTS = (
    ("not-invariant", "the counter is not invariant", "LUDUS_CLOCK=monotonic asks for this one"),
    ("forbidden", "the process may not read the counter", "PR_SET_TSC"),
    ("kernel-source", "the kernel's clock source is hpet", "the kernel's log says why"),
    ("kernel-call", "the kernel's clock source is xen, and takes a system call to be read", "vDSO"),
    ("not-compared", "no core came to compare the counter in time", "less busy"),
    ("stepped-back", "the counter stepped back between cores", "firmware"),
    ("of-the-future", "some reason", "`ludus-trace info` shows the clock"),
)


class Recorded(diff_runs.Run):
    """A run whose clock has a reason; `refusal`: the text of a diagnostic, as older recorders
    wrote it alone when the counter was asked for."""

    def __init__(self, reason, facts, refusal=None):
        super().__init__(1, [1000] * 3, facts=facts)
        self.reason, self.refusal = reason, refusal
        self.each_frame("Step", 100, 200)

    def blocks(self):
        for kind, payload in super().blocks():
            if kind == w.CLOCK:
                payload = w.clock(source=1, per_second=10**9, reason=self.reason.encode())
            yield kind, payload
            if kind == w.CLOCK and self.refusal:
                yield w.DIAGNOSTICS, w.diagnostics((10, 0, diff_runs.START, 1,
                                                    self.refusal.encode(), 0), clock=1)


class Checker:
    def __init__(self, program, folder):
        self.program, self.folder, self.problems = program, folder, 0

    def run(self, *words):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.fail(words, done.stderr)
        return done.stderr

    def fail(self, *what):
        self.problems += 1
        print(*what)

    def said(self, run):
        """Lines about the clock that commands give: one of a capture, the same of its database."""
        capture = run.write(self.folder, "clock.lcap")
        database = os.path.join(self.folder, "clock.db")
        if os.path.exists(database):
            os.remove(database)
        told = [self.run("import", capture, "-o", database)]
        for command in ("info", "summarize", "tree", "frames"):
            told.append(self.run(command, capture))
            told.append(self.run(command, database).replace(database, capture))
        if len(set(told)) != 1:
            self.fail("not the same of all:", told)
        return told[0].splitlines()


def check_diff(checker):
    """A comparison says it once for a side, and in the same words."""
    facts = {"recorder.clock_refused": "kernel-source", **COST}
    sides = []
    for number in range(1, 7):
        run = Recorded("the kernel's clock source is hpet", facts if number % 2 else COST)
        run.number = number
        sides.append(run.write(checker.folder, f"run-{number}.lcap"))
    told = checker.run("diff", "--min-frames", "1", *sides[0::2], "--to", *sides[1::2]).splitlines()
    said = [line for line in told if "times are right" in line]
    if len(said) != 1 or "run-1.lcap: its clock" not in said[0] or "dmesg" not in said[0]:
        checker.fail("a comparison says:", told)


def main():
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(os.path.abspath(sys.argv[1]), folder)
        for fault, reason, answer in FAULTS:
            facts = {"recorder.clock_refused": fault, **COST}
            for refusal in (None, reason):  # the latter: it was asked for
                lines = checker.said(Recorded(reason, facts, refusal))
                if len(lines) != 1 or f": {reason}; times are right" not in lines[0] \
                        or answer not in lines[0] or "(84 ns)" not in lines[0]:
                    checker.fail(fault, "is told as:", lines)
        check_diff(checker)
        lines = checker.said(Recorded("unused", {}, "an older reason"))
        if len(lines) != 1 or ": an older reason; times are right" not in lines[0]:
            checker.fail("an older recorder's is told as:", lines)
        for reason in ("it was asked for", "no counter is known of this processor"):
            lines = checker.said(Recorded(reason, COST))
            if lines:
                checker.fail(reason, "is told as:", lines)
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
