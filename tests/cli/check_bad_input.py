#!/usr/bin/env python3
"""Tries what is wrong with every command: check_bad_input.py [--every N] --program P --golden G.

Windows, names and files of every wrong kind. What must hold of each: the exit code of its kind (2
for what was asked, 3 for what cannot be read), one line on stderr that tells the reason, nothing on
stdout, and no file left behind. Of captures without frames, events or anything, and of pieces of
one: an answer, or such a refusal. --every N tries each N-th row of the tables."""

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

READ = {  # commands that take a part of a capture
    "summarize": ["summarize"],
    "by path": ["summarize", "--by", "path"],
    "by category": ["summarize", "--by", "category", "--union"],
    "by track": ["summarize", "--by", "track"],
    "by counter": ["summarize", "--by", "counter"],
    "by mark": ["summarize", "--by", "mark"],
    "by flow": ["summarize", "--by", "flow"],
    "percentiles": ["summarize", "--percentiles"],
    "tree": ["tree"],
    "frames": ["frames"],
    "explain": ["frames", "--explain", "1"],
    "perfetto": ["export", "--perfetto", "-o", "out"],
    "folded": ["export", "--folded", "-o", "out"],
    "csv": ["export", "--csv", "-o", "out"],
}
CUT = {  # those that take windows alone
    "trim": ["trim", "-o", "out"],
    "import": ["import", "-o", "out"],
}
WHOLE = {  # and those that take none
    "info": ["info"],
    "check": ["check"],
    "dump": ["check", "--dump"],
    "repair": ["check", "--repair", "-o", "out"],
    "top": ["top"],
    "query": ["query", "SELECT count(*) FROM slice"],
    "trim all": ["trim", "--time", "0s..", "-o", "out"],
    "import all": ["import", "-o", "out"],
}
# Both sides are the same file, which is put in behind these words.
DIFF = ["diff", "--min-frames", "1", "--to"]
# Those that a database of statistics alone can answer.
ALONE = ("summarize", "by path", "tree", "folded", "info", "query")

# A window, and what the message says of it; {0} is the window.
FORM = "is no window: "
FRAMES = FORM + "frames are a number or a range"
TIMES = FORM + "times are a range with units"
MARKS = FORM + "marks are two names"
LAST = FORM + "last is a count of frames or a time"
LARGE = FORM + "a number in it is too large"
WINDOWS = [
    ("frames:", FRAMES), ("frames:..", FRAMES), ("frames:a..b", FRAMES), ("frames:-1..2", FRAMES),
    ("frames:1..2..3", FRAMES), ("frames: 1..2", FRAMES), ("frames:3..1", "ends before it begins"),
    ("frames:18446744073709551616", LARGE), ("frames:100..200", "game has the frames 0..4"),
    ("frames:18446744073709551615", "game has the frames 0..4"),
    ("time:", TIMES), ("time:..", TIMES), ("time:5", TIMES), ("time:5..", TIMES),
    ("time:-1us..5us", TIMES), ("time:1e9s..2e9s", TIMES), ("time:0.1ns..2ns", TIMES),
    ("time:1us..2us..3us", TIMES), ("time:99999999999999999999s..", LARGE),
    ("time:2us..1us", "ends before it begins"), ("time:1us..1us", "it is empty"),
    ("time:1s..2s", "outside the capture, which is from 0s to 0.0006s"),
    ("time:4611686018s..", "outside the capture"),
    ("marks:", MARKS), ("marks:A", MARKS), ("marks:..", MARKS), ("marks:A..", MARKS),
    ("marks:..A", MARKS), ("marks:Checkpoint#0..Checkpoint", "are counted from #1"),
    ("marks:Checkpont..Checkpoint", "did you mean 'Checkpoint'?"),
    ("marks:Update..Checkpoint", "no mark 'Update'; there is 'Checkpoint'"),
    ("marks:Checkpoint..Checkpoint", "no mark Checkpoint follows"),
    ("marks:Checkpoint#9..Checkpoint", "there is no Checkpoint#9; the capture has 1"),
    ("last:", LAST), ("last:5", LAST), ("last:-1frames", LAST),
    ("last:0frames", "it is empty"), ("last:0s", "it is empty"),
    ("last:99999999999999999999999frames", LARGE),
    ("=frames:1", "no name in front of the '='"), ("x=", FORM), ("bla", FORM),
    ("frame:1..2", FORM), ("Frames:1..2", FORM), ("a=b=frames:1..2", FORM),
]
# Those of them that are windows, and not in the capture.
LACKING = {
    "frames:100..200", "frames:18446744073709551615", "time:1s..2s", "time:4611686018s..",
    "marks:Checkpont..Checkpoint", "marks:Update..Checkpoint", "marks:Checkpoint..Checkpoint",
    "marks:Checkpoint#9..Checkpoint"}
# Options that do not fit the capture or each other.
SELECTIONS = [
    (["--site", "Updat"], "no site 'Updat'; did you mean 'Update'?"),
    (["--site", "zzzzzzzz"], "no site 'zzzzzzzz'; there is 'Load', "),
    (["--site", "x*"], "no site 'x*'"), (["--site", "["], "no site '['"),
    (["--site", ""], "--site NAME is empty"),
    (["--category", "Sin"], "did you mean 'Sim'?"),
    (["--category", "Q"], "no category 'Q'; there is 'Sim', 'wait'"),
    (["--track", "mian"], "did you mean 'main'?"),
    (["--track", "Q"], "no track 'Q'; there is 'main', 'worker'"),
    (["--track", "#99"], "no track '#99'"), (["--track", "#"], "no track '#'"),
    (["--track", "#99999999999999999999999"], "no track '#9"),
    (["--domain", "gme"], "did you mean 'game'?"),
    (["--domain", "Q"], "no frame domain 'Q'; there is 'game'"),
    (["--frames", "1", "--time", "1us..2us"], "give several windows with --window"),
    (["--frames", ""], "--frames A..B is empty"), (["--frames", "1" * 300], "too long"),
    (["--attribute", "end"], "--attribute cannot be 'end'"),
    (["--capture", "2"], "only a database holds several"),
]
SEVERAL = [
    (["frames:1", "frames:1"], "another window has this name"),
    (["a=frames:1", "a=frames:2"], "another window has this name"),
    (["a=frames:1", "b=frames:9"], "no such frame"),
    (["w%d=frames:1" % i for i in range(17)], "at most 16"),
    (["w%d=frames:1" % i for i in range(33)], "--window may be given 32 times at most"),
]


class Checker:
    def __init__(self, program):
        self.program = program
        self.problems = self.runs = 0

    def run(self, words, path):
        self.runs += 1
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([self.program, words[0], path, *words[1:]], cwd=folder,
                                  capture_output=True, stdin=subprocess.DEVNULL, check=False)
            return done, os.listdir(folder)

    def fail(self, words, what, done):
        self.problems += 1
        print("%s: %s: exit %d, stderr:\n%s" % (" ".join(words)[:200], what, done.returncode,
                                                done.stderr.decode("utf-8", "replace")))

    def refuses(self, words, path, codes, reason):
        """Whether it says why in a line, and leaves nothing."""
        done, left = self.run(words, path)
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        if done.returncode not in codes:
            self.fail(words, "not one of the exit codes %s" % (codes,), done)
        elif len(lines) != 1 or not lines[0].startswith("ludus-trace: ") or reason not in lines[0]:
            self.fail(words, "not one line with '%s'" % reason, done)
        elif done.stdout or left:
            self.fail(words, "it left %s and %d bytes" % (left, len(done.stdout)), done)

    def answers_or_refuses(self, words, path):
        done, left = self.run(words, path)
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        is_answer = done.returncode in (0, 1)
        if done.returncode not in (0, 1, 2, 3):
            self.fail(words, "no exit code of its own", done)
        elif any(not line.startswith("ludus-trace: ") for line in lines):
            self.fail(words, "a line that is none of its own", done)
        elif not is_answer and (len(lines) != 1 or done.stdout or left):
            self.fail(words, "no clean refusal, files %s" % left, done)
        elif is_answer and not done.stdout and not lines and not left:
            self.fail(words, "a silent answer", done)


def try_windows(checker, capture, every):
    diff = DIFF + [capture]
    commands = list(READ.items()) + list(CUT.items()) + [("diff", diff)]
    for window, reason in WINDOWS[::every]:
        for name, words in commands:
            # Of a comparison, that a run lacks the window is a matter of the runs.
            code = 3 if name == "diff" and window in LACKING else 2
            checker.refuses(words + ["--window", window], capture, (code,), reason)
    for windows, reason in SEVERAL[::every]:
        options = [word for window in windows for word in ("--window", window)]
        for name, words in commands:
            if name not in ("explain", "trim", "diff"):  # these take one, as they say
                checker.refuses(words + options, capture, (2,),
                                reason)
            else:
                checker.refuses(words + options, capture, (2,), "")
    for options, reason in SELECTIONS[::every]:
        for _, words in READ.items():
            checker.refuses(words + options, capture, (2,), reason)
        if options[0] != "--capture":
            checker.refuses(diff + options, capture, (2,), reason)


def make_files(folder, capture, program):
    """Paths that no capture is at."""
    paths = {name: os.path.join(folder, name) for name in
             ("missing.lcap", "folder.lcap", "empty.lcap", "text.lcap", "newer.db", "other.db")}
    os.mkdir(paths["folder.lcap"])
    open(paths["empty.lcap"], "wb").close()
    with open(paths["text.lcap"], "wb") as file:
        file.write(b"This is not a capture.\n")
    subprocess.run([program, "import", capture, "-o", paths["newer.db"]], check=True,
                   stderr=subprocess.DEVNULL)
    for name, line in (("newer.db", "PRAGMA user_version = 4711"),
                       ("other.db", "CREATE TABLE slice (name TEXT)")):
        database = sqlite3.connect(paths[name])
        database.execute(line)
        database.commit()
        database.close()
    return paths


def try_files(checker, folder, capture, every):
    commands = {**READ, **WHOLE}
    for path in list(make_files(folder, capture, checker.program).values())[::every]:
        for _, words in commands.items():
            checker.refuses(words, path, (3,), os.path.basename(path))
        checker.refuses(DIFF + [capture], path, (3,), os.path.basename(path))


def try_statistics_alone(checker, folder, capture):
    """A database without events answers what follows from statistics, and refuses all else in one line."""
    path = os.path.join(folder, "statistics.db")
    subprocess.run([checker.program, "import", "--stats-only", capture, "-o", path], check=True,
                   stderr=subprocess.DEVNULL)
    for name, words in {**READ, **WHOLE}.items():
        if name in ALONE:
            checker.answers_or_refuses(words, path)
        else:
            checker.refuses(words, path, (3,), os.path.basename(path))


def try_poor_captures(checker, folder, golden, every):
    """Captures without frames, events or anything, and pieces of one."""
    valid = os.path.join(golden, "valid")
    paths = [os.path.join(valid, name + ".lcap") for name in (
        "no-blocks", "empty-session", "losses-alone", "clocks", "unfinished.file-header-only",
        "unfinished.one-byte", "unfinished.zero-tail", "unfinished.no-trailer")]
    with open(os.path.join(valid, "game.lcap"), "rb") as file:
        game = file.read()
    for size in (30, 100, len(game) // 3, len(game) // 2, len(game) - 100, len(game) - 1):
        paths.append(os.path.join(folder, "cut-%d.lcap" % size))
        with open(paths[-1], "wb") as file:
            file.write(game[:size])
    for path in paths[::every]:
        for _, words in {**READ, **WHOLE}.items():
            checker.answers_or_refuses(words, path)
        for words in (["frames"], ["frames", "--explain", "1"]):
            if "game" not in path and "cut" not in path:
                checker.refuses(words, path, (3,), "no frame marks (LUDUS_PROFILE_FRAME)")
        for window in ("frames:1..2", "marks:A..B", "last:1frame"):
            if "cut" not in path:
                for words in (READ["summarize"], READ["tree"], *CUT.values()):
                    checker.refuses(words + ["--window", window], path, (2,), "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--program", required=True)
    parser.add_argument("--golden", required=True)
    arguments = parser.parse_args()
    golden = os.path.abspath(arguments.golden)
    capture = os.path.join(golden, "valid", "game.lcap")
    checker = Checker(os.path.abspath(arguments.program))
    folder = tempfile.mkdtemp(prefix="ludus-bad-")
    try:
        try_windows(checker, capture, arguments.every)
        try_files(checker, folder, capture, arguments.every)
        try_statistics_alone(checker, folder, capture)
        try_poor_captures(checker, folder, golden, arguments.every)
    finally:
        shutil.rmtree(folder)
    print("%d runs, %d problems" % (checker.runs, checker.problems))
    return checker.problems != 0


if __name__ == "__main__":
    sys.exit(main())
