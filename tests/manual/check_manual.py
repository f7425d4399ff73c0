#!/usr/bin/env python3
"""Checks a form of the manual against the program: check_manual.py pages|bash|zsh|fish MANUAL PROGRAM.

The program's own help says which commands and options there are. A shell, or groff, that is not
there makes the test one that was skipped (77)."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BASH = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_ludus_trace
((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
"""

# A shell on a terminal, in which completion has begun, that says what it would offer.
ZSH = """
zmodload zsh/zpty
start=(
    "PROMPT= ; unsetopt zle_bracketed_paste; fpath=($1 \\$fpath)"
    "autoload -U compinit; compinit -u -D; LISTMAX=9999 COLUMNS=400 LINES=200"
    'offer() { local -a found; builtin compadd -O found "$@"; print -rl -- OFFER:$^found; builtin compadd "$@" }'
    'ask() { compadd() { offer "$@" }; _main_complete; unfunction compadd; print ASKED }'
    'zle -C ask complete-word ask; bindkey "^X" ask; echo READY'
)
shift
zpty asked zsh -f -i
for line in $start; do zpty -w asked $line; done
zpty -r asked text '*READY*READY*'
for line; do
    zpty -w -n asked "$line"$'\\C-x'
    zpty -r asked text '*ASKED*'
    print -r -- "$text"
    zpty -w -n asked $'\\C-u'
done
"""


def run(*words, **options):
    """In an environment that is known: shells complete nothing on a terminal that can do nothing, and
    read what their user has set."""
    environment = {**os.environ, "TERM": "xterm", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    return subprocess.run(words, capture_output=True, text=True, check=False, env=environment,
                          stdin=subprocess.DEVNULL, timeout=600, **options)


class Program:
    """What the program itself says of its commands."""

    def __init__(self, path):
        overview = run(path, "help").stdout
        self.commands = re.findall(r"^  ([a-z]+)  ", overview, re.MULTILINE)
        self.options = {command: re.findall(r"^  (?:-\w, )?(--[\w-]+)",
                                            run(path, "help", command).stdout, re.MULTILINE)
                        for command in self.commands}
        self.fail_on = re.findall(r'"(\w+)"', re.search(
            r'"fail_on".*?"enum":\s*\[(.*?)\]', run(path, "schema", "diff-config").stdout,
            re.DOTALL).group(1))
        self.schemas = re.search(r"there are: (.*)", run(path, "schema", "none").stderr
                                 ).group(1).split(", ")


def questions(program):
    """Command lines up to the place that is asked about, and the words that may stand there."""
    yield ["summ"], ["summarize"]
    yield ["t"], [name for name in program.commands if name.startswith("t")]
    for command in program.commands:
        yield [command, "--"], [*program.options[command], "--help"]
    yield ["summarize", "--by", "c"], ["category", "counter"]
    yield ["summarize", "--format", ""], ["table", "json", "csv", "markdown"]
    yield ["diff", "--by", ""], ["site", "path"]
    yield ["diff", "a.lcap", "--to", "b.lcap", "--fail-on", ""], program.fail_on
    yield ["help", "exp"], ["export"]
    yield ["schema", ""], program.schemas
    yield ["info", ""], ["a.lcap", "b.db", "folder"]
    yield ["export", "a.lcap", "--output", "n"], ["notes.txt"]
    yield ["frames", "--explain", ""], []


def check_answers(program, ask_all, faults):
    """`ask_all` has a shell complete command lines in a folder with these files."""
    asked = list(questions(program))
    with tempfile.TemporaryDirectory() as folder:
        for name in ["a.lcap", "b.db", "notes.txt"]:
            pathlib.Path(folder, name).touch()
        pathlib.Path(folder, "folder").mkdir()
        answers = ask_all(folder, [words for words, _ in asked])
    if len(answers) != len(asked):
        faults.append(f"{len(answers)} answers to {len(asked)} questions")
    for (words, wanted), answer in zip(asked, answers):
        found = sorted({word.rstrip("/") for word in answer})
        if found != sorted(wanted):
            faults.append(f"{' '.join(words)!r}: offers {found}, not {sorted(wanted)}")
    return f"{len(asked)} questions"


def check_bash(manual, program, faults):
    script = manual / "completions" / "bash" / "ludus-trace"

    def ask(folder, words):
        result = run("bash", "-uc", BASH, "bash", str(script), "ludus-trace", *words, cwd=folder)
        if result.stderr:
            faults.append(f"{words}: {result.stderr}")
        return result.stdout.splitlines()

    # bash itself makes three words of --by=c, and passes them on.
    if ask("/", ["summarize", "--by", "=", "c"]) != ["category", "counter"]:
        faults.append("--by=c is not completed")
    if ask("/", ["summarize", "--by", "="])[:2] != ["site", "path"]:
        faults.append("--by= is not completed")
    if ask("/", ["info", "--", "--f"]) != []:
        faults.append("what stands behind -- is taken for an option")
    return check_answers(program, lambda folder, asked: [ask(folder, words) for words in asked], faults)


def check_fish(manual, program, faults):
    script = manual / "completions" / "fish" / "ludus-trace.fish"

    def ask(folder, words):
        line = " ".join(["ludus-trace", *words])
        result = run("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
                     str(script), line, cwd=folder)
        if result.stderr:
            faults.append(f"{words}: {result.stderr}")
        found = [row.split("\t")[0] for row in result.stdout.splitlines()]
        # It offers every file, captures or not.
        return [word for word in found if words[-1] or words[0] != "info" or word != "notes.txt"]

    return check_answers(program, lambda folder, asked: [ask(folder, words) for words in asked], faults)


def check_zsh(manual, program, faults):
    folder_of_script = manual / "completions" / "zsh"
    result = run("zsh", "-n", str(folder_of_script / "_ludus-trace"))
    if result.returncode != 0:
        faults.append(result.stderr)

    def ask_all(folder, asked):
        lines = [" ".join(["ludus-trace", *words]) for words in asked]
        result = run("zsh", "-f", "-c", ZSH, "zsh", str(folder_of_script), *lines, cwd=folder)
        if result.stderr:
            faults.append(result.stderr)
        return [re.findall(r"OFFER:([^\s]+)", answer) for answer in result.stdout.split("ASKED")[:-1]]

    return check_answers(program, ask_all, faults)


def check_pages(manual, program, faults):
    pages = {"": program.commands, **{f"-{name}": program.options[name] + ["--help"]
                                      for name in program.commands}}
    files = sorted(path.name for path in (manual / "man1").iterdir())
    if files != sorted(f"ludus-trace{name}.1" for name in pages):
        faults.append(f"the pages are {files}")
        return ""
    for name, wanted in pages.items():
        page = manual / "man1" / f"ludus-trace{name}.1"
        result = run("groff", "-ww", "-man", "-Tascii", "-P-c", "-P-b", "-P-u", str(page))
        if result.returncode != 0 or result.stderr:
            faults.append(f"{page.name}: {result.stderr}")
        for word in wanted:
            if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", result.stdout):
                if f"ludus-trace-{word}(1)" not in result.stdout:
                    faults.append(f"{page.name}: does not show {word}")
    return f"{len(pages)} pages"


CHECKS = {"pages": ("groff", check_pages), "bash": ("bash", check_bash),
          "zsh": ("zsh", check_zsh), "fish": ("fish", check_fish)}


def main():
    tool, check = CHECKS[sys.argv[1]]
    if shutil.which(tool) is None:
        print(f"{tool} is not installed")
        return 77
    faults = []
    done = check(pathlib.Path(sys.argv[2]).resolve(), Program(sys.argv[3]), faults)
    print("\n".join(faults) if faults else f"{sys.argv[1]}: {done}, all as the program says")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
