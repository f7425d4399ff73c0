"""Random runs of two sides, and what comparisons of them are asked."""

import diff_runs

QUESTIONS = (
    [],
    ["--by", "path"],
    ["--attribute", "clip", "--window", "frames:1.."],
    ["--site", "*a*", "--track", "main"],
)


def random_children(rng, begin, end, depth):
    children = []
    while depth > 0 and end - begin > 60 and rng.random() < 0.7:
        first = rng.randrange(begin, begin + (end - begin) // 3)
        last = rng.randrange(first, begin + (end - begin) * 2 // 3 + 1)
        children.append((random_site(rng), first, last,
                         random_children(rng, first, last, depth - 1)))
        begin = last
    return children


def random_site(rng):
    name = rng.choice(("Update", "Draw", "Sort", "Cull", "a", "Bake"))
    return (name, rng.choice(("a.c", "b.c")), rng.randrange(1, 5), rng.choice(("", "Sim", "Draw")))


def random_run(rng, number):
    lengths = [rng.choice((0, 400, 1000, 1000, 1000, 3000)) + rng.randrange(50)
               for _ in range(rng.randrange(3, 12))]
    run = diff_runs.Run(number, lengths, ("main", "worker", "worker"))
    for mark, length in zip(run.marks, lengths):
        if length > 200:
            run.scope(random_site(rng), mark + 10, mark + length - 100, 0,
                      random_children(rng, mark + 20, mark + length - 120, 3))
            run.scope(("Fence", "a.c", 9, "wait"), mark + length - 90, mark + length - 20)
        for track in (1, 2):
            if rng.random() < 0.7:
                run.scope(random_site(rng), mark, mark + length // 2, track)
                run.scope(("Fence", "a.c", 9, "wait"), mark + length // 2, mark + length, track)
    for name in ("draws", "bytes"):
        run.count(name, 0, 0)
        if rng.random() < 0.8:
            run.count(name, run.marks[-1] - 1, rng.randrange(1000))
    if rng.random() < 0.3:
        run.lose(rng.randrange(1, 5), run.marks[1], run.marks[1] + 5, 1)
    if rng.random() < 0.5:
        run.gauge("heat", run.marks[-1], rng.choice((1.5, -3.0, float("inf"), float("nan"), 1e308)))
    return run


def write_sides(folder, rng):
    """File names of both sides, of 1 to 5 runs each, and the runs in their order."""
    sides, runs = [], []
    for side in ("base", "new"):
        names = []
        for _ in range(rng.randrange(1, 6)):
            runs.append(random_run(rng, len(runs) + 1))
            names.append("%s-%d.lcap" % (side, len(runs)))
            runs[-1].write(folder, names[-1])
        sides.append(names)
    return sides, runs
