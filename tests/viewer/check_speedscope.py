#!/usr/bin/python3
"""Opens exports in speedscope, in a headless Chromium, as a person would, and looks at what is shown.

For a whole capture, a window of it, one with odd names, and one of GPUs and a window of that: the list
of profiles has a row for each track that has scopes, by its name, and for each of them the sandwich view
lists the names of its scopes, no more and no fewer. Nothing is complained about, but that the marks in
the args of an end are not those of its begin, which is how speedscope reads every trace with such args.
A screenshot of each is kept, and one of each lane of a GPU. Skipped when there is no browser, or speedscope cannot be had."""
import argparse
import json
import os
import re
import subprocess
import sys

from browser import Browser, BrowserError

SKIPPED = 77
PICTURE = (1280, 720)  # pixels
LISTS = (1280, 4000)  # a list of scopes has only the rows that are visible

PROFILES = "Array.from(document.querySelectorAll('tr[title]')).map(row => row.title)"
SCOPES = ("Array.from(document.querySelectorAll('tr:not([title]) td:nth-child(3)'))"
          ".map(cell => cell.textContent)")
TABS = "Array.from(document.querySelectorAll('div')).filter(tab => tab.childElementCount == 1"
MARKS = re.compile(r'ts=[^:]*: Tried to end "(.*) \{[^{}]*\}" when "(.*)" was on the top of the stack'
                   r'\. Ending (.*) instead\.', re.DOTALL)


def read_expected(path):
    """The names of scopes by the names of tracks, as speedscope calls them."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    processes = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    names = {e["tid"]: e["args"]["name"] for e in events
             if e["ph"] == "M" and e["name"] == "thread_name"}
    tracks = {}
    for event in events:
        if event["ph"] == "B":
            track = "%s (pid %d), %s (tid %d)" % (processes[event["pid"]], event["pid"],
                                                  names[event["tid"]], event["tid"])
            tracks.setdefault(track, set()).add(event["name"])
    return tracks


def is_about_marks(problem):
    match = MARKS.fullmatch(problem)
    return bool(match) and match[1] == match[2] == match[3]


class Checker:
    def __init__(self, browser, page, folder):
        self.browser = browser
        self.page = page
        self.folder = folder
        self.problems = []

    def show_tab(self, name):
        self.browser.wait(TABS + " && tab.innerText.endsWith('%s')).length" % name, "tab " + name)
        self.browser.ask(TABS + " && tab.innerText.endsWith('%s'))[0].click()" % name)

    def show_track(self, index, count):
        self.browser.ask("document.querySelectorAll('tr[title]')[%d]"
                         ".dispatchEvent(new MouseEvent('mouseup', {bubbles: true}))" % index)
        self.browser.wait("document.body.innerText.includes('(%d/%d)')" % (index + 1, count),
                          "profile %d" % (index + 1))

    def take_picture(self, name):
        self.browser.ask("new Promise(done => requestAnimationFrame("
                         "() => requestAnimationFrame(done)))")
        self.browser.screenshot(os.path.join(self.folder, name + ".png"))

    def check(self, name, path):
        expected = read_expected(path)
        browser = self.browser
        browser.problems.clear()
        browser.resize(*PICTURE)
        browser.open("about:blank")
        browser.open(self.page)
        browser.wait("document.querySelector('input[type=file]') !== null", "place for a file")
        browser.set_file("input[type=file]", path)
        browser.wait(PROFILES + ".length == %d || null" % len(expected),
                     "list of %d profiles: %s" % (len(expected), sorted(expected)))
        browser.wait("document.querySelector('canvas') !== null", "picture")
        self.take_picture(name)
        self.compare(name, "tracks", set(browser.ask(PROFILES)), set(expected))
        browser.resize(*LISTS)
        self.show_tab("Sandwich")
        tracks = browser.ask(PROFILES)
        for index, track in enumerate(tracks):
            self.show_track(index, len(expected))
            shown = browser.wait_for(
                lambda wanted=expected.get(track): self.list_scopes(wanted), "list of scopes")
            self.compare(name, "scopes of " + track, shown, expected.get(track, set()))
        self.show_tab("Time Order")
        browser.resize(*PICTURE)
        for index, track in enumerate(tracks):
            if "GPU execution" in track:
                self.show_track(index, len(expected))
                self.take_picture("%s-track-%d" % (name, index + 1))
        for problem in browser.problems:
            if not is_about_marks(problem):
                self.problems.append("%s: speedscope says: %s" % (name, problem))

    def list_scopes(self, wanted):
        """The rows, once they are those that are wanted, or do not become so."""
        for _ in range(100):
            shown = set(self.browser.ask(SCOPES))
            if shown == wanted:
                break
            self.browser.ask("new Promise(done => setTimeout(done, 50))")
        return shown

    def compare(self, name, what, shown, expected):
        if shown != expected:
            self.problems.append("%s: %s: missing %s, unexpected %s"
                                 % (name, what, sorted(expected - shown), sorted(shown - expected)))


def install(folder):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "install_speedscope.sh")
    code = subprocess.run([script, folder], check=False).returncode
    if code != 0:
        sys.exit(code)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="ludus-trace")
    parser.add_argument("--browser", required=True, help="Chromium; empty when there is none")
    parser.add_argument("--folder", required=True, help="for speedscope, exports and screenshots")
    parser.add_argument("--capture", required=True, help="one that has at least 20 frames")
    parser.add_argument("--gpu", required=True, help="a capture with calibrated passes of two queues")
    parser.add_argument("--odd-names", required=True, help="a program that writes a capture")
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder)
    if not os.access(arguments.browser, os.X_OK):
        print("there is no Chromium: '%s'" % arguments.browser)
        return SKIPPED
    install(os.path.join(folder, "speedscope"))
    odd = os.path.join(folder, "odd-names.lcap")
    subprocess.run([arguments.odd_names, odd], check=True)
    exports = (("whole", [arguments.capture]), ("window", [arguments.capture, "--frames", "10..12"]),
               ("odd-names", [odd]), ("gpu", [arguments.gpu]),
               ("gpu-window", [arguments.gpu, "--time", "9700us..13ms"]))
    page = "file://" + os.path.join(folder, "speedscope/package/dist/release/index.html")
    with Browser(arguments.browser) as browser:
        checker = Checker(browser, page, folder)
        for name, words in exports:
            path = os.path.join(folder, name + ".json")
            subprocess.run([arguments.program, "export", "--perfetto", *words, "-o", path],
                           check=True)
            try:
                checker.check(name, path)
            except BrowserError as problem:
                checker.problems.append("%s: %s; %s" % (name, problem, browser.problems))
    print("%d exports, %d problems; pictures are in %s"
          % (len(exports), len(checker.problems), folder))
    print("\n".join(checker.problems))
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
