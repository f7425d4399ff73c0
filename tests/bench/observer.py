#!/usr/bin/env python3
"""The gate "observer": what recording does to the example game. Plays it without a recorder, with an
idle one, while recording, and, with --hitch, while keeping a rolling window; in rounds in which each
form plays the same frames once, in turn. A ratio is that of two runs of one round; shown are medians
over the rounds. The game without a recorder plays twice a round: noise is the 95th percentile of the
same ratios between those two, and of it follows how far a median may be off, which stands behind
the figure; a gate is "unsure" when that is more than its bound.

    observer.py BUILD [--quick] [--rounds N] [--folder FOLDER] [--clock monotonic|tsc]
                [--hitch OPTION-OF-ARENA-OR-NAME=VALUE]...

Frames follow each other at once: what is compared is the work of a frame, and nothing hides in
waiting."""

import argparse
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

MOST_P50 = 1.5  # per cent
MOST_P99_NOISE = 20.0  # per cent; with more, "within the noise" says nothing
MOST_DENSE_CPU_NS = 15.0  # a slice
MOST_DENSE_WALL = 4.0  # per cent


def nearest_rank(values, percent):
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


class Run:
    """One play of the game: its times, and how many slices were recorded and dropped."""

    def __init__(self, command, environment, folder):
        times = folder / "times.json"
        report = subprocess.run(command + ["--times", str(times)], env=environment, check=True,
                                capture_output=True, text=True).stdout
        figures = json.loads(times.read_text())
        frames = figures["frame_work_ns"]
        self.measures = {
            "p50": nearest_rank(frames, 50),
            "p99": nearest_rank(frames, 99),
            "max": max(frames),
            "wall": figures["wall_ns"],
            "cpu": figures["main_cpu_ns"] + figures["workers_cpu_ns"],
        }
        found = re.search(r"^checksum +(\w+)$", report, re.MULTILINE)
        self.checksum = found.group(1)
        self.recorded, self.dropped = (
            int(match.group(1)) if match else 0
            for match in (re.search(rf"^{word} +(\d+) scopes", report, re.MULTILINE)
                          for word in ("recorded", "dropped")))


def forms_of(options):
    """Name, program, further options and environment of each form of the game."""
    forms = [("plain", "arena_plain", False, [], {}), ("plain again", "arena_plain", False, [], {}),
             ("idle", "arena", False, [], {}), ("recording", "arena", True, [], {})]
    if options.hitch:
        arguments = [word for word in options.hitch if "=" not in word or word.startswith("-")]
        settings = dict(word.split("=", 1) for word in options.hitch if word not in arguments)
        forms.append(("hitch retention", "arena", True, arguments, settings))
    return forms


def play(options, form, dense):
    _, program, is_recorded, arguments, settings = form
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("LUDUS_")}
    environment.update(settings, LUDUS_CLOCK=options.clock)
    frames = options.dense_frames if dense else options.frames
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        command = [str(options.build / "examples" / program), "--frames", str(frames), *arguments]
        if dense:
            command.append("--dense")
        if is_recorded:
            command += ["--capture", str(folder / "observer.lcap")]
        return Run(command, environment, folder)


def play_rounds(options, dense):
    """Runs of each form by name. Every round begins with another form."""
    forms = forms_of(options)
    runs = {form[0]: [] for form in forms}
    for number in range(options.rounds):
        for place in range(len(forms)):
            form = forms[(number + place) % len(forms)]
            runs[form[0]].append(play(options, form, dense))
    checksums = {run.checksum for form in runs.values() for run in form}
    if len(checksums) != 1:
        raise SystemExit(f"observer: the forms did different work: {sorted(checksums)}")
    return runs


def per_cent(runs, form, measure, against="plain"):
    """How much more a form takes, in per cent, for each round."""
    return [100 * (run.measures[measure] / base.measures[measure] - 1)
            for run, base in zip(runs[form], runs[against])]


def noise_of(runs, measure):
    return nearest_rank([abs(value) for value in per_cent(runs, "plain again", measure)], 95)


def cpu_ns_per_slice(runs, form):
    """The same for the CPU time of the game's threads, in nanoseconds for each slice."""
    slices = statistics.median(run.recorded + run.dropped for run in runs["recording"])
    return [(run.measures["cpu"] - base.measures["cpu"]) / slices
            for run, base in zip(runs[form], runs["plain"])]


def margin_of(values):
    """Of the median of measures that spread like these, which are those of noise alone: half of the
    interval that it lies in nineteen times out of twenty, were they normal (there the median spreads
    a quarter more than the mean)."""
    return 1.25 * nearest_rank([abs(value) for value in values], 95) / math.sqrt(len(values))


def print_table(runs):
    measures = ("p50", "p99", "max", "wall", "cpu")
    print(f"  {'':16}" + "".join(f"{measure:>19}" for measure in measures))
    for form, plays in runs.items():
        cells = [f"{statistics.median(run.measures[measure] for run in plays) / 1e6:10.2f} ms"
                 + (f"{statistics.median(per_cent(runs, form, measure)):+5.1f}%"
                    if form != "plain" else f"{'':6}") for measure in measures]
        print(f"  {form:16}" + "".join(cells))
    print(f"  {'noise':16}"
          + "".join(f"{noise_of(runs, measure):18.1f}%" for measure in measures))


def gate(verdict, name, text):
    print(f"gate {verdict:6} {name:28} {text}", flush=True)


def judge(name, unit, values, noise, most):
    figure, margin = statistics.median(values), margin_of(noise)
    verdict = "unsure" if margin > most else "ok" if figure <= most else "over"
    gate(verdict, name, f"{figure:+.2f} (+- {margin:.2f}) {unit} (at most {most:.1f})")


def judge_usual(runs):
    for form in list(runs)[3:]:
        judge(f"observer, {form}, p50", "% of frame time", per_cent(runs, form, "p50"),
              per_cent(runs, "plain again", "p50"), MOST_P50)
        p99, noise = statistics.median(per_cent(runs, form, "p99")), noise_of(runs, "p99")
        verdict = "over" if p99 > noise else "unsure" if noise > MOST_P99_NOISE else "ok"
        gate(verdict, f"observer, {form}, p99",
             f"{p99:+.2f} % of frame time (within the noise of {noise:.2f})")


def judge_dense(runs):
    for form in list(runs)[3:]:
        judge(f"observer, {form}, dense", "ns of the game's CPU time a slice",
              cpu_ns_per_slice(runs, form), cpu_ns_per_slice(runs, "plain again"),
              MOST_DENSE_CPU_NS)
        judge(f"observer, {form}, dense", "% of wall time", per_cent(runs, form, "wall"),
              per_cent(runs, "plain again", "wall"), MOST_DENSE_WALL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--clock", default="tsc", choices=("monotonic", "tsc"))
    parser.add_argument("--hitch", action="append", default=[])
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 15)
    options.frames, options.dense_frames = (120, 60) if options.quick else (400, 200)
    for dense, judge_runs in ((False, judge_usual), (True, judge_dense)):
        frames = options.dense_frames if dense else options.frames
        print(f"observer: arena --frames {frames}{' --dense' if dense else ''}, {options.rounds} "
              f"rounds, clock {options.clock}", flush=True)
        runs = play_rounds(options, dense)
        last = runs["recording"][-1]
        print(f"  {last.recorded} slices recorded, {last.dropped} dropped")
        print_table(runs)
        judge_runs(runs)


if __name__ == "__main__":
    main()
