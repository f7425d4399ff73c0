#!/usr/bin/env python3
"""Holds the program against forged captures of some MB that define tens of thousands of one thing:
check_forged.py PROGRAM. What searches all of one kind for each of another takes the processor for
10 s to minutes, or makes gigabytes; what does not takes less than a second, or five where an answer
has 100,000 rows, and the limit lies between. A machine that is busy is slower by itself: what
exceeds the limit is measured again, beside work that is known."""

import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "second_reader"))
import capture_writer as w  # noqa: E402

SECONDS = 6
MOST_SECONDS = 60  # where a command is ended
TIMES_KNOWN_WORK = 20
MANY = 20000

CLOCK = (w.CLOCK, w.clock(source=1, per_second=1000000000))
SITE = [(w.STRINGS, w.strings((1, b"A"))), (w.SITES, w.sites((1, 1, 0, 0, 1, 0)))]
TRACKS = [(w.TRACKS, w.tracks(*[(i + 1, 1, i, i, 0, 0, 0) for i in range(MANY)], clock=1))]
SLICE = [(w.BEGIN, 1, 0, 0)]


def events(*segments, symbols=SLICE, clock=1):
    return w.EVENTS, w.EventsPayload(symbols, segments, clock=clock).payload()


ONE_SLICE = events((1, 0, 10, [], [(10, 1), (20, 0)]))


def domains(count):
    names = [(1000 + i, b"domain") for i in range(count)]
    return [(w.STRINGS, w.strings(*names)),
            (w.DOMAINS, w.domains(*[(i + 1, 1000 + i) for i in range(count)]))]


def marks(domain, count, step):
    return [(domain, 1, i, i * step) for i in range(count)]


def many_domains():
    rows = marks(1, 50000, 100) + [mark for i in range(1, MANY) for mark in marks(i + 1, 2, 500)]
    triggers = [(1, 1 + i % MANY, 200, 1, 100, 50, b"", 0) for i in range(MANY)]
    return [CLOCK, *SITE, *domains(MANY), (w.FRAMES, w.frames(*rows, clock=1)),
            (w.TRIGGERS, w.triggers(*triggers, clock=1)), ONE_SLICE, (w.END, w.end(tick=10**7))]


def many_clocks():
    clocks = [(w.CLOCK, w.clock(number=MANY - i, source=2)) for i in range(MANY)]
    slices = [events((1, 2 * i, 10 + i, [], [(10 + i, 1), (10 + i, 0)]), clock=i + 1)
              for i in range(0, MANY, 4)]
    return [*clocks, *SITE, *slices, (w.END, w.end(tick=10**7))]


def many_losses_of_any_track():
    losses = [(0, 1, 1, 0, 0, 0, 0, i * 50, i * 50 + 1) for i in range(100000)]
    slices = [events(*[(i + 1, 0, 10 + i, [], [(10 + i, 1), (20 + i, 0)]) for i in range(MANY)])]
    return [CLOCK, *SITE, *TRACKS, (w.LOSSES, w.losses(*losses, clock=1)), *domains(1),
            (w.FRAMES, w.frames(*marks(1, 50000, 100), clock=1)), *slices,
            (w.END, w.end(tick=10**7))]


def many_losses_and_domains():
    """Losses of each track and of none known, and many domains of which each frame asks for them."""
    losses = [(i % MANY if i % 10 else 0, 1, 1, 0, 0, 0, 1, i * 5, i * 5 + 7) for i in range(40000)]
    rows = [mark for i in range(5000) for mark in marks(i + 1, 3, 100)]
    slices = [events(*[(i + 1, 0, 10 + i, [], [(10 + i, 1), (20 + i, 0)]) for i in range(MANY)])]
    return [CLOCK, *SITE, *TRACKS, *domains(5000), (w.FRAMES, w.frames(*rows, clock=1)),
            (w.LOSSES, w.losses(*losses, clock=1)), *slices, (w.END, w.end(tick=10**7))]


def many_losses_of_all_time():
    """Each track lost something all the time, and as much was lost of none known."""
    own = [(i + 1, 1, 1, 0, 0, 0, 0, 1, 10**6) for i in range(MANY)]
    any_ = [(0, 1, 1, 0, 0, 0, 0, i * 50, i * 50 + 1) for i in range(MANY)]
    slices = [events(*[(i + 1, 0, 10 + i, [], [(10 + i, 1), (20 + i, 0)]) for i in range(MANY)])]
    return [CLOCK, *SITE, *TRACKS, (w.LOSSES, w.losses(*own, *any_, clock=1)),
            *one_domain(50000, 20), *slices, (w.END, w.end(tick=10**7))]


def many_categories():
    names = [(10 + i, b"category") for i in range(MANY)]
    return [CLOCK, *SITE, (w.STRINGS, w.strings(*names)),
            (w.CATEGORIES, w.categories(*[(i + 1, 10 + i, 0xFFFFFFFF, 0) for i in range(MANY)])),
            (w.SITES, w.sites(*[(10 + i, 1, 0, 0, i, 1 + i % MANY) for i in range(150000)])),
            ONE_SLICE, (w.END, w.end(tick=10**7))]


def deep_chain():
    count = 30000
    return [CLOCK, *SITE, (w.SITES, w.sites(*[(10 + i, 1, 0, 0, i, 0) for i in range(count)])),
            *domains(1), (w.FRAMES, w.frames(*marks(1, 100, 1000), clock=1)),
            events((1, 0, 10, [], [(10 + i, 1 + i) for i in range(count)]),
                   symbols=[(w.BEGIN, 10 + i, 0, 0) for i in range(count)]),
            (w.END, w.end(tick=10**6))]


def one_domain(count, step):
    return [*domains(1), (w.FRAMES, w.frames(*marks(1, count, step), clock=1))]


def many_damaged_blocks():
    """Each second one is faulty, so that nobody knows what of which track is lost."""
    blocks = []
    for i in range(1000):
        block = events((1 + i, 0, 10 + 5 * i, [], [(10 + 5 * i, 1), (11 + 5 * i, 0)]))
        blocks.append(block if i % 2 else block + ({"payload_crc": 1},))
    return [CLOCK, *SITE, *TRACKS, *one_domain(10000, 10), *blocks, (w.END, w.end(tick=10**7))]


def many_counters():
    names = [(w.SITES, w.sites(*[(10 + i, 1, 0, 0, i, 0) for i in range(60000)]))]
    symbols = [(w.COUNT, 10 + i, 0) for i in range(60000)]
    counts = [events(*[(t + 1, 3 * k, 10 + 10000 * k, [],
                        [(10 + 10000 * k, 1 + (i * 7 + t) % 60000, 1) for i in range(3)])
                       for t in range(MANY)], symbols=symbols) for k in range(2)]
    return [CLOCK, *SITE, *TRACKS, *names, *one_domain(10000, 10), *counts,
            (w.END, w.end(tick=10**7))]


def deep_chain_of_one_site():
    count = 30000
    return [CLOCK, *SITE, *TRACKS, *one_domain(100, 1000),
            events((1, 0, 10, [], [(10 + i, 1) for i in range(count)])),
            events((1, count, 80000, [(1, 10 + i, 0) for i in range(count)],
                    [(80000 + i, 0) for i in range(count)])), (w.END, w.end(tick=10**6))]


def many_sites_in_many_frames():
    """Each frame has some sites of its own."""
    count = 60000
    slices = [event for i in range(count // 2)
              for event in ((10 + 10 * i, 1 + i), (14 + 10 * i, 0))]
    return [CLOCK, *SITE, (w.SITES, w.sites(*[(10 + i, 1, 0, 0, i, 0) for i in range(count)])),
            *one_domain(10000, 30),
            events((1, 0, 10, [], slices), symbols=[(w.BEGIN, 10 + i, 0, 0) for i in range(count)]),
            (w.END, w.end(tick=10**6))]


def gpu_pass(i, track=1, site=1, begin=0, duration=1, submit=10):
    return (track, site, i % 3, 1, 1, 1, 0, 0, i, duration, begin, submit, submit)


def gpu_samples(passes, frames=()):
    """Blocks of so many as a block may have."""
    return [*[(w.GPU_PASSES, w.gpu_passes(*passes[i:i + 40000], clock=1))
              for i in range(0, len(passes), 40000)],
            *[(w.GPU_FRAMES, w.gpu_frames(*frames[i:i + 40000], clock=1))
              for i in range(0, len(frames), 40000)]]


def many_gpu_queues():
    """Each with passes and counts of outcomes that there are not, the last ones first."""
    queues = [(i + 1, i, 64, 0, 10**6, b"b", b"d", b"q", b"", b"") for i in range(MANY)]
    counts = [(MANY - i // 4, 4 - i % 4, 99 - i % 7, 0, i + 1) for i in range(4 * MANY)]
    passes = [gpu_pass(i, track=1 + i % MANY, begin=i, submit=i) for i in range(2 * MANY)]
    frames = [(1 + i % MANY, 1, 1, 0, i, 5, i, i, i, 0) for i in range(2 * MANY)]
    readings = [(1 + i % MANY, i % 9 + 1, 0, 0, i, 0, 1, 0, 1, 0) for i in range(2 * MANY)]
    return [CLOCK, *SITE, *TRACKS, (w.GPU_QUEUES, w.gpu_queues(*queues)),
            *[(w.GPU_COUNTS, w.gpu_counts(*counts[i:i + 40000]))
              for i in range(0, len(counts), 40000)], *one_domain(10000, 10),
            *gpu_samples(passes, frames),
            (w.GPU_CALIBRATIONS, w.gpu_calibrations(*readings)), (w.END, w.end(tick=10**7))]


def many_gpu_passes():
    """Each of a site of its own, all of them at the same time, and as long as can be."""
    names = [(w.SITES, w.sites(*[(10 + i, 1, 0, 0, i, 0) for i in range(MANY)]))]
    passes = [gpu_pass(i, site=10 + i % MANY, begin=-2**62 + i, duration=2**63 - 1, submit=1000)
              for i in range(3 * MANY)]
    return [CLOCK, *SITE, *TRACKS, *names, *one_domain(10000, 10), *gpu_samples(passes),
            (w.END, w.end(tick=10**7))]


CAPTURES = [many_gpu_queues, many_gpu_passes,
            many_damaged_blocks, many_counters, deep_chain_of_one_site, many_sites_in_many_frames,
            many_domains, many_clocks, many_losses_of_any_track, many_categories, deep_chain,
            many_losses_and_domains, many_losses_of_all_time]
# The richest way of each: what a plainer one does, it does as well.
COMMANDS = [["info"], ["summarize", "--attribute", "clip"],
            ["tree", "--per-track", "--format", "csv"],
            ["frames", "--worst", "5000", "--top", "0", "--format", "json"],
            ["frames", "--explain", "1"], ["diff", "forged.lcap", "--min-frames", "1"],
            ["diff", "forged.lcap", "--min-frames", "1", "--by", "path", "--format", "json"],
            ["export", "--perfetto"], ["export", "--folded"], ["top"],
            ["summarize", "--gpu", "--window", "a=time:..1ms", "--window", "b=time:0.."],
            ["trim", "--time", "1us..500us", "-o", "part.lcap"], ["import", "-o", "capture.db"]]


def known_work():
    """A capture whose import is as much work on any day: half a second when nothing else runs."""
    slices = [event for i in range(300000) for event in ((10 + 10 * i, 1), (14 + 10 * i, 0))]
    return [CLOCK, *SITE, *one_domain(10000, 300),
            *[events((1, i, slices[i][0], [], slices[i:i + 20000]))
              for i in range(0, len(slices), 20000)], (w.END, w.end(tick=10**7))]


def write(path, blocks):
    with open(path, "wb") as file:
        file.write(w.capture((w.SESSION, w.session()), *blocks))


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program, words, folder):
    """The exit code, and the seconds of the processor."""
    before = processor_seconds()
    code = subprocess.run([program, *words], cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, preexec_fn=limit, check=False).returncode
    return code, processor_seconds() - before


def is_slow(program, words, folder):
    """Whether it is, beside known work."""
    write(os.path.join(folder, "known.lcap"), known_work())
    for _ in range(3):
        known = run(program, ["import", "known.lcap", "-o", "known.db"], folder)[1]
        seconds = run(program, words, folder)[1]
        if seconds < max(SECONDS, TIMES_KNOWN_WORK * known):
            return False
    return True


def problem_of(program, words, folder):
    """None when there is none."""
    code, seconds = run(program, words, folder)
    if code not in (0, 2, 3):
        return "exit code %d" % code
    if seconds > SECONDS and is_slow(program, words, folder):
        return "%.1f s" % seconds
    return None


def main():
    program = os.path.abspath(sys.argv[1])
    problems = 0
    for make in CAPTURES:
        with tempfile.TemporaryDirectory() as folder:
            write(os.path.join(folder, "forged.lcap"), make())
            for words in COMMANDS:
                problem = problem_of(program, [words[0], "forged.lcap", *words[1:]], folder)
                if problem:
                    problems += 1
                    print("%s: %s: %s" % (make.__name__, " ".join(words), problem))
    print("%d captures, %d problems" % (len(CAPTURES), problems))
    return problems != 0


if __name__ == "__main__":
    sys.exit(main())
