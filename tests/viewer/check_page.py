#!/usr/bin/python3
"""Opens pages that `ludus-trace report` makes in a headless Chromium, and uses them as a person would.

Each page draws, asks nothing of the network, and breaks no rule of its own policy; no name in it is
markup. A click on a heading sorts, a click in the flame graph zooms and Escape goes back, arrow keys
move in the chart and in the flame graph, a choice of another window shows it. Nothing sticks out of a
phone's screen. A page of a large capture is small. Screenshots are kept: light, dark, and a phone's.
Skipped when there is no browser."""
import argparse
import os
import subprocess
import sys

from browser import Browser, BrowserError

SKIPPED = 77
WIDE, PHONE = 1280, 390  # pixels
MOST_BYTES = 2000000
DRAWN = "document.body && document.body.dataset.drawn == 'yes'"
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


def section(title):
    return "document.querySelector('section[aria-label=\"%s\"]')" % title


def column(title, number):
    return ("Array.from(%s.querySelectorAll('tbody tr')).map(row => row.children[%d].textContent)"
            % (section(title), number))


FLAMES = "Array.from(document.querySelectorAll('.flames button'))"
FOCUSED = "document.activeElement.textContent"
SAID = "document.querySelector('%s').closest('section').querySelector('.readout').textContent"


class Checker:
    def __init__(self, browser, program, folder):
        self.browser = browser
        self.program = program
        self.folder = folder
        self.problems = []
        self.name = ""

    def expect(self, is_right, what):
        if not is_right:
            self.problems.append("%s: %s" % (self.name, what))

    def open(self, name, *words):
        """Makes a page and opens it."""
        self.name = name
        path = os.path.join(self.folder, name + ".html")
        subprocess.run([self.program, "report", *words, "-o", path], check=True,
                       stderr=subprocess.DEVNULL)
        self.expect(os.path.getsize(path) < MOST_BYTES, "%d bytes" % os.path.getsize(path))
        browser = self.browser
        browser.set_color_scheme("light")
        browser.resize(WIDE, 900)
        browser.open("about:blank")
        browser.problems.clear()
        browser.refusals.clear()
        browser.requests.clear()
        browser.open("file://" + path)
        browser.wait(DRAWN, "page that is drawn: %s %s" % (browser.problems, browser.refusals))

    def end(self):
        """Takes pictures, and looks at what must hold of every page at the end."""
        browser = self.browser
        for name, width, scheme in (("light", WIDE, "light"), ("dark", WIDE, "dark"),
                                    ("phone", PHONE, "light")):
            browser.set_color_scheme(scheme)
            browser.resize(width, 900)
            browser.ask(PAINTED)
            self.expect(browser.ask("document.documentElement.scrollWidth") <= width,
                        "sticks out of a screen of %d pixels" % width)
            browser.resize(width, min(4000, browser.ask("document.documentElement.scrollHeight")))
            browser.ask(PAINTED)
            browser.screenshot(os.path.join(self.folder, "%s-%s.png" % (self.name, name)))
        self.expect(not browser.problems, "complaints: %s" % browser.problems)
        self.expect(not browser.refusals, "refusals: %s" % browser.refusals)
        self.expect(len(browser.requests) == 1, "asked for %s" % browser.requests)

    # --- pages ---

    def check_frames(self, capture):
        self.open("frames", capture, "--budget", "8ms")
        ask = self.browser.ask
        self.expect(ask("document.querySelectorAll('.chart .worst').length") >= 10,
                    "the longest frames are not marked")
        self.expect(ask("document.querySelectorAll('.chart .budget').length") == 1, "no budget line")
        self.expect(ask("document.querySelector('.banner') === null"), "a banner without a reason")
        self.check_sorting()
        self.check_chart()
        self.check_flames()
        self.end()

    def check_sorting(self):
        ask = self.browser.ask
        sites = ask(column("Sites", 0))
        heading = section("Sites") + ".querySelector('th button')"
        self.browser.point(heading, click=True)
        self.expect(ask(column("Sites", 0)) == sorted(sites), "sites are not sorted by name")
        self.browser.ask(heading + ".focus()")
        self.browser.press("Enter")
        self.expect(ask(column("Sites", 0)) == sorted(sites, reverse=True),
                    "sites are not sorted the other way by a key")
        self.expect(ask(section("Sites") + ".querySelector('th').ariaSort") == "descending",
                    "the heading does not say how it is sorted")

    def check_chart(self):
        ask, press = self.browser.ask, self.browser.press
        said = SAID % ".chart"
        ask("document.querySelector('.chart').focus()")
        press("ArrowRight")
        press("ArrowRight")
        self.expect(ask(said).startswith("Frame 1: "), "arrow keys in the chart: " + ask(said))
        press("Enter")
        longest = ask(column("The longest frames", 0))[0]
        self.expect(ask(said).startswith("Frame %s: " % longest), "Enter in the chart: " + ask(said))
        press("Escape")
        self.expect(not ask(said).startswith("Frame "), "Escape in the chart: " + ask(said))
        self.browser.point("document.querySelector('.chart')")
        self.expect(ask(said).startswith("Frame "), "the pointer in the chart: " + ask(said))

    def check_flames(self):
        ask, press = self.browser.ask, self.browser.press
        target = FLAMES + ".find(part => part.textContent == 'Simulation/Step')"
        whole = ask(FLAMES + ".length")
        self.browser.point(target)
        said = ask(SAID % ".flames")
        self.expect(said.startswith("Simulation/Step: inclusive ") and " calls per frame" in said
                    and "exclusive" in said, "the pointer in the flame graph: " + said)
        self.browser.point(target, click=True)
        self.expect(ask(target + ".style.width") == "100%", "a click does not zoom")
        self.expect(ask(FLAMES + ".length") < whole, "a click leaves what is beside")
        self.expect(ask(FOCUSED) == "Simulation/Step", "the focus is lost by a click")
        self.browser.screenshot(os.path.join(self.folder, "frames-zoomed.png"))
        press("ArrowDown")
        below = ask(FOCUSED)
        press("ArrowUp")
        self.expect(below not in ("", "Simulation/Step") and ask(FOCUSED) == "Simulation/Step",
                    "up and down in the flame graph: " + below)
        press("Escape")
        self.expect(ask(FOCUSED) == "Game/Frame", "Escape in the flame graph: " + ask(FOCUSED))
        press("ArrowLeft")
        press("Escape")
        self.expect(ask(FLAMES + ".length") == whole, "Escape does not show the whole tree")
        press("Enter")
        self.expect(ask(FOCUSED) == "(all tracks)", "Enter in the flame graph: " + ask(FOCUSED))

    def check_windows(self, capture):
        self.open("windows", capture, "--window", "early=frames:0..20", "--window", "late=frames:21..",
                  "--window", "start=time:0s..20ms")
        ask = self.browser.ask
        ask("(select => { select.selectedIndex = 1; select.dispatchEvent(new Event('change')); })"
            "(document.getElementById('window'))")
        self.expect("Window late" in ask("document.body.innerText"), "another window is not shown")
        self.expect(all(int(number) > 20 for number in ask(column("The longest frames", 0))),
                    "frames of another window")
        self.end()

    def check_gpu(self, capture):
        self.open("gpu", capture)
        self.expect(self.browser.ask("document.querySelectorAll('.chart .gpu').length") == 1,
                    "no GPU times in the chart")
        self.expect(self.browser.ask(section("GPU beside CPU") + " !== null"), "no GPU section")
        self.end()

    def check_losses(self, capture):
        self.open("losses", capture)
        banner = self.browser.ask("(document.querySelector('.banner.missing') || document.head)"
                                  ".innerText")
        self.expect("not finished" in banner and "not recorded" in banner,
                    "nobody is told what is missing: " + banner)
        self.expect(self.browser.ask("document.querySelector('.banner').getBoundingClientRect().top")
                    < 300, "the banner is far below")
        self.end()

    def check_names(self, capture):
        self.open("names", capture)
        names = self.browser.ask(FLAMES + ".map(part => part.textContent)")
        self.expect("</script><b>&amp;" in names, "a name with markup: %s" % names)
        self.expect('a "quoted" name' in names, "a name with quotes: %s" % names)
        self.expect(self.browser.ask("document.querySelectorAll('b, script:not([id])').length") == 1,
                    "a name is markup")
        self.end()

    def check_large(self, capture):
        self.open("large", capture)
        self.expect(self.browser.ask("document.getElementsByTagName('*').length") < 20000,
                    "too many elements")
        more = self.browser.ask(FLAMES + ".some(part => / more\\)/.test(part.textContent))")
        self.expect(more, "the flame graph does not say what is left out")
        self.end()

    def check_plain(self, capture):
        """One that has nothing in it."""
        self.open("plain", capture)
        self.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="ludus-trace")
    parser.add_argument("--browser", required=True, help="Chromium; empty when there is none")
    parser.add_argument("--folder", required=True, help="for pages and screenshots")
    parser.add_argument("--capture", required=True, help="one of arena, of 60 frames")
    parser.add_argument("--golden", required=True, help="the folder of valid golden captures")
    parser.add_argument("--odd-names", required=True, help="a program that writes a capture")
    parser.add_argument("--synthetic", required=True, help="a program that writes large ones")
    arguments = parser.parse_args()
    folder = os.path.abspath(arguments.folder)
    if not os.access(arguments.browser, os.X_OK):
        print("there is no Chromium: '%s'" % arguments.browser)
        return SKIPPED
    os.makedirs(folder, exist_ok=True)
    odd, large = (os.path.join(folder, name + ".lcap") for name in ("odd-names", "large"))
    for path in (odd, large):
        if os.path.exists(path):
            os.remove(path)
    subprocess.run([arguments.odd_names, odd], check=True)
    subprocess.run([arguments.synthetic, "--slices", "400000", "--sites", "60000", "--frames", "5000",
                    "-o", large], check=True)
    golden = lambda name: os.path.join(arguments.golden, name + ".lcap")
    with Browser(arguments.browser) as browser:
        browser.call("Network.enable")
        checker = Checker(browser, arguments.program, folder)
        for check, capture in ((checker.check_frames, arguments.capture),
                               (checker.check_windows, arguments.capture),
                               (checker.check_gpu, golden("gpu-game")),
                               (checker.check_losses, golden("everything")),
                               (checker.check_names, odd), (checker.check_large, large),
                               (checker.check_plain, golden("empty-session"))):
            try:
                check(capture)
            except BrowserError as problem:
                checker.problems.append("%s: %s; %s" % (checker.name, problem, browser.problems))
    print("%d problems; pictures are in %s" % (len(checker.problems), folder))
    print("\n".join(checker.problems))
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
