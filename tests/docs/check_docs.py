#!/usr/bin/env python3
"""Checks what the documents promise: check_docs.py ROOT PROGRAM [--write].

- The lists of columns in docs/numbers.md are those of the reports, and the keys in docs/diff.md those
  of the schema; docs/reference.md is what the build made of the table of commands, in the folder
  manual/ beside PROGRAM (--write puts them there).
- The programs of README.md and docs/gpu.md, and what docs/install.md puts into CMakeLists.txt, are the
  files of tests/embed, which another test builds; each option of CMake is told; the configuration in
  docs/diff.md is a file that a test reads.
- Committed captures name no path of the machine that made them.
- Every path and every source file that a document names exists, and every relative link leads to a page,
  and to a heading of it.
"""

import fnmatch
import json
import pathlib
import re
import subprocess
import sys

REPORTS = ["summarize", "tree", "frames", "explain", "diff", "info", "check", "top"]
FOLDERS = r"\.ci|analyzer|cli|docs|examples|format|gpu|runtime|schemas|tests|packaging"


def column_lists(program):
    text = []
    for report in REPORTS:
        schema = json.loads(subprocess.run([program, "schema", report], capture_output=True,
                                           text=True, check=True).stdout)
        for name, table in schema["properties"]["tables"]["properties"].items():
            columns = table["properties"]["rows"]["items"]["properties"]
            text.append(f"### {report}: {name}\n\n| column | meaning |\n|---|---|")
            text += [f"| `{column}` | {facts['description'].replace('|', chr(92) + '|')} |"
                     for column, facts in columns.items()]
            text.append("")
    return "\n".join(text)


def check_columns(root, program, write, faults):
    page = root / "docs" / "numbers.md"
    head, mark, listed = page.read_text().partition("## Columns\n\n")
    wanted = column_lists(program)
    if write:
        page.write_text(head + mark + wanted)
    elif listed != wanted:
        faults.append("docs/numbers.md: the columns are not those of the reports; "
                      "run check_docs.py --write")


def key_rows(schema, keys):
    """A row for each of these keys of an object of the schema."""
    rows = ["| key | meaning | value | default |", "|---|---|---|---|"]
    for key in keys:
        facts = schema["properties"][key]
        value = facts["type"]
        if "minimum" in facts:
            value = f"{value}, {facts['minimum']} to {facts['maximum']}"
        elif "items" in facts:
            value = "array of " + ", ".join(f"`{word}`" for word in facts["items"]["enum"])
        default = f"`{json.dumps(facts['default'])}`" if "default" in facts else ""
        rows.append(f"| `{key}` | {facts['description']} | {value} | {default} |")
    return rows


def key_lists(program):
    schema = json.loads(subprocess.run([program, "schema", "diff-config"], capture_output=True,
                                       text=True, check=True).stdout)
    root = schema["properties"]
    lines = ["", *key_rows(schema, root)]
    for key, facts in root.items():
        if facts["type"] != "object":
            continue
        named = facts.get("additionalProperties") or facts
        known = [name for name, own in named["properties"].items()
                 if own["description"] == root.get(name, {}).get("description")]
        lines += ["", f"In `{key}`" + (", behind each name: " if named is not facts else ":") +
                  ", ".join(f"`{name}`" for name in known) + (" as above, and" if known else ""), "",
                  *key_rows(named, [name for name in named["properties"] if name not in known])]
    return "\n".join(lines) + "\n\n"


def check_keys(root, program, write, faults):
    page = root / "docs" / "diff.md"
    head, mark, rest = page.read_text().partition("schemas/diff-config.schema.json -->\n")
    listed, end, tail = rest.partition("<!-- end of keys -->")
    wanted = key_lists(program)
    if write:
        page.write_text(head + mark + wanted + end + tail)
    elif listed != wanted:
        faults.append("docs/diff.md: the keys are not those of the schema; run check_docs.py --write")


def check_reference(root, program, write, faults):
    page = root / "docs" / "reference.md"
    wanted = (pathlib.Path(program).parent / "manual" / "reference.md").read_text()
    if write:
        page.write_text(wanted)
    elif not page.exists() or page.read_text() != wanted:
        faults.append("docs/reference.md: is not what the commands are; run check_docs.py --write")


SHOWN = [("README.md", "tests/embed/game.c"), ("README.md", "tests/embed/engine.cpp"),
         ("docs/gpu.md", "tests/embed/renderer.c"),
         *[("docs/install.md", f"tests/embed/ways/{way}.cmake")
           for way in ["add_subdirectory", "FetchContent", "find_package"]],
         ("docs/guide-instrument.md", "tests/docs/level_loader.c"),
         ("docs/diff.md", "tests/analyzer/diff_config/valid/page.json")]


def check_programs(root, faults):
    for page, name in SHOWN:
        if (root / name).read_text() not in (root / page).read_text():
            faults.append(f"{page}: does not show {name} as it is")


def anchors_of(page):
    """What a link to a heading of a page ends with."""
    headings = re.findall(r"^#+ (.*)", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(root, page, text, faults):
    for target, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text):
        other = page.parent / target if target else page
        if "://" in target:
            continue
        if not other.exists():
            faults.append(f"{page.relative_to(root)}: link to {target} leads nowhere")
        elif anchor and anchor not in anchors_of(other):
            faults.append(f"{page.relative_to(root)}: {target} has no heading {anchor}")


def check_paths(root, faults):
    folders = FOLDERS.replace("\\", "").split("|")
    sources = {path.name for path in root.glob("*.*")} | {
        path.name for folder in folders for path in (root / folder).rglob("*.*")}
    for page in [*root.glob("*.md"), *root.glob("*/*.md"), *root.glob("examples/*/*.md")]:
        text = page.read_text()
        check_links(root, page, re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), faults)
        for path in re.findall(rf"`((?:{FOLDERS})/[\w./*-]*)`", text):
            if not list(root.glob(path.rstrip("/"))):
                faults.append(f"{page.relative_to(root)}: there is no {path}")
        drawn = "\n".join(re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
        for name in [*re.findall(r"`([\w*-]+\.(?:[ch]|cpp|py|sh|sql))`", text),
                     *re.findall(r"([\w*-]+\.[ch])\b", drawn)]:
            if not fnmatch.filter(sources, name):
                faults.append(f"{page.relative_to(root)}: there is no file {name}")


def check_options(root, faults):
    page = (root / "docs" / "install.md").read_text()
    for name in re.findall(r"^\s*(?:option\(|set\()(LUDUS_\w+) .*(?:\"|CACHE)",
                           (root / "CMakeLists.txt").read_text(), re.MULTILINE):
        if f"| `{name}` |" not in page:
            faults.append(f"docs/install.md: does not tell of {name}")


def check_captures(root, program, faults):
    """Committed captures say nothing of the machine that made them."""
    for capture in [*root.glob("tests/*/*.lcap"), *root.glob("tests/golden/valid/*.lcap")]:
        facts = subprocess.run([program, "info", "--format", "json", capture], capture_output=True,
                               text=True, check=False).stdout
        for path in re.findall(r"/(?:work|home|root|tmp|farm)/?[^\"]*", facts):
            faults.append(f"{capture.relative_to(root)}: names a path of one machine: {path}")


def main():
    root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    faults = []
    check_columns(root, program, "--write" in sys.argv, faults)
    check_keys(root, program, "--write" in sys.argv, faults)
    check_reference(root, program, "--write" in sys.argv, faults)
    check_programs(root, faults)
    check_options(root, faults)
    check_paths(root, faults)
    check_captures(root, program, faults)
    print("\n".join(faults) if faults else "the documents keep their promises")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
