#!/usr/bin/python3
"""Does what the Dockerfile says in bare roots, without Docker.

    dockerfile.py build CONTEXT BASE FOLDER     makes the image's root in FOLDER, which must not exist
    dockerfile.py run FOLDER [--volume FOLDER:PLACE] [--user UID:GID] ARGUMENT...

It knows the instructions that the Dockerfile uses, and refuses all others, so that what works here is
the Dockerfile and not something like it. BASE stands for the image of Debian that the stages begin with.
"""
import fnmatch
import json
import pathlib
import shlex
import shutil
import subprocess
import sys

ENTER = pathlib.Path(__file__).with_name("enter.sh")
BASE_IMAGE = "debian:12-slim"
CONTEXT = "/dev/context"  # where a stage sees what it copies from; nothing of it stays


class Refused(Exception):
    pass


class Stage:
    def __init__(self, root):
        self.root = root
        self.workdir = "/"
        self.entrypoint = None

    def enter(self, *command, options=()):
        subprocess.run([ENTER, self.root, "--in", self.workdir, *options, *command], check=True)


def instructions(text):
    """The instructions, each as a word and the rest, with continued lines joined."""
    joined = ""
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line.endswith("\\"):
            joined += line[:-1]
            continue
        word, _, rest = (joined + line).strip().partition(" ")
        yield word, rest.strip()
        joined = ""
    if joined:
        raise Refused(f"ends within an instruction: {joined}")


def send(context, place):
    """Copies what Docker would be sent: all but what .dockerignore names."""
    patterns = (context / ".dockerignore").read_text().split("\n")
    patterns = [line.strip() for line in patterns if line.strip() and not line.startswith("#")]
    if any(set("/!\\") & set(pattern) or "**" in pattern for pattern in patterns):
        raise Refused(f".dockerignore: {patterns}")

    def left_out(folder, names):
        # A pattern without a slash is for the names beside the Dockerfile.
        if pathlib.Path(folder) != context:
            return []
        return [name for name in names if any(fnmatch.fnmatchcase(name, one) for one in patterns)]

    shutil.copytree(context, place, symlinks=True, ignore=left_out)


def begin_stage(rest, base, folder, stages):
    words = rest.split()
    if words[0] != BASE_IMAGE or len(words) not in (1, 3) or len(words) == 3 and words[1] != "AS":
        raise Refused(f"FROM {rest}")
    stage = Stage(folder / f"stage{len(stages)}")
    subprocess.run(["cp", "-a", "--reflink=auto", base, stage.root], check=True)
    stages[words[2] if len(words) == 3 else str(len(stages))] = stage
    return stage


def copy(rest, stage, context, stages):
    words = shlex.split(rest)
    origin = context
    if words[0].startswith("--from="):
        origin = stages[words.pop(0).removeprefix("--from=")].root
    if len(words) != 2 or any(word.startswith("--") for word in words) or set("*?[") & set(rest):
        raise Refused(f"COPY {rest}")
    source, place = words
    # What is copied from a folder is what is in it.
    if (origin / source.lstrip("/")).is_dir():
        script = 'mkdir -p "$2" && cp -a "$1/." "$2"'
    else:
        script = 'mkdir -p "$(dirname "$2")" && cp -a "$1" "$2"'
    stage.enter("/bin/sh", "-c", script, "copy", f"{CONTEXT}/{source.lstrip('/')}", place,
                options=["--bind", f"{origin}:{CONTEXT}"])


def build(context, base, folder):
    context, base, folder = (pathlib.Path(name).resolve() for name in (context, base, folder))
    folder.mkdir()
    send(context, folder / "context")
    context = folder / "context"
    stages, stage = {}, None
    for word, rest in instructions((context / "Dockerfile").read_text()):
        print(f"{word} {rest}", flush=True)
        if word == "FROM":
            stage = begin_stage(rest, base, folder, stages)
        elif word == "COPY":
            copy(rest, stage, context, stages)
        elif word == "RUN" and not rest.startswith(("[", "--")):
            stage.enter("/bin/sh", "-c", rest)
        elif word == "WORKDIR" and rest.startswith("/"):
            stage.workdir = rest
            Stage(stage.root).enter("mkdir", "-p", rest)
        elif word == "ENTRYPOINT" and rest.startswith("["):
            stage.entrypoint = json.loads(rest)
        else:
            raise Refused(f"{word} {rest}")
    image = {"root": str(stage.root), "workdir": stage.workdir, "entrypoint": stage.entrypoint}
    (folder / "image.json").write_text(json.dumps(image))


def run(folder, *arguments):
    image = json.loads((pathlib.Path(folder) / "image.json").read_text())
    stage = Stage(image["root"])
    stage.workdir = image["workdir"]
    options, arguments = [], list(arguments)
    while arguments[0] in ("--volume", "--user"):
        name, value = arguments.pop(0), arguments.pop(0)
        options += ["--bind" if name == "--volume" else name, value]
    stage.enter(*image["entrypoint"], *arguments, options=options)


def main():
    try:
        {"build": build, "run": run}[sys.argv[1]](*sys.argv[2:])
    except Refused as refused:
        sys.exit(f"dockerfile: this is not known here: {refused}")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"dockerfile: ended with {failed.returncode}: {shlex.join(map(str, failed.cmd[1:]))}")


main()
