#!/usr/bin/python3
"""Opens pages that `ludus-trace diff --report` makes in a headless Chromium, and uses them as a person who was
told that a merge was blocked.

The verdict stands on top in words. Tables sort by name, and findings by gravity; a choice of another run, in the list
or on the strip of runs, draws its frames; keys move in the chart and in the flame graphs, which zoom, and whose
widths are of the side that is chosen. What is slower, faster, new or gone is told without colours. Sides that
cannot be compared, one run a side, GPU work and odd names have pages, too. Skipped when there is no browser."""
import argparse
import functools
import os
import subprocess
import sys

from page_checker import FLAMES, FOCUSED, SAID, PageChecker, column, run_checks, section

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from diff_runs import Run  # noqa: E402

RUNS, FRAMES = 5, 120
US, MS = 1000, 1000000
ODD_NAMES = ("</script><b>&amp;", 'a "quoted" name', "two\nlines", "__proto__", "a > b")
CHART = SAID % ".chart"


def game(number, is_candidate, facts=None):
    """A run in which the candidate's physics are slower, its drawing is faster, and one scope is another."""
    noise = lambda i: (i * 7919 + number * 104729) % 100 * US  # below 0.1 ms
    lengths = [10 * MS + (2 * MS if is_candidate else 0) + noise(i) for i in range(FRAMES)]
    lengths[37 + number % 3] = 40 * MS
    run = Run(number, lengths, ("main", "worker"),
              facts=facts or {"build.commit": ("c0ffee" if is_candidate else "ba5e") + 34 * "0"})
    physics = 6 * MS if is_candidate else 3 * MS
    draw = 2 * MS if is_candidate else 3 * MS
    for i, mark in enumerate(run.marks[:-1]):
        own = "Added" if is_candidate else "Removed"
        run.scope(("Game/Frame", "game.c", 10, "Game"), mark, mark + (11500 if is_candidate else 9500) * US, 0, (
            (("Physics/Step", "physics.c", 20, "Physics"), mark, mark + physics + noise(i) // 10),
            (("Render/Draw", "render.c", 30, "Render"), mark + 6200 * US, mark + 6200 * US + draw,
             ((("Tile", "render.c", 40, "Render"), mark + 6300 * US, mark + 6900 * US),)),
            ((own, "game.c", 50, "Game"), mark + 9200 * US, mark + 9500 * US)))
        run.scope(("Idle", "game.c", 60, "wait"), mark, mark + 5 * MS, 1)
    return run


def odd(number, is_candidate):
    run = Run(number, [10 * MS] * 20)
    for mark in run.marks[:-1]:
        for i, name in enumerate(ODD_NAMES):
            run.scope((name, "a<b>.c", 1 + i, "<i>"), mark + i * MS, mark + (i + 1) * MS - (0 if is_candidate else 1000))
    return run


class Checker(PageChecker):
    def __init__(self, browser, folder, program):
        super().__init__(browser, folder)
        self.program = program

    def save(self, name, run):
        path = os.path.join(self.folder, name + ".lcap")
        with open(path, "wb") as file:
            file.write(run.data())
        return path

    def sides(self, name, make, runs):
        """Captures of the base and of the candidate, recorded in turns."""
        return [[self.save("%s-%s-%d" % (name, side, i), make(2 * i + is_candidate + 1, is_candidate))
                 for i in range(runs)] for is_candidate, side in enumerate(("base", "new"))]

    def make(self, name, base, candidate, *words, code=0):
        """Makes a page and opens it."""
        path = self.path(name)
        done = subprocess.run([self.program, "diff", *base, "--to", *candidate, *words, "--report", path],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.expect(done.returncode == code, "exit code %d: %s" % (done.returncode, done.stderr))
        self.open(path)

    def see_verdict(self, word, *texts):
        box = section("Verdict")
        seen = self.browser.ask(box + ".innerText")
        self.expect(word in seen, "the verdict is not there in words: " + seen)
        self.expect(self.browser.ask(box + ".getBoundingClientRect().top") < 200, "the verdict is far below")
        for text in texts:
            self.expect(text in seen, "the verdict does not say %s: %s" % (text, seen))

    # --- a blocked merge ---

    def check_blocked(self):
        base, candidate = self.sides("blocked", game, RUNS)
        budget = os.path.join(self.folder, "budget.json")
        with open(budget, "w") as file:
            file.write('{"scopes": {"Physics/Step": {"calls_per_frame": 0.5}}}')
        self.make("blocked", base, candidate, "--config", budget, code=1)
        ask = self.browser.ask
        self.see_verdict("Fail", "Physics/Step", "1 improvement", "exceeded budget", "permutation test")
        self.expect(ask("document.getElementById('program').textContent") == "ba5e00000000 \u2192 c0ffee000000",
                    "the sides have not the names of their commits")
        changes = ask(section("What changed") + ".innerText")
        self.expect("physics.c:20" in changes and "99.8 % slower calls" in changes, "what changed, and where: " + changes)
        self.expect("exceeded" in ask(section("Budgets") + ".innerText"), "no exceeded budget")
        self.check_sorting("What changed")
        self.check_gravity()
        self.check_chart()
        self.check_runs()
        self.check_flames()
        self.end()

    def check_gravity(self):
        """By finding what is worst comes first, not what is first in the alphabet."""
        heading = ("Array.from(%s.querySelectorAll('th button')).find(button => button.textContent == 'finding')"
                   % section("What changed"))
        ask = self.browser.ask
        self.browser.point(heading, click=True)
        findings = "Array.from(%s.querySelectorAll('.finding')).map(part => part.lastChild.textContent)"
        found = ask(findings % section("What changed"))
        self.expect(found[0] == "regression" and found[-1] == "improvement", "findings by gravity: %s" % found)

    def check_chart(self):
        ask, press = self.browser.ask, self.browser.press
        ask("document.querySelector('.chart').focus()")
        press("ArrowRight")
        said = ask(CHART)
        self.expect(said.startswith("Base: frame 0, 10.0") and "Candidate: frame 0, 12.0" in said,
                    "arrow keys in the chart: " + said)
        press("Enter")
        self.expect("frame 39, 40.00 ms, a hitch." in ask(CHART), "Enter in the chart: " + ask(CHART))
        press("Escape")
        self.expect(ask(CHART).startswith("Point at"), "Escape in the chart: " + ask(CHART))
        self.browser.point("document.querySelector('.chart')")
        self.expect(ask(CHART).startswith("Base: frame"), "the pointer in the chart: " + ask(CHART))
        self.expect(ask("document.querySelectorAll('.chart path.of-base').length") >= 1
                    and ask("document.querySelectorAll('.chart path.of-candidate').length") >= 1,
                    "the longest frames are not marked")
        scale = "document.querySelector('.chart text').parentNode.querySelectorAll('.grid').length"
        line = "document.querySelector('.chart .budget').getAttribute('y1')"
        lines, limit = ask(scale), ask(line)
        self.browser.point("document.querySelector('input[type=checkbox]')", click=True)
        self.expect(float(ask(line)) < float(limit), "long frames are not cut off: %s" % lines)

    def check_runs(self):
        """Another run of the base has its long frame elsewhere; a click on a dot chooses as the list does."""
        ask = self.browser.ask
        selects = "document.querySelectorAll('.choices select')"
        drawn = "document.querySelector('.candidate-line').getAttribute('d')"
        before = ask(drawn)
        place = ask(selects + "[1].selectedIndex")
        self.choose(selects + "[1]", (place + 1) % RUNS)
        self.expect(ask(drawn) != before, "another run is not drawn")
        dots = "Array.from(document.querySelectorAll('.strip .dot.of-candidate'))"
        self.expect(ask(dots + ".length") == RUNS, "not all runs are on the strip")
        self.browser.point("%s[%d]" % (dots, place), click=True)
        self.expect(ask(drawn) == before and ask(selects + "[1].selectedIndex") == place,
                    "a click on a run does not choose it")
        self.expect(ask("%s[%d].ariaPressed" % (dots, place)) == "true", "the chosen run is not marked")
        order = ask("Array.from(document.querySelectorAll('.strip .dot')).map(dot => dot.classList[1])")
        self.expect(order == ["of-base", "of-candidate"] * RUNS, "runs in the order of recording: %s" % order)

    def check_flames(self):
        ask, press = self.browser.ask, self.browser.press
        names = FLAMES + ".map(part => part.textContent)"
        target = FLAMES + ".find(part => part.textContent.endsWith('Physics/Step'))"
        seen = ask(names)
        for name in ("\u25b2 Physics/Step", "\u25bc Render/Draw", "\u25b2 Added (new)"):
            self.expect(name in seen, "%s is not among %s" % (name, seen))
        self.expect(ask(target + ".classList.contains('found')"), "a regression is not framed")
        self.expect("slower-3" in ask(target + ".className"), "how much slower: " + ask(target + ".className"))
        self.browser.point(target)
        said = ask(SAID % ".flames")
        self.expect(said.startswith("Physics/Step: exclusive 3.00") and " \u2192 6.00" in said
                    and "found: regression" in said and "1.00 \u2192 1.00" in said,
                    "the pointer in the flame graph: " + said)
        self.expect("Idle" in seen and ask(FLAMES + ".find(part => part.textContent == 'Idle').className") == "waiting",
                    "other tracks have no graph of their own")
        self.check_widths(names)
        self.browser.point(target, click=True)
        self.expect(ask(target + ".style.width") == "100%", "a click does not zoom")
        self.browser.screenshot(os.path.join(self.folder, "blocked-zoomed.png"))
        press("Escape")
        self.expect(ask(FOCUSED) == "Game/Frame", "Escape in the flame graph: " + ask(FOCUSED))
        press("ArrowDown")
        self.expect(ask(FOCUSED) == "\u25b2 Physics/Step", "down in the flame graph: " + ask(FOCUSED))
        press("Escape")
        self.expect(ask(FOCUSED) == "(the track that marks the frames)", "Escape at the top: " + ask(FOCUSED))

    def check_widths(self, names):
        """A scope of one side alone has a width on that side, and in what is the larger of both."""
        ask = self.browser.ask
        select = section("Caller contexts") + ".querySelector('select')"
        new, gone = "\u25b2 Added (new)", "\u25bc Removed (gone)"
        for index, expected in ((1, (False, True)), (2, (True, True)), (0, (True, False))):
            self.choose(select, index)
            seen = ask(names)
            self.expect((new in seen, gone in seen) == expected, "widths of kind %d: %s" % (index, seen))

    # --- other comparisons ---

    def check_paths(self):
        base, candidate = self.sides("paths", game, RUNS)
        self.make("paths", base, candidate, "--by", "path", code=1)
        ask = self.browser.ask
        self.expect("Physics/Step" in ask(column("What changed", 0)), "the scope's own name does not stand alone")
        self.expect("Game/Frame \u00b7 physics.c:20" in ask(section("What changed") + ".innerText"), "callers are not below")
        self.end()

    def check_pass(self):
        base, _ = self.sides("pass", game, 2 * RUNS)
        self.make("pass", base[::2], base[1::2])
        self.see_verdict("Pass", "0 regressions")
        self.expect("Nothing changed" in self.browser.ask(section("What changed") + ".innerText"), "what changed")
        self.end()

    def check_one_run(self, golden):
        self.make("one-run", [os.path.join(golden, "base.lcap")], [os.path.join(golden, "new.lcap")],
                  "--min-frames", "4", code=1)
        self.see_verdict("Fail", "Step", "insufficient for times")
        self.expect(self.browser.ask("document.querySelector('.strip') === null"), "a strip of two runs")
        self.end()

    def check_incomparable(self):
        base = self.save("other-machine", game(1, False, {"cpu.model": "Other"}))
        candidate = self.save("this-machine", game(2, True))
        self.make("incomparable", [base], [candidate], code=3)
        self.see_verdict("Not comparable", "the CPU model differs")
        self.expect(self.browser.ask(section("What changed") + " === null"), "changes of what cannot be compared")
        self.end()

    def check_gpu(self, capture):
        self.make("gpu-sides", [capture], [capture], "--min-frames", "5")
        self.expect("Shadows" in self.browser.ask(column("GPU", 0)), "no GPU passes")
        self.expect("one recording" in self.browser.ask("document.querySelector('.banner').innerText"),
                    "warnings are not there")
        self.end()

    def check_names(self):
        base, candidate = self.sides("odd", odd, 1)
        self.make("odd-sides", base, candidate, "--min-frames", "5")
        names = self.browser.ask(FLAMES + ".map(part => part.textContent.replace(/^[\u25b2\u25bc] /, ''))")
        for name in ODD_NAMES:
            self.expect(name.replace("\n", "\\n") in names, "the name %r: %s" % (name, names))
        rows = self.browser.ask(column("Scopes on the track that marks the frames", 0))
        self.expect("a > b" in rows, "a name that looks like a path is taken for one: %s" % rows)
        self.expect(self.browser.ask("document.querySelectorAll('b, main i:not([class]), script:not([id])').length") == 1,
                    "a name is markup")
        self.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="ludus-trace")
    parser.add_argument("--browser", required=True, help="Chromium; empty when there is none")
    parser.add_argument("--folder", required=True, help="for captures, pages and screenshots")
    parser.add_argument("--golden", required=True, help="the folder of golden captures")
    arguments = parser.parse_args()
    golden = functools.partial(os.path.join, arguments.golden)

    def make_checks(browser):
        checker = Checker(browser, os.path.abspath(arguments.folder), arguments.program)
        return checker, [checker.check_blocked, checker.check_paths, checker.check_pass,
                         functools.partial(checker.check_one_run, golden("diff")), checker.check_incomparable,
                         functools.partial(checker.check_gpu, golden("valid", "gpu-game.lcap")), checker.check_names]

    return run_checks(arguments.browser, os.path.abspath(arguments.folder), make_checks)


if __name__ == "__main__":
    sys.exit(main())
