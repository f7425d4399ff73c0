#!/usr/bin/env python3
"""Holds every answer about a capture whose last block but one is faulty in a way that only decoding
shows against the same about what is whole of it: check_late_damage.py PROGRAM.

The pass has shown most of the capture when it finds the fault, and begins anew with what it costs:
what was counted until then must not count twice, nor be missing."""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "second_reader"))
import capture_writer as w  # noqa: E402

BLOCKS = 14  # more than are decoded without threads
SPAN = 1000
NAMES = [b"Frame", b"Step", b"Wait", b"Job", b"Load", b"Ready", b"Spawned", b"Heap", b"Sent", b"wait",
         b"main", b"worker", b"game"]
SYMBOLS = [(w.BEGIN, 1, 0, 0), (w.BEGIN, 2, 0, 0), (w.BEGIN, 3, 0, 0), (w.BEGIN, 4, 0, 0),
           (w.INSTANT, 5, 0), (w.INSTANT, 6, 0), (w.COUNT, 7, 0), (w.GAUGE, 8, 0),
           (w.FLOW_OUT, 9, 0), (w.FLOW_IN, 9, 0)]


def events_of(number):
    """A frame of two tracks: nested and recursive scopes, marks, values, a flow between them."""
    at = number * SPAN + 10
    main = [(at, 1), (at + 10, 2), (at + 20, 2), (at + 30 + number, 0), (at + 60, 0),
            (at + 70, 5 + number % 2), (at + 80, 7, 1 + number), (at + 90, 8, 0.5 * number),
            (at + 100, 9, 1000 + number), (at + 110, 3), (at + 300 + 7 * number, 0), (at + 500, 0)]
    worker = [(at + 150, 4), (at + 160, 10, 1000 + number), (at + 170, 7, 2), (at + 400, 0)]
    return w.EventsPayload(SYMBOLS, [(1, len(main) * number, at, [], main),
                                     (2, len(worker) * number, at + 150, [], worker)],
                           first_event=number * (len(main) + len(worker)))


def make_capture():
    blocks = [(w.SESSION, w.session()), (w.CLOCK, w.clock(source=1, per_second=1000000000)),
              (w.STRINGS, w.strings(*[(i + 1, name) for i, name in enumerate(NAMES)])),
              (w.CATEGORIES, w.categories((1, 10, 0xFFFFFFFF, 1))),
              (w.SITES, w.sites(*[(i + 1, i + 1, 0, 0, i, 1 if i == 2 else 0) for i in range(9)])),
              (w.TRACKS, w.tracks((1, 1, 7, 0, 0, 11, 0), (2, 1, 8, 0, 0, 12, 0), clock=1)),
              (w.DOMAINS, w.domains((1, 13))),
              (w.FRAMES, w.frames(*[(1, 1, i, i * SPAN) for i in range(BLOCKS + 1)], clock=1))]
    for number in range(BLOCKS):
        payload = events_of(number)
        if number == BLOCKS - 2:
            payload.columns[3] = bytes([99]) + payload.columns[3][1:]  # a symbol that there is not
        blocks.append((w.EVENTS, payload.payload()))
    return w.capture(*blocks, (w.END, w.end(tick=BLOCKS * SPAN)))


PART = ["--window", "a=frames:0..%d" % (BLOCKS - 1), "--window", "b=marks:Load..Ready"]
COMMANDS = [["summarize", "--by", by, "--format", "json", *more]
            for by in ("site", "path", "category", "track", "counter", "mark", "flow")
            for more in ([], ["--attribute", "clip"], PART)]
COMMANDS += [["summarize", "--percentiles", "--union", "--format", "json"],
             ["summarize", "--union", "--by", "path", "--format", "json", *PART],
             ["tree", "--format", "json"], ["tree", "--per-track", "--format", "json", *PART],
             ["frames", "--format", "json"], ["frames", "--format", "json", *PART],
             ["frames", "--format", "json", "--attribute", "clip", "--site", "S*"],
             ["frames", "--explain", "3", "--format", "json"],
             ["frames", "--explain", str(BLOCKS - 2), "--format", "json"],
             ["export", "--perfetto"], ["export", "--perfetto", "--time", "2us..13us"],
             ["export", "--folded"], ["export", "--folded", "--per-track", *PART],
             ["export", "--csv"], ["export", "--csv", *PART]]
TABLES = ("slice", "instant", "counter_sample", "flow", "flow_out", "site_stats", "path_stats",
          "calls_per_frame", "frame", "stat_window")
COMMANDS += [["query", "SELECT * FROM " + table] for table in TABLES]


def answer(program, words, path):
    """What is said of a capture, but for facts of its file."""
    words = [words[0], path, *words[1:]]
    done = subprocess.run([program, *words], capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit("%s: exit code %d: %r" % (" ".join(words), done.returncode, done.stderr))
    text = done.stdout.decode()
    for fact in ("file_bytes", "capture_id", "capture", "damaged_places", "damaged_bytes"):
        text = re.sub(r'"%s":("[0-9a-f]*"|[0-9]+)' % fact, '"%s":0' % fact, text)
    return text


def main():
    program = os.path.abspath(sys.argv[1])
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        damaged, repaired = (os.path.join(folder, name) for name in ("a.lcap", "b.lcap"))
        with open(damaged, "wb") as file:
            file.write(make_capture())
        done = subprocess.run([program, "check", damaged, "--format", "csv", "--table", "faults"],
                              capture_output=True, check=False)
        if done.stdout.count(b"\n") != 2 or b"payload-value" not in done.stdout:
            raise SystemExit("one block is to be damaged: %r" % done.stdout)
        subprocess.run([program, "check", damaged, "--repair", "-o", repaired], check=True,
                       capture_output=True)
        for words in COMMANDS:
            before, after = (answer(program, words, path) for path in (damaged, repaired))
            if before != after:
                problems += 1
                different = [lines for lines in zip(before.splitlines(), after.splitlines())
                             if lines[0] != lines[1]]
                print("%s:\n  %s\n  %s" % (" ".join(words), *(different or [("more", "less")])[0]))
    print("%d answers, %d problems" % (len(COMMANDS), problems))
    return problems != 0


if __name__ == "__main__":
    sys.exit(main())
