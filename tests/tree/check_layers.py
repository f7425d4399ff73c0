#!/usr/bin/env python3
"""Checks who includes whom: each folder of the house may use only what its row allows, file names
are unique in the tree, and no file includes itself in a circle."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A folder: the headers of the project that it may include besides its own, and the libraries.
RULES = {
    "format": ({"ludus/status.h"}, {"zstd.h"}),
    "runtime": (
        {"ludus/status.h", "ludus/profile.h", "ludus/recorder.h", "ludus/gpu_samples.h",
         "gpu_rules.h", "lcap_chain.h", "lcap_encode.h", "lcap_records.h", "lcap_layout.h"},
        {"pthread.h", "semaphore.h"},
    ),
    "analyzer": (
        {"ludus/status.h", "lcap_chain.h", "lcap_decode.h", "lcap_encode.h", "lcap_records.h",
         "lcap_layout.h", "schemas.h"},
        {"sqlite3.h", "jansson.h", "pthread.h"},
    ),
    "gpu": (
        {"ludus/profile.h", "ludus/gpu_samples.h", "ludus/gpu.h", "ludus/gpu_scope.h",
         "ludus/gpu_vulkan.h"},
        {"vulkan/vulkan_core.h", "pthread.h"},
    ),
    "cli": ({"ludus/status.h", "trace.h"}, set()),
    "schemas": (set(), set()),
    "examples": (
        {"ludus/status.h", "ludus/profile.h", "ludus/recorder.h", "ludus/gpu_vulkan.h"},
        {"zstd.h", "pthread.h", "vulkan/vulkan.h"},
    ),
}

# The floors of the analyzer, lowest first: each may use those before it and itself. Its public
# header lies beside them.
FLOORS = ["base", "model", "statistics", "capture", "database", "input", "live", "convert", "query",
          "table", "report", "gpu", "frames", "tree", "summarize", "export", "page",
          "compare", "diff"]

# What counts as a library: a folder that may use one says so above.
LIBRARIES = {"zstd.h", "sqlite3.h", "jansson.h", "pthread.h", "semaphore.h", "vulkan/vulkan.h",
             "vulkan/vulkan_core.h"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def tracked_sources():
    names = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=True).stdout.split("\n")
    return [pathlib.PurePosixPath(name) for name in names if name.endswith((".c", ".h", ".cpp"))]


def includes_of(path):
    return [(mark == "<", name) for mark, name in INCLUDE.findall((ROOT / path).read_text())]


def check_file(path, own, faults):
    allowed, libraries = RULES[path.parts[0]]
    for is_system, name in includes_of(path):
        if name in own or name in allowed:
            continue
        if is_system and (name not in LIBRARIES or name in libraries):
            continue
        faults.append(f"{path}: may not include {name}")


def check_decode_side(sources, faults):
    """The encode side of the format knows nothing of the decode side, and the other way round."""
    sides = {"encode": "lcap_decode.h", "decode": "lcap_encode.h"}
    for path in sources:
        for side, other in sides.items():
            if path.parts[0] == "format" and path.name.startswith(side):
                if any(name in (other, "lcap_encoder.h" if side == "decode" else other)
                       for _, name in includes_of(path)):
                    faults.append(f"{path}: includes the other side of the format")


def check_circles(sources, faults):
    headers = {path.name: path for path in sources if path.suffix == ".h"}
    graph = {name: [pathlib.PurePosixPath(used).name for _, used in includes_of(path)
                    if pathlib.PurePosixPath(used).name in headers]
             for name, path in headers.items()}
    done = set()

    def visit(name, trail):
        if name in trail:
            faults.append(f"{headers[name]}: includes itself through {' -> '.join(trail)}")
            return
        if name not in done:
            for used in graph[name]:
                visit(used, trail + [name])
            done.add(name)

    for name in graph:
        visit(name, [])


def check_floors(sources, faults):
    """In the analyzer, nothing uses what stands above it."""
    floor_of = {path.name: FLOORS.index(path.parts[1]) for path in sources
                if path.parts[0] == "analyzer" and path.suffix == ".h" and path.parts[1] in FLOORS}
    for path in sources:
        if path.parts[0] != "analyzer":
            continue
        if path.parts[1] not in FLOORS:
            if path.name not in ("trace.h", "version.c"):
                faults.append(f"{path}: stands on no floor of the analyzer")
            continue
        for _, name in includes_of(path):
            if floor_of.get(name, 0) > FLOORS.index(path.parts[1]):
                faults.append(f"{path}: may not include {name}, which is of a floor above it")


def check_names(sources, faults):
    seen = {}
    for path in sources:
        if path.name in seen:
            faults.append(f"{path}: another file has this name: {seen[path.name]}")
        seen[path.name] = path


def main():
    faults = []
    sources = tracked_sources()
    house = [path for path in sources if path.parts[0] in RULES]
    for folder in RULES:
        files = [path for path in house if path.parts[0] == folder]
        own = {path.name for path in files if path.suffix == ".h" and "include" not in path.parts}
        for path in files:
            check_file(path, own, faults)
    check_decode_side(house, faults)
    check_circles(sources, faults)
    check_floors(house, faults)
    check_names(sources, faults)
    print("\n".join(faults) if faults else f"{len(sources)} files keep the rules")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
