#!/usr/bin/python3
"""Opens pages that `ludus-trace report` makes in a headless Chromium, and uses them as a person would.

Each page draws, asks nothing of the network, and breaks no rule of its own policy; no name in it is
markup. A click on a heading sorts, a click in the flame graph zooms and Escape goes back, arrow keys
move in the chart and in the flame graph, a choice of another window shows it. Nothing sticks out of a
phone's screen. A page of a large capture is small. Screenshots are kept: light, dark, and a phone's.
Skipped when there is no browser."""
import argparse
import functools
import os
import subprocess
import sys

from page_checker import FLAMES, FOCUSED, SAID, PageChecker, column, run_checks, section


class Checker(PageChecker):
    def __init__(self, browser, folder, program):
        super().__init__(browser, folder)
        self.program = program

    def make(self, name, *words):
        """Makes a page and opens it."""
        path = self.path(name)
        subprocess.run([self.program, "report", *words, "-o", path], check=True,
                       stderr=subprocess.DEVNULL)
        self.open(path)

    def check_frames(self, capture):
        self.make("frames", capture, "--budget", "8ms")
        ask = self.browser.ask
        self.expect(ask("document.querySelectorAll('.chart .worst').length") >= 10,
                    "the longest frames are not marked")
        self.expect(ask("document.querySelectorAll('.chart .budget').length") == 1, "no budget line")
        self.expect(ask("document.querySelector('.banner') === null"), "a banner without a reason")
        self.check_sorting("Sites")
        self.check_chart()
        self.check_flames()
        self.end()

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
        self.make("windows", capture, "--window", "early=frames:0..20", "--window", "late=frames:21..",
                  "--window", "start=time:0s..20ms")
        ask = self.browser.ask
        self.choose("document.getElementById('window')", 1)
        self.expect("Window late" in ask("document.body.innerText"), "another window is not shown")
        self.expect(all(int(number) > 20 for number in ask(column("The longest frames", 0))),
                    "frames of another window")
        self.end()

    def check_gpu(self, capture):
        self.make("gpu", capture)
        self.expect(self.browser.ask("document.querySelectorAll('.chart .gpu').length") == 1,
                    "no GPU times in the chart")
        self.expect(self.browser.ask(section("GPU beside CPU") + " !== null"), "no GPU section")
        self.end()

    def check_losses(self, capture):
        self.make("losses", capture)
        banner = self.browser.ask("(document.querySelector('.banner.missing') || document.head)"
                                  ".innerText")
        self.expect("not finished" in banner and "not recorded" in banner,
                    "nobody is told what is missing: " + banner)
        self.expect(self.browser.ask("document.querySelector('.banner').getBoundingClientRect().top")
                    < 300, "the banner is far below")
        self.end()

    def check_names(self, capture):
        self.make("names", capture)
        names = self.browser.ask(FLAMES + ".map(part => part.textContent)")
        self.expect("</script><b>&amp;" in names, "a name with markup: %s" % names)
        self.expect('a "quoted" name' in names, "a name with quotes: %s" % names)
        self.expect(self.browser.ask("document.querySelectorAll('b, script:not([id])').length") == 1,
                    "a name is markup")
        self.end()

    def check_large(self, capture):
        self.make("large", capture)
        self.expect(self.browser.ask("document.getElementsByTagName('*').length") < 20000,
                    "too many elements")
        more = self.browser.ask(FLAMES + ".some(part => / more\\)/.test(part.textContent))")
        self.expect(more, "the flame graph does not say what is left out")
        self.end()

    def check_plain(self, capture):
        """One that has nothing in it."""
        self.make("plain", capture)
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

    def make_checks(browser):
        odd, large = (os.path.join(folder, name + ".lcap") for name in ("odd-names", "large"))
        for path in (odd, large):
            if os.path.exists(path):
                os.remove(path)
        subprocess.run([arguments.odd_names, odd], check=True)
        subprocess.run([arguments.synthetic, "--slices", "400000", "--sites", "60000", "--frames", "5000",
                        "-o", large], check=True)
        golden = lambda name: os.path.join(arguments.golden, name + ".lcap")
        checker = Checker(browser, folder, arguments.program)
        return checker, [functools.partial(check, capture) for check, capture in (
            (checker.check_frames, arguments.capture), (checker.check_windows, arguments.capture),
            (checker.check_gpu, golden("gpu-game")), (checker.check_losses, golden("everything")),
            (checker.check_names, odd), (checker.check_large, large),
            (checker.check_plain, golden("empty-session")))]

    return run_checks(arguments.browser, folder, make_checks)


if __name__ == "__main__":
    sys.exit(main())
