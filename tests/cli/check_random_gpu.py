#!/usr/bin/python3
"""Holds the program against random captures of GPU samples, whose records are right by the format
and mean anything: numbers at their limits, tracks and sites that nothing defines, queues that are
threads, names that are no UTF-8.

Of each, a capture and the database made of it give the same answers, whatever is JSON can be parsed,
and a part and a repaired capture are whole."""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "second_reader"))
import capture_writer as w  # noqa: E402

YES, NO, USAGE, INPUT = 0, 1, 2, 3  # exit codes
UNMAPPED = 2**32 - 1
EDGES_32 = (0, 1, 7, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1)
EDGES_64 = (*EDGES_32, 2**47, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)
NAMES = (b"A", b"\xff\xfe", b"x" * 300, b'"\\\n,', b"")
FRAME_NS = 50000
FRAMES = 20

QUESTIONS = (
    ["info", "--format", "json"],
    ["summarize", "--format", "json"],
    ["summarize", "--gpu"],
    ["summarize", "--gpu", "--top", "0", "--format", "json", "--window", "a=time:..1ms",
     "--window", "b=frames:2..5"],
    ["frames", "--format", "json"],
    ["frames", "--explain", "0"],
    ["frames", "--explain", "3", "--top", "0", "--format", "json"],
    ["tree", "--format", "json"],
    ["export", "--perfetto"],
    ["export", "--perfetto", "--window", "frames:1..3"],
)


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def u32(self, least=0):
        number = self.random.choice((*EDGES_32, *(self.random.randrange(5) for _ in range(8))))
        return max(number, least)

    def u64(self):
        return self.random.choice((*EDGES_64, *(self.random.randrange(10**6) for _ in range(6))))

    def i64(self):
        number = self.u64()
        return number - 2**64 if number >= 2**63 else number

    def track(self):
        return self.random.randrange(1, 4) if self.random.random() < 0.7 else self.u32(least=1)

    def times(self):
        """outcome, uncertainty, then duration, begin, submit and collect, as the format has them."""
        is_valid = self.random.random() < 0.8
        is_mapped = is_valid and self.random.random() < 0.7
        submit = self.u64() if self.random.random() < 0.3 else self.random.randrange(10**6)
        collect = min(submit + self.random.randrange(2000), 2**64 - 1)
        begin = self.i64() if is_mapped else 0
        duration = min(self.u64(), 2**63 - 1, 2**63 - 1 - begin) if is_valid else 0
        return (1 if is_valid else self.random.choice((2, 3, 7, 30, 2**32 - 1)),
                self.u32() % UNMAPPED if is_mapped else UNMAPPED, duration, begin, submit, collect)

    def gpu_pass(self):
        outcome, uncertainty, *times = self.times()
        return (self.track(), self.random.randrange(1, 8), self.u32(),
                self.random.choice((1, 2, 3, 4, 99)), self.u32(least=1), outcome, uncertainty, 0,
                self.u64(), *times)

    def gpu_frame(self):
        outcome, uncertainty, *times = self.times()
        return (self.track(), self.random.choice((1, 2, 9)), outcome, uncertainty, self.u64(),
                *times, 0)

    def gpu_queue(self):
        return (self.track(), self.u32(), self.random.choice((0, 36, 48, 64)), 0, self.u64(),
                self.random.choice(NAMES), b"device", b"queue", self.random.choice(NAMES),
                self.random.choice(NAMES))

    def gpu_count(self):
        return (self.track(), self.random.choice((1, 2, 3, 9)),
                self.random.choice((0, 1, 2, 16, 99)), 0, self.u64())

    def gpu_calibration(self):
        return (self.track(), self.random.randrange(1, 9), self.u32(), 0, self.u64(), self.u64(),
                self.u64(), self.i64(), self.i64(), 0)

    def some(self, make, most):
        return [make() for _ in range(self.random.randrange(1, most))]

    def may(self, *blocks):
        return blocks if self.random.random() < 0.75 else ()

    def capture(self):
        per_second = self.random.choice((10**9, 10**9, 3 * 10**9, 1, 2**63))
        kinds = [self.random.choice((1, 3, 3)) for _ in range(3)]
        tracks = [(i + 1, kind, i, 0, 0, 0, self.random.randrange(6))
                  for i, kind in enumerate(kinds)]
        marks = [(1, 1, i, i * FRAME_NS) for i in range(FRAMES)]
        scope = w.EventsPayload([(w.BEGIN, 1, 0, 0)],
                                [(1, 0, 10, [], [(10, 1), (900000, 0)])], clock=1)
        return w.capture(
            (w.SESSION, w.session(sources=self.random.choice((1, 2, 3)))),
            (w.CLOCK, w.clock(source=self.random.choice((1, 2)), per_second=per_second)),
            (w.STRINGS, w.strings(*[(i + 1, name) for i, name in enumerate(NAMES)], (9, b"Frame"))),
            (w.SITES, w.sites(*[(i + 1, i + 1, 1, 0, i, 0) for i in range(len(NAMES))])),
            *self.may((w.TRACKS, w.tracks(*tracks, clock=1))),
            (w.DOMAINS, w.domains((1, 9))), (w.FRAMES, w.frames(*marks, clock=1)),
            *self.may((w.GPU_QUEUES, w.gpu_queues(*self.some(self.gpu_queue, 4)))),
            *self.may((w.GPU_PASSES, w.gpu_passes(*self.some(self.gpu_pass, 40), clock=1))),
            *self.may((w.GPU_FRAMES, w.gpu_frames(*self.some(self.gpu_frame, 20), clock=1))),
            *self.may((w.GPU_COUNTS, w.gpu_counts(*self.some(self.gpu_count, 12)))),
            *self.may((w.GPU_CALIBRATIONS,
                       w.gpu_calibrations(*self.some(self.gpu_calibration, 6)))),
            *self.may((w.EVENTS, scope.payload())),
            *self.may((w.END, w.end(tick=self.random.choice((10**6, 2**63, 0))))))


class Checker:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.problems = []
        self.seed = 0

    def run(self, *words):
        done = subprocess.run([self.program, *words], cwd=self.folder, capture_output=True,
                              timeout=300, check=False)
        if done.returncode not in (YES, NO, USAGE, INPUT):
            self.problem(words, "ends with %d: %r" % (done.returncode, done.stderr[-400:]))
        return done

    def problem(self, words, text):
        self.problems.append("seed %d: %s: %s" % (self.seed, " ".join(words), text))

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, seed):
        self.seed = seed
        for name in ("capture.db", "part.lcap", "repaired.lcap"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        with open(self.path("capture.lcap"), "wb") as file:
            file.write(Maker(seed).capture())
        self.run("import", "capture.lcap", "-o", "capture.db")
        for words in QUESTIONS:
            self.compare(words)
        self.run("trim", "capture.lcap", "--window", "time:100us..600us", "-o", "part.lcap")
        self.run("check", "capture.lcap", "--repair", "-o", "repaired.lcap")
        for name in ("part.lcap", "repaired.lcap"):
            if os.path.exists(self.path(name)) and self.run("check", name).returncode != YES:
                self.problem(["check", name], "it is not whole")

    def compare(self, words):
        first, second = self.run(*words, "capture.lcap"), self.run(*words, "capture.db")
        if (first.returncode, first.stdout) != (second.returncode, second.stdout):
            pair = next(((a, b) for a, b in zip(first.stdout.splitlines(),
                                                second.stdout.splitlines()) if a != b), b"")
            self.problem(words, "the database says something else: %r" % (pair,))
        if first.returncode == YES and ("json" in words or words[0] == "export"):
            try:
                json.loads(first.stdout)
            except ValueError as fault:
                self.problem(words, str(fault))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="ludus-trace")
    parser.add_argument("--seeds", type=int, default=30, help="so many captures")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludus-gpu-") as folder:
        checker = Checker(os.path.abspath(arguments.program), folder)
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            checker.check(seed)
    print("\n".join(checker.problems))
    print("%d captures, %d problems" % (arguments.seeds, len(checker.problems)))
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
