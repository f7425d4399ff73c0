#!/usr/bin/env python3
"""The gate "drawn": how long a page takes from the start of its loading until it is drawn in a headless
Chromium: that of `report` for a capture of 10 million slices and 60,000 sites, and those of
`diff --report` for two such captures and for runs of the example game. Shown are the median and the
longest of 7, the first one included.

    drawn.py BUILD [--quick] [--folder FOLDER]

Says so and measures nothing where there is no Chromium."""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "viewer"))
from browser import Browser  # noqa: E402
from page_checker import DRAWN  # noqa: E402

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPENINGS = 7
MOST_SECONDS = 1.0
RUNS = 4  # a side, of the game
SITES = 60000
PAINTED_AT = ("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
              " done(performance.now()))))")


def make_page(trace, path, *words):
    """Verdicts are no matter here: a page is written whatever they are."""
    done = subprocess.run([trace, *words, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        sys.exit("%s ended with %d" % (" ".join(words), done.returncode))
    return path


def synthetic_pages(build, folder, slices):
    """Of two recordings of the same walk, the second one of other lengths."""
    trace = os.path.join(build, "ludus-trace")
    captures = [os.path.join(folder, "drawn-%d.lcap" % i) for i in range(2)]
    for capture, mean in zip(captures, ("1200", "1300")):
        subprocess.run([os.path.join(build, "tests/synthetic/synthetic_capture"), "--slices", str(slices),
                        "--sites", str(SITES), "--mean-ns", mean, "-o", capture], check=True)
    what = "%d slices, %d sites" % (slices, SITES)
    yield "report, " + what, make_page(trace, os.path.join(folder, "report.html"), "report", captures[0], "-o")
    yield "diff, two of " + what, make_page(trace, os.path.join(folder, "diff.html"), "diff", *captures, "--report")


def game_pages(build, folder, frames):
    sides = [[], []]
    for run in range(RUNS):
        for side, words in zip(sides, ((), ("--plant-cost", "30"))):
            capture = os.path.join(folder, "drawn-game-%d-%d.lcap" % (len(words), run))
            subprocess.run([os.path.join(build, "examples/arena"), "--frames", str(frames), "--capture", capture,
                            *words], check=True, stdout=subprocess.DEVNULL)
            side.append(capture)
    yield ("diff, %d and %d runs of arena, %d frames" % (RUNS, RUNS, frames),
           make_page(os.path.join(build, "ludus-trace"), os.path.join(folder, "game.html"), "diff", *sides[0], "--to",
                     *sides[1], "--min-frames", str(frames), "--report"))


def measure(browser, path):
    """Seconds from the start of loading to the second picture after the last element was made."""
    seconds = []
    for _ in range(OPENINGS):
        browser.open("about:blank")
        browser.open("file://" + path)
        browser.wait(DRAWN, "page that is drawn")
        seconds.append(browser.ask(PAINTED_AT) / 1000)
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true", help="a tenth of the slices, few frames")
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="for captures and pages")
    arguments = parser.parse_args()
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        print("drawn: there is no Chromium")
        return
    folder = tempfile.mkdtemp(prefix="drawn-", dir=os.path.abspath(arguments.folder))
    build = os.path.abspath(arguments.build)
    try:
        with Browser(program) as browser:
            for pages in (synthetic_pages(build, folder, 10**6 if arguments.quick else 10**7),
                          game_pages(build, folder, 40 if arguments.quick else 150)):
                for name, path in pages:
                    seconds = measure(browser, path)
                    median = statistics.median(seconds)
                    print("gate %-6s %-28s %.2f s, the longest of %d %.2f; %s, %d bytes (at most %.0f)"
                          % ("ok" if median <= MOST_SECONDS else "over", "page, drawn", median, OPENINGS,
                             max(seconds), name, os.path.getsize(path), MOST_SECONDS))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
