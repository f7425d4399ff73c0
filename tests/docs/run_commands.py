#!/usr/bin/env python3
"""Runs every command of a document's ```sh blocks: run_commands.py BUILD PAGE.

The commands run in a fresh folder that holds arena.lcap and game.lcap, captures of the example game, when they name
them, and the folder of the tests, with the programs of BUILD on the path. Each must succeed; one that lacks something
of the machine ends with 77, and so does this."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77


def main():
    build, page = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    commands = [line for block in blocks
                for line in block.replace("\\\n", " ").splitlines() if line.strip()]
    if not commands:
        print(f"{page}: no commands")
        return 1
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = f"{build}:{build / 'examples'}:{build / 'tests' / 'docs'}:{os.environ['PATH']}"
        # Which clock a start takes by itself depends on how busy the machine is, and recordings with
        # different ones are not compared.
        environment = {**os.environ, "PATH": path, "LUDUS_CLOCK": "monotonic"}
        pathlib.Path(folder, "tests").symlink_to(pathlib.Path(__file__).resolve().parents[1])
        for name in ["arena", "game"]:
            if not any(f"{name}.lcap" in command for command in commands):
                continue
            subprocess.run(["arena", "--frames", "60", "--capture", f"{name}.lcap"], cwd=folder,
                           env=environment, check=True, stdout=subprocess.DEVNULL)
        for command in commands:
            run = subprocess.run(["sh", "-c", command], cwd=folder, env=environment,
                                 capture_output=True, text=True, stdin=subprocess.DEVNULL)
            if run.returncode == SKIPPED:
                print(f"{command}: {run.stderr}")
                return SKIPPED
            if run.returncode != 0:
                failed += 1
                print(f"failed with {run.returncode}: {command}\n{run.stderr}")
    print(f"{len(commands)} commands of {page}, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
