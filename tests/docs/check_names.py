#!/usr/bin/env python3
"""Checks that what the documents name is there: check_names.py ROOT PROGRAM.

- Behind `ludus-trace` stands a command that it has, and behind that only options of this command.
- Every other option, LUDUS_ macro, and name that begins like ours (ludus_, lcap_, trace_, cli_, cmd_)
  stands somewhere in the tree outside the documents.

Code is what is looked at: between backticks, and in blocks."""

import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
NAME = re.compile(r"\b(?:LUDUS_\w+|(?:ludus|lcap|trace|cli|cmd)_\w+)\b(?![*/.-])")
CALL = re.compile(r"\bludus-trace +([a-z][\w-]*)([^\n|;&#]*)")


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def tracked(root):
    names = run("git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard")
    return [root / name for name in names.splitlines()
            if (root / name).is_file() and not (root / name).is_symlink()]


class Tree:
    """What there is to name."""

    def __init__(self, root, program):
        overview = run(program, "help")
        self.options = {command: set(OPTION.findall(run(program, "help", command))) | {"--help"}
                        for command in re.findall(r"^  ([a-z]+)  ", overview, re.MULTILINE)}
        text = "\n".join(path.read_bytes().decode(errors="ignore") for path in tracked(root)
                         if path.suffix not in (".md", ".lcap", ".png", ".spv"))
        self.names = set(NAME.findall(text))
        self.all_options = set(OPTION.findall(text)).union(*self.options.values())


def code_of(page):
    """The pieces of code of a page of Markdown, each with whether it is a block."""
    text = page.read_text()
    for _, block in re.findall(r"^ *```(\w*)\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
        yield block.replace("\\\n", " ")
    for span in re.findall(r"`([^`\n]+)`", re.sub(r"^ *```.*?^ *```", "", text,
                                                   flags=re.MULTILINE | re.DOTALL)):
        yield span


def faults_of(code, tree):
    for command, rest in CALL.findall(code):
        if command not in tree.options:
            yield f"ludus-trace has no command {command}"
            continue
        for option in OPTION.findall(rest):
            if option not in tree.options[command]:
                yield f"ludus-trace {command} has no option {option}"
    for option in OPTION.findall(code):
        if option not in tree.all_options:
            yield f"there is no option {option}"
    for name in NAME.findall(code):
        if name not in tree.names and not any(known.startswith(name) for known in tree.names
                                              if name.endswith("_")):
            yield f"there is no {name}"


def main():
    root = pathlib.Path(sys.argv[1])
    tree = Tree(root, sys.argv[2])
    pages = [path for path in tracked(root) if path.suffix == ".md"]
    faults = [f"{page.relative_to(root)}: {fault}" for page in pages
              for code in code_of(page) for fault in sorted(set(faults_of(code, tree)))]
    print("\n".join(faults) if faults else f"{len(pages)} pages name what is there")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
