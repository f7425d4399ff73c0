"""What every page must do in a headless Chromium, whatever it shows: it draws, asks nothing of the
network, breaks no rule of its own policy, is small, and nothing of it sticks out of a screen."""
import os

from browser import Browser, BrowserError

SKIPPED = 77
WIDE, PHONE = 1280, 390  # pixels
MOST_BYTES = 2000000
DRAWN = "document.body && document.body.dataset.drawn == 'yes'"
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
FLAMES = "Array.from(document.querySelectorAll('.flames button'))"
FOCUSED = "document.activeElement.textContent"
SAID = "document.querySelector('%s').closest('section').querySelector('.readout').textContent"


def section(title):
    return "document.querySelector('section[aria-label=\"%s\"]')" % title


def column(title, number):
    """The texts of a column, without what stands below them."""
    return ("Array.from(%s.querySelectorAll('tbody tr')).map(row => row.children[%d].firstChild.textContent)"
            % (section(title), number))


class PageChecker:
    def __init__(self, browser, folder):
        self.browser = browser
        self.folder = folder
        self.problems = []
        self.name = ""

    def expect(self, is_right, what):
        if not is_right:
            self.problems.append("%s: %s" % (self.name, what))

    def path(self, name):
        self.name = name
        return os.path.join(self.folder, name + ".html")

    def open(self, path):
        """Opens a page that was made."""
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
            browser.ask("window.scrollTo(0, 0)")
            browser.resize(width, min(4000, browser.ask("document.documentElement.scrollHeight")))
            browser.ask(PAINTED)
            browser.screenshot(os.path.join(self.folder, "%s-%s.png" % (self.name, name)))
        self.expect(not browser.problems, "complaints: %s" % browser.problems)
        self.expect(not browser.refusals, "refusals: %s" % browser.refusals)
        self.expect(len(browser.requests) == 1, "asked for %s" % browser.requests)

    def check_sorting(self, title):
        """A table is sorted by its first column, by a click and the other way by a key."""
        ask = self.browser.ask
        names = ask(column(title, 0))
        heading = section(title) + ".querySelector('th button')"
        self.browser.point(heading, click=True)
        self.expect(ask(column(title, 0)) == sorted(names), title + " is not sorted by name")
        self.browser.ask(heading + ".focus()")
        self.browser.press("Enter")
        self.expect(ask(column(title, 0)) == sorted(names, reverse=True),
                    title + " is not sorted the other way by a key")
        self.expect(ask(section(title) + ".querySelector('th').ariaSort") == "descending",
                    "the heading does not say how it is sorted")

    def choose(self, select, index):
        """Chooses an entry of a list, as a person does."""
        self.browser.ask("(select => { select.selectedIndex = %d; select.dispatchEvent(new Event('change')); })"
                         "(%s)" % (index, select))


def run_checks(program, folder, make_checks):
    """Runs the checks that `make_checks` gives for a browser, each a function, and its checker; returns the
    exit code of the test."""
    if not os.access(program, os.X_OK):
        print("there is no Chromium: '%s'" % program)
        return SKIPPED
    os.makedirs(folder, exist_ok=True)
    with Browser(program) as browser:
        browser.call("Network.enable")
        checker, checks = make_checks(browser)
        for check in checks:
            try:
                check()
            except BrowserError as problem:
                checker.problems.append("%s: %s; %s" % (checker.name, problem, browser.problems))
    print("%d problems; pictures are in %s" % (len(checker.problems), folder))
    print("\n".join(checker.problems))
    return 1 if checker.problems else 0
