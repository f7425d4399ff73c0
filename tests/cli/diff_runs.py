#!/usr/bin/env python3
"""Writes captures of runs of a game, for tests of diff: diff_runs.py FOLDER writes those of
tests/golden/diff, of which tests/golden/diff/README.md works out what diff must say.

A run is frames of given lengths, and scopes at given times on given tracks. Times are in ns from the
session's start. Bytes are those of capture_writer.py: no compression, so they are the same
everywhere."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "second_reader"))
import capture_writer as w  # noqa: E402

START = 1000000  # tick of the session's start; a tick is a ns
NONE = 0xFFFFFFFF  # no colour
FACTS = {"program": "game", "build.flavor": "Release", "cpu.model": "Test 3000", "cpu.cores": "8",
         "cpu.governor": "performance", "os": "Linux"}


class Run:
    """number: of the recording, from 1 on, which also says when it was made."""

    def __init__(self, number, frame_ns, tracks=("main",), domain="frame", facts=None):
        self.number = number
        self.marks = [0]
        for length in frame_ns:
            self.marks.append(self.marks[-1] + length)
        self.numbers = None  # of the marks, where some are missing; or from 0 on
        self.domain = domain
        self.tracks = list(tracks)
        self.facts = {**FACTS, **(facts or {})}
        self.source = 1
        self.sites = {}  # (name, file, line, category): number, and so on
        self.categories = {}
        self.strings = {}
        self.events = {}  # by track: (time, kind, site, value)
        self.losses = []
        self.is_finished = True

    def _string(self, text):
        text = text if isinstance(text, bytes) else text.encode()
        return self.strings.setdefault(text, len(self.strings) + 1)

    def _site(self, place):
        """place: a name, or (name, file, line, category)."""
        place = place if isinstance(place, tuple) else (place, "game.c", 10, "")
        if place[3]:
            self.categories.setdefault(place[3], len(self.categories) + 1)
        return self.sites.setdefault(place, len(self.sites) + 1)

    def scope(self, place, begin, end, track=0, children=()):
        """children: more of them, each (place, begin, end) or (place, begin, end, children)."""
        events = self.events.setdefault(track, [])
        events.append((begin, w.BEGIN, self._site(place), None))
        for child in children:
            self.scope(*child[:3], track, child[3] if len(child) > 3 else ())
        events.append((end, 0, 0, None))
        return self

    def each_frame(self, place, offset, length, track=0, children=()):
        """The same in every frame, from `offset` after its mark on; children's times likewise."""
        for mark in self.marks[:-1]:
            moved = tuple((name, mark + begin, mark + end) for name, begin, end in children)
            self.scope(place, mark + offset, mark + offset + length, track, moved)
        return self

    def count(self, name, time, value, track=0):
        self.events.setdefault(track, []).append((time, w.COUNT, self._site(name), value))
        return self

    def gauge(self, name, time, value, track=0):
        self.events.setdefault(track, []).append((time, w.GAUGE, self._site(name), value))
        return self

    def lose(self, scopes, begin, end, track=0):
        self.losses.append((track + 1, 1, scopes, 0, 0, 0, 0, START + begin, START + end))
        return self

    # --- bytes ------------------------------------------------------------------------------------

    def _definitions(self):
        names = [(name, self._string(name)) for name in self.tracks]
        domain = self._string(self.domain)
        places = [(number, self._string(name), self._string(file), 0, line,
                   self.categories[category] if category else 0)
                  for (name, file, line, category), number in self.sites.items()]
        categories = [(number, self._string(name), NONE, int(name == "wait"))
                      for name, number in self.categories.items()]
        tracks = [(i + 1, 1, 70 + i, START, 0, text, 0) for i, (_, text) in enumerate(names)]
        yield w.STRINGS, w.strings(*[(number, text) for text, number in self.strings.items()])
        if categories:
            yield w.CATEGORIES, w.categories(*categories)
        if places:
            yield w.SITES, w.sites(*places)
        yield w.DOMAINS, w.domains((1, domain))
        if tracks:
            yield w.TRACKS, w.tracks(*tracks, clock=1)

    def _events(self):
        """A block for each track. Of events at one time those that were added first come first."""
        for track, events in sorted(self.events.items()):
            symbols, numbers, rows = [], {}, []
            for time, kind, site, value in sorted(events, key=lambda event: event[0]):
                if kind != 0 and (kind, site) not in numbers:
                    symbols.append((kind, site, 0, 0) if kind == w.BEGIN else (kind, site, 0))
                    numbers[kind, site] = len(symbols)
                row = (START + time, numbers[kind, site] if kind else 0)
                rows.append(row if value is None else row + (value,))
            segment = (track + 1, 0, rows[0][0], [], rows)
            yield w.EVENTS, w.EventsPayload(symbols, [segment]).payload()

    def blocks(self):
        facts = [(key.encode(), value.encode()) for key, value in self.facts.items() if value]
        yield w.SESSION, w.session(start=START, unix_ns=self.number * 10**12, facts=facts)
        yield w.CLOCK, w.clock(source=self.source, per_second=10**9)
        yield from self._definitions()
        if len(self.marks) > 1:
            numbers = self.numbers or range(len(self.marks))
            rows = [(1, 1, i, START + time) for i, time in zip(numbers, self.marks)]
            yield w.FRAMES, w.frames(*rows, clock=1)
        if self.losses:
            yield w.LOSSES, w.losses(*self.losses, clock=1)
        yield from self._events()
        if self.is_finished:
            last = max([self.marks[-1]] + [event[0] for events in self.events.values()
                                            for event in events])
            yield w.END, w.end(tick=START + last + 100)

    def data(self):
        capture = w.TAG + (self.number << 32)
        header = w.file_header(capture_id=capture)
        return header + w.capture(*self.blocks(), finished=self.is_finished)[len(header):]

    def write(self, folder, name):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(self.data())
        return path


# --- tests/golden/diff ----------------------------------------------------------------------------

def few(number, is_candidate):
    """Four frames, or five: the README works them out."""
    run = Run(number, [1000] * 4 if not is_candidate else [1100] * 4 + [1600], ("main", "worker"))
    step = ("Step", "physics.c", 30 + 4 * is_candidate, "Sim")
    for mark in run.marks[:-1]:
        at = mark + 100
        calls = 3 if is_candidate else 2
        children = [(step, at + 50 + 120 * i, at + 150 + 120 * i) for i in range(calls)]
        run.scope(("Update", "game.c", 10, "Sim"), at, at + 600, 0, children)
        run.scope(("Wait", "game.c", 20, "wait"), mark + 750, mark + 850)
        run.scope(("Job", "job.c", 5, ""), mark + 100, mark + (500 if is_candidate else 400), 1)
    name = "New" if is_candidate else "Old"
    run.scope((name, "game.c", 40, ""), 900, 980)
    run.count("draws", 950, 0)
    run.count("draws", run.marks[-1] - 10, 50 if is_candidate else 20)
    return run


def write_golden(folder):
    for name, number, is_candidate in (("base.lcap", 11, False), ("new.lcap", 12, True)):
        few(number, is_candidate).write(folder, name)
    for number in range(4):
        for name, step in (("base", 100), ("new", 110)):
            run = Run(1 + 2 * number + (name == "new"), [1000 + 2 * number] * 120)
            run.each_frame(("Step", "physics.c", 30, "Sim"), 100, step + number)
            run.each_frame(("Draw", "draw.c", 40, ""), 300, 200 + number)
            run.write(folder, "%s-%d.lcap" % (name, number + 1))


if __name__ == "__main__":
    write_golden(sys.argv[1])
