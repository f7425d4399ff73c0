#!/usr/bin/env python3
"""Looks at what is said of long work: check_progress.py --program P --synthetic S --golden G.

Work is made long by stopping the program for more than a second, so that nothing depends on how
fast the machine is."""
import argparse
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

LIMIT_SECONDS = 120
SLICES = 1000000
LINE = re.compile(r"\rreading (\S+): (\d+) %\x1b\[K")
ERASED = "\r\x1b[K"


class Checker:
    def __init__(self, program, golden, folder):
        self.program = program
        self.losses = os.path.join(golden, "valid", "losses-alone.lcap")
        self.folder = folder
        self.problems = []

    def run(self, words, is_terminal=True, is_long=True, terminal="xterm", number=signal.SIGCONT):
        """What it says on stderr, and how it ends. In the middle of its work it is stopped for more
        than a second, and then gets the signal."""
        reader, writer = pty.openpty() if is_terminal else os.pipe()
        process = subprocess.Popen([self.program, *words], cwd=self.folder, stderr=writer,
                                   stdout=subprocess.DEVNULL,
                                   env={**os.environ, "TERM": terminal})
        os.close(writer)
        if is_long:
            while process.poll() is None and not os.path.exists("/proc/%d/fd/3" % process.pid):
                time.sleep(0.001)
            process.send_signal(signal.SIGSTOP)
            time.sleep(1.2)
            process.send_signal(signal.SIGCONT)
        text = b""
        while True:
            try:
                part = os.read(reader, 65536)
            except OSError:  # a terminal whose program has ended
                part = b""
            if not part:
                break
            text += part
            if number != signal.SIGCONT and b"reading" in text:
                process.send_signal(number)
        os.close(reader)
        return text.decode(), process.wait(LIMIT_SECONDS)

    def expect(self, what, is_right, *found):
        if not is_right:
            self.problems.append("%s: %r" % (what, found))

    def check_line(self):
        text, code = self.run(["import", "in", "-o", "out"])
        percents = [int(percent) for _, percent in LINE.findall(text)]
        falls = sum(b < a for a, b in zip(percents, percents[1:]))
        self.expect("the line", code == 0 and percents and max(percents) <= 100 and
                    falls <= 1, code, text)  # the file is read twice: opened, and its events
        self.expect("is gone at the end", text.endswith(ERASED) and
                    LINE.sub("", text) == ERASED, text)
        text, code = self.run(["import", "in", "-o", "out"], number=signal.SIGINT)
        self.expect("is gone when interrupted", code == -signal.SIGINT and text.endswith(ERASED) and
                    LINE.sub("", text) == ERASED, code, text)
        text, code = self.run(["import", "in", self.losses, "-o", "out"])
        warnings = text.split("ludus-trace: warning: ")
        self.expect("makes room for warnings", len(warnings) > 1 and warnings[0].endswith(ERASED),
                    text)

    def check_nothing(self):
        for words, options in ((["--quiet"], {}), ([], {"is_terminal": False}),
                               ([], {"terminal": "dumb"}), ([], {"is_long": False})):
            name = "in" if options.get("is_long", True) else self.losses
            text, code = self.run(["import", name, "-o", "out", *words], **options)
            if name != "in":  # its warnings, and no line
                text = "reading" if "reading" in text else ""
            self.expect("nothing is said", (text, code) == ("", 0), words, options, text, code)

    def check_options(self):
        text, code = self.run(["summarize", "in", "-v"], is_terminal=False, is_long=False)
        size = os.path.getsize(os.path.join(self.folder, "in"))
        self.expect("--verbose", code == 0 and
                    re.fullmatch(r"(ludus-trace: read in: %d bytes in \d+ ms\n)+"
                                 r"ludus-trace: done in \d+ ms\n" % size, text), text)
        for option in ("--quiet", "-q"):
            text, code = self.run(["summarize", self.losses, option], is_terminal=False,
                                  is_long=False)
            self.expect(option, (text, code) == ("", 0), text, code)
        text, code = self.run(["summarize", "none.lcap", "-q"], is_terminal=False, is_long=False)
        self.expect("errors are said all the same", code == 3 and "none.lcap" in text, text, code)
        text, code = self.run(["summarize", "in", "-q", "-v"], is_terminal=False, is_long=False)
        self.expect("both", code == 2 and "do not go together" in text, text, code)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--program", "--synthetic", "--golden"):
        parser.add_argument(name, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludus-progress-") as folder:
        checker = Checker(os.path.abspath(arguments.program), os.path.abspath(arguments.golden),
                          folder)
        subprocess.run([arguments.synthetic, "--slices", str(SLICES), "--frames", "1000", "-o",
                        os.path.join(folder, "in")], check=True, stdout=subprocess.DEVNULL)
        checker.check_line()
        checker.check_nothing()
        checker.check_options()
    for problem in checker.problems:
        print(problem)
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
