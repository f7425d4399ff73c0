#!/usr/bin/python3
"""Checks docs/sql.md against the schema, and its answers against the program.

check_sql_docs.py REPOSITORY            compares the tables of the page with schemas/capture.sql, whose
                                        columns are all explained, and are those that scripts rely on
check_sql_docs.py REPOSITORY --write    writes them anew
check_sql_docs.py REPOSITORY --run PROGRAM
                                        makes the page's databases of the example captures, as the page
                                        does, and compares its answers with what PROGRAM query prints
check_sql_docs.py REPOSITORY --run PROGRAM --write
                                        writes the answers anew: look at them before you keep them
"""

import pathlib
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile

BEGIN = "<!-- tables: written by tests/sql/check_sql_docs.py --write from schemas/capture.sql -->\n"
END = "<!-- end of tables -->\n"
QUERIES_MIN = 25
IMPORT = re.compile(r"^ludus-trace (import tests/(?:.*\\\n)*.*)$", re.M)
QUESTION = re.compile(r"^### (\d+)\. ([^\n]*)\n\n(?:Of `([\w.]+)`:\n\n)?"
                      r"```sql\n(.*?)```\n\n(?:```text\n(.*?)```\n\n)?(?=\S)", re.M | re.S)
DATABASE = "example.db"
SCANS = "All slices are read"
MAX_INDEXES = 3

# What scripts rely on: these tables and views are there, and have at least these columns.
PROMISED = {
    "calibration": "capture_id", "calls_per_frame": "capture_id", "capture": "capture_id default_domain",
    "category": "capture_id", "counter": "capture_id", "counter_sample": "capture_id",
    "diagnostic": "capture_id", "flow": "capture_id", "flow_latency": "capture_id",
    "frame": "frame_id capture_id domain number begin_ns duration_ns complete",
    "frame_stats": "capture_id", "gpu_frame": "capture_id", "gpu_pass": "capture_id",
    "instant": "capture_id", "loss": "capture_id",
    "path": "path_id capture_id parent_path_id site_id depth", "path_stats": "capture_id",
    "site": "site_id capture_id identity name file line function category",
    "site_stats": "capture_id",
    "slice": "slice_id capture_id track_id site_id path_id parent_id frame_id depth begin_ns "
             "duration_ns known_ns exclusive_ns outermost incomplete children_lost",
    "slice_frame": "capture_id", "stat_window": "capture_id",
    "track": "track_id capture_id name kind", "unlogged": "capture_id",
}
# How a comment tells the unit of a number that is no id: by the end of the column's name, and of others.
UNITS = {"_ns": r"\bns\b", "_fs": r"\bfs\b", "_bytes": r"\bbytes\b",
         "": r"\b(count|ticks|tick|line|number|billionths|sum)\b|\b[01]: | / "}


def fail(message):
    print(f"check_sql_docs: {message}", file=sys.stderr)
    sys.exit(1)


class Table:
    """A table or view of the schema's text: its comment, and its columns' comments."""

    def __init__(self, kind, name, comment):
        self.kind = kind
        self.name = name
        self.comment = comment
        self.columns = []


def read_schema(text):
    tables = []
    comment = []
    table = None
    for line in text.splitlines():
        head = re.match(r"CREATE (TABLE|VIEW) (\w+) \($", line)
        if head:
            table = Table(head[1].lower(), head[2], " ".join(comment))
            tables.append(table)
        elif table and line.startswith(")"):
            table = None
        elif table:
            column = re.match(r"  (\w+)([^-]*?),?\s*-- (.+)$", line)
            if not column:
                fail(f"{table.name}: no comment, or no column: {line}")
            type_name = re.match(r"(INTEGER|TEXT|REAL|NUMERIC)?", column[2].strip())[0].lower()
            table.columns.append((column[1], type_name, column[3]))
        comment = comment + [line[3:]] if line.startswith("-- ") else []
    return tables


def check_against_sqlite(schema, tables):
    """The comments are of the columns that SQLite sees, all of them and no others."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema)
    names = [row[0] for row in connection.execute(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'")]
    if names != [table.name for table in tables]:
        fail("the schema's text and SQLite do not have the same tables")
    for table in tables:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table.name})")]
        if columns != [column[0] for column in table.columns]:
            fail(f"{table.name}: columns {columns}, comments on {table.columns}")
        if "capture_id" not in columns:
            fail(f"{table.name}: has no capture_id")


def check_promises(tables, index_count):
    columns = {table.name: [column[0] for column in table.columns] for table in tables}
    for name, promised in PROMISED.items():
        missing = set(promised.split()) - set(columns.get(name, []))
        if missing:
            fail(f"{name}: scripts rely on {sorted(missing)}")
    if index_count > MAX_INDEXES:
        fail(f"{index_count} indexes, which cost time at import; {MAX_INDEXES} are enough")


def check_units(tables):
    for table in tables:
        for name, type_name, comment in table.columns:
            end = next(end for end in UNITS if name.endswith(end))
            is_number = end != "" or type_name in ("integer", "real")
            if is_number and not name.endswith("_id") and not re.search(UNITS[end], comment):
                fail(f"{table.name}.{name}: the comment tells no unit: {comment}")


def make_section(tables):
    lines = []
    for table in tables:
        kind = "" if table.kind == "table" else " (view)"
        lines += [f"\n### {table.name}{kind}\n\n{table.comment}\n\n"]
        is_view = table.kind == "view"
        lines += ["| column | meaning |\n|---|---|\n" if is_view
                  else "| column | type | meaning |\n|---|---|---|\n"]
        for name, type_name, comment in table.columns:
            text = comment.replace("|", "\\|").replace("<", "&lt;")
            lines += [f"| {name} | {text} |\n" if is_view
                      else f"| {name} | {type_name} | {text} |\n"]
    return "".join(lines) + "\n"


def make_databases(root, program, page, folder):
    (pathlib.Path(folder) / "tests").symlink_to(root / "tests")
    commands = IMPORT.findall(page)
    if not commands:
        fail("the page does not say how its databases are made")
    for command in commands:
        words = shlex.split(command.replace("\\\n", " "))
        made = subprocess.run([program, *words], cwd=folder, capture_output=True, check=False)
        if made.returncode != 0:
            fail(f"{command}: exit {made.returncode}: {made.stderr.decode()}")


def answer_of(program, folder, database, sql):
    """What people see. Warnings, of what the captures lost, go elsewhere."""
    answer = subprocess.run([program, "query", database or DATABASE, sql], cwd=folder,
                            capture_output=True, check=False)
    if answer.returncode != 0:
        fail(f"{sql}: exit {answer.returncode}: {answer.stderr.decode()}")
    return answer.stdout.decode()


def check_plan(folder, question):
    """A question about a frame reads that frame's slices; one that reads all of them says so."""
    number, title, database, sql, _ = question.groups()
    names = "|".join(["slice", *re.findall(r"\bslice AS (\w+)", sql)])
    connection = sqlite3.connect(pathlib.Path(folder) / (database or DATABASE))
    plan = [row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + sql)]
    connection.close()
    text = question.string[question.end():].split("\n### ")[0]
    reads_all = any(re.match(rf"SCAN ({names})\b", step) for step in plan)
    if reads_all != (SCANS in text.replace("\n", " ")):
        fail(f"{number}. {title}: says {'not ' * reads_all}'{SCANS}', and the plan is {plan}")


def answer_page(root, program, page):
    """The page with the program's answers in the place of its own."""
    questions = list(QUESTION.finditer(page))
    blocks = page.count("```sql\n")
    if len(questions) != blocks or blocks < QUERIES_MIN:
        fail(f"{blocks} SQL blocks, {len(questions)} of them with a question and an explanation")
    if [int(question[1]) for question in questions] != list(range(1, len(questions) + 1)):
        fail("the questions are not numbered from 1 on")
    with tempfile.TemporaryDirectory() as folder:
        make_databases(root, program, page, folder)
        answered = []
        end = 0
        for question in questions:
            _, _, database, sql, _ = question.groups()
            check_plan(folder, question)
            answer = answer_of(program, folder, database, sql)
            answered += [page[end:question.end(4)], f"```\n\n```text\n{answer}```\n\n"]
            end = question.end()
    return "".join(answered) + page[end:]


def first_difference(page, answered):
    """The question whose answer is another one, with both."""
    for ours, theirs in zip(QUESTION.finditer(page), QUESTION.finditer(answered)):
        if ours[5] != theirs[5]:
            return f"{ours[1]}. {ours[2]}\nthe page says:\n{ours[5]}\nand it is:\n{theirs[5]}"
    return "nothing but the form"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    page_path = root / "docs" / "sql.md"
    page = page_path.read_text(encoding="utf-8")
    if sys.argv[2:3] == ["--run"]:
        answered = answer_page(root, str(pathlib.Path(sys.argv[3]).resolve()), page)
        if sys.argv[4:5] == ["--write"]:
            page_path.write_text(answered, encoding="utf-8")
        elif answered != page:
            fail(f"docs/sql.md shows another answer: {first_difference(page, answered)}")
        return
    schema = (root / "schemas" / "capture.sql").read_text(encoding="utf-8")
    tables = read_schema(schema)
    check_against_sqlite(schema, tables)
    check_promises(tables, schema.count("\nCREATE INDEX "))
    check_units(tables)
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        fail("docs/sql.md has no place for the tables")
    before, rest = page.split(BEGIN)
    section, after = rest.split(END)
    expected = make_section(tables)
    if sys.argv[2:3] == ["--write"]:
        page_path.write_text(before + BEGIN + expected + END + after, encoding="utf-8")
    elif section != expected:
        fail("docs/sql.md does not show the tables of schemas/capture.sql; "
             "run check_sql_docs.py REPOSITORY --write")


main()
