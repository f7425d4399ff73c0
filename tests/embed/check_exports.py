#!/usr/bin/env python3
"""The shared libraries export what the public headers declare, and nothing else; what the static
ones have beside it keeps to our prefixes: check_exports.py CC LIBRARIES HEADERS."""

import pathlib
import re
import subprocess
import sys

# Lowest first: a header belongs to the first that it is named at, and includes only those before it.
HEADERS_OF = {"ludus-runtime": ["profile.h", "recorder.h", "status.h", "gpu_samples.h", "gpu_scope.h"],
              "ludus-gpu": ["gpu.h"],
              "ludus-gpu-vulkan": ["gpu_vulkan.h"]}
OURS = re.compile(r"(ludus|lcap)_")


def declared(compiler, header):
    """Names of functions and variables that a header, or one that it includes, declares and does not define."""
    text = subprocess.run([compiler, "-E", "-P", f"-I{header.parents[1]}", header],
                          capture_output=True, text=True, check=True).stdout
    count = 1
    while count:  # bodies of functions, structures and enumerations
        text, count = re.subn(r"\{[^{}]*\}", ";;", text)
    names = set()
    for statement in re.split(r";(?!;)", text):
        function = re.search(r"\b(ludus_\w+)\s*\(", statement)
        variable = re.search(r"\bextern\b.*\b(ludus_\w+)\s*(?:\[\])?\s*$", statement)
        if (found := function or variable) and "static inline" not in statement:
            names.add(found.group(1))
    return names


def symbols(library, *options):
    lines = subprocess.run(["nm", "--defined-only", *options, library], capture_output=True,
                           text=True, check=True).stdout.splitlines()
    return {line.split()[2] for line in lines if len(line.split()) == 3}


def main():
    compiler, libraries, headers = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    faults = []
    left = {header.name for header in headers.glob("*.h")}
    lower = set()
    for library, files in HEADERS_OF.items():
        found = [headers / name for name in files if name in left]
        left -= {path.name for path in found}
        if not found:
            continue
        names = set().union(*(declared(compiler, path) for path in found)) - lower
        lower |= names
        exported = symbols(libraries / f"lib{library}.so", "-D")
        print(f"{library}: {len(exported)} exported")
        faults += [f"{library}: exports {name}, which no header declares" for name in sorted(exported - names)]
        faults += [f"{library}: does not export {name}" for name in sorted(names - exported)]
        faults += [f"{library}: {name} may be a name of the program"
                   for name in sorted(symbols(libraries / f"lib{library}.a", "-g")) if not OURS.match(name)]
    faults += [f"{name}: of which library is it?" for name in sorted(left)]
    if faults:
        print("\n".join(faults))
    return 1 if faults or not lower else 0


if __name__ == "__main__":
    sys.exit(main())
