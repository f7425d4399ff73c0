#!/usr/bin/env python3
"""Reads what is said of losses: check_remedies.py PROGRAM. For each cause the warning says how many
were lost and what would have kept them, with the setting as it was where the capture knows it."""
import os
import subprocess
import sys
import tempfile

import diff_runs

# The cause in the file, facts, and what the warning says.
CASES = (
    # 7 scopes are nothing to 20 MiB, but what is tried is whole MiB, and room for a chunk.
    (1, {"recorder.memory_bytes": "20971520"}, "; memory_bytes was 20971520: try 22020096 (LUDUS_MEMORY=21MiB), or "),
    (1, {"recorder.memory_bytes": "2097152"}, "; memory_bytes was 2097152: try 16777216 (LUDUS_MEMORY=16MiB), or "),
    (1, {}, "more memory (memory_bytes) to keep them"),
    (1, {"recorder.memory_bytes": "much"}, "more memory (memory_bytes) to keep them"),
    (2, {}, "(max_threads)"),
    (2, {"recorder.max_threads": "128"}, "; max_threads was 128: try 256\n"),
    (2, {"recorder.max_threads": "3000"}, "; max_threads was 3000: try 4096\n"),
    (2, {"recorder.max_threads": "4096"}, "; max_threads was 4096, the most there is\n"),
    (3, {}, "256 scopes inside each other: take out"),
    (4, {}, "make room for it"),
    (5, {}, "mark less often"),
    (99, {}, "for a cause that this version does not know: scopes 7\n"),
)


def main():
    program = os.path.abspath(sys.argv[1])
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        for cause, facts, words in CASES:
            run = diff_runs.Run(1, [1000] * 3, facts=facts).each_frame("Step", 100, 200)
            run.losses.append((1, cause, 7, 0, 0, 0, 0, diff_runs.START + 10, diff_runs.START + 20))
            path = run.write(folder, "lossy.lcap")
            for command in ("summarize", "info", "tree"):
                done = subprocess.run([program, command, path], capture_output=True, text=True,
                                      check=False)
                if done.returncode != 0 or words not in done.stderr or "scopes 7" not in done.stderr:
                    problems += 1
                    print(command, "with cause", cause, facts, "says:", done.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
