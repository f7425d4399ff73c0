#!/usr/bin/python3
"""Follows programs that record: one that is told over a pipe to go on, to stop, to be killed.

Nothing depends on how long anything takes: what is waited for comes, or a generous limit is over.
"""
import argparse
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

LIMIT_SECONDS = 120


class Reader:
    """What a program writes, read as it comes."""

    def __init__(self, file):
        self.file = file
        self.text = ""
        self.place = 0  # behind what was found last

    def more(self, seconds):
        """Reads what comes within that time; false at the end, or when nothing came."""
        if not select.select([self.file], [], [], seconds)[0]:
            return False
        try:
            part = os.read(self.file, 65536)
        except OSError:  # a terminal whose program has ended
            part = b""
        self.text += part.decode()
        return part != b""

    def wait_for(self, pattern):
        deadline = time.monotonic() + LIMIT_SECONDS
        while True:
            found = re.compile(pattern, re.M).search(self.text, self.place)
            if found:
                self.place = found.end()
                return found
            if time.monotonic() > deadline or not self.more(deadline - time.monotonic()):
                raise AssertionError("'%s' did not come behind:\n%s"
                                     % (pattern, self.text[:self.place][-3000:])
                                     + "\n--- but:\n" + self.text[self.place:][-3000:])

    def read_all(self):
        while self.more(LIMIT_SECONDS):
            pass


class Recorder:
    """The program that is told what to record."""

    def __init__(self, program, path):
        self.process = subprocess.Popen([program, path], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def tell(self, letters):
        for letter in letters.encode():
            self.process.stdin.write(bytes([letter]))
            self.process.stdin.flush()
            assert self.process.stdout.read(1) == bytes([letter])

    def stop(self):
        self.process.stdin.write(b"s")
        self.process.stdin.flush()
        assert self.process.wait(LIMIT_SECONDS) == 0

    def kill(self):
        self.process.kill()
        self.process.wait(LIMIT_SECONDS)


class Follower:
    """ludus-trace top --follow."""

    def __init__(self, program, path, *more, terminal=False, rows=24):
        words = [program, "top", path, "--follow", "--interval", "50ms", "--last", "60min", *more]
        environment = dict(os.environ, TERM="xterm", LC_ALL="C")
        if terminal:
            ours, theirs = pty.openpty()
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", rows, 80, 0, 0))
        else:
            ours, theirs = os.pipe()
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=theirs,
                                        stderr=subprocess.PIPE, env=environment)
        os.close(theirs)
        self.out = Reader(ours)
        self.errors = Reader(self.process.stderr.fileno())

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def end(self):
        """The exit status; all output is read."""
        self.out.read_all()
        self.errors.read_all()
        return self.process.wait(LIMIT_SECONDS)


def frame_row(count):
    return r"^  Told/Frame +Told +%d " % count


def check_waits_and_ends(arguments, folder):
    """It waits for the file, shows each step, and ends when the recording does, as a look does."""
    path = os.path.join(folder, "stopped.lcap")
    follower = Follower(arguments.program, path, "--top", "0")
    follower.errors.wait_for("nothing is recorded yet; waiting for it")
    recorder = Recorder(arguments.recorder, path)
    recorder.tell("f")
    follower.out.wait_for(frame_row(1))
    recorder.tell("ff")
    follower.out.wait_for(frame_row(3))
    follower.out.wait_for("^  Told/Level +gauge +42.000")
    recorder.stop()
    assert follower.end() == 0, follower.errors.text
    last = follower.out.text.split("--------\n")[-1]
    once = subprocess.run([arguments.program, "top", path, "--last", "60min", "--top", "0"],
                          capture_output=True, check=True, text=True).stdout
    assert last == once, "the last look is:\n%s\nat once it is:\n%s" % (last, once)
    assert re.search("^  Told/Frames +counter +- +3 ", once, re.M), once
    assert re.search("^  told_recorder +finished ", once, re.M), once


def check_killed(arguments, folder):
    """A program that dies leaves its last moments on the screen until somebody ends that."""
    path = os.path.join(folder, "killed.lcap")
    recorder = Recorder(arguments.recorder, path)
    recorder.tell("foff")
    follower = Follower(arguments.program, path)
    follower.out.wait_for(frame_row(3))
    recorder.kill()
    follower.out.wait_for("^no new data for [0-9]+ s$")
    assert follower.process.poll() is None
    assert re.search("^  Told/Open +- +1 .* 1$", follower.out.text, re.M), follower.out.text
    follower.interrupt()
    assert follower.end() == 0, follower.errors.text


def check_replaced(arguments, folder):
    """Another file in the capture's place is an error, in one line."""
    path = os.path.join(folder, "replaced.lcap")
    recorder = Recorder(arguments.recorder, path)
    recorder.tell("f")
    follower = Follower(arguments.program, path)
    follower.out.wait_for(frame_row(1))
    with open(path + ".new", "wb") as other:
        other.write(b"another file")
    os.rename(path + ".new", path)
    assert follower.end() == 3
    assert re.fullmatch("ludus-trace: .*replaced while it was followed; start again\n",
                        follower.errors.text), follower.errors.text
    recorder.kill()


def check_interrupted_while_waiting(arguments, folder):
    follower = Follower(arguments.program, os.path.join(folder, "never.lcap"))
    follower.errors.wait_for("waiting for it")
    follower.interrupt()
    assert follower.end() == 0
    assert follower.out.text == ""


def check_terminal(arguments, folder):
    """On a terminal each look is drawn over the one before, within its rows and columns."""
    path = os.path.join(folder, "drawn.lcap")
    recorder = Recorder(arguments.recorder, path)
    recorder.tell("ff")
    follower = Follower(arguments.program, path, terminal=True)
    follower.out.wait_for(frame_row(2))
    recorder.tell("f")
    follower.out.wait_for(frame_row(3))
    recorder.stop()
    follower.out.wait_for("the recording is finished: ")
    assert follower.end() == 0
    text = follower.out.text
    assert text.startswith("\x1b[?25l\x1b[2J\x1b[H"), repr(text[:40])
    assert text.rstrip().endswith("\x1b[?25h"), repr(text[-40:])
    for look in text.split("\x1b[?7l\x1b[H")[1:]:
        lines = re.sub("\x1b\\[[0-9?]*[A-Za-z]", "", look).rstrip().split("\n")
        assert len(lines) <= 24, look
        assert all(len(line.rstrip()) <= 80 for line in lines[:-1]), look


def check_low_terminals(arguments, folder):
    """However few rows there are, the last one says how things are."""
    path = os.path.join(folder, "low.lcap")
    recorder = Recorder(arguments.recorder, path)
    recorder.tell("ff")
    recorder.stop()
    for rows in (1, 2, 3):
        follower = Follower(arguments.program, path, terminal=True, rows=rows)
        follower.out.wait_for("the recording is finished: ")
        assert follower.end() == 0
        assert follower.out.text.count("\n") <= rows, repr(follower.out.text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--recorder", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludus-follow-") as folder:
        for check in (check_waits_and_ends, check_killed, check_replaced,
                      check_interrupted_while_waiting, check_terminal, check_low_terminals):
            check(arguments, folder)
            print(check.__name__, "ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
