#!/usr/bin/python3
"""Checks docs/sql.md against the schema, and runs its queries.

check_sql_docs.py REPOSITORY            compares the tables of the page with schemas/capture.sql
check_sql_docs.py REPOSITORY --write    writes them anew
check_sql_docs.py REPOSITORY --run PROGRAM DATABASE
                                        runs each query of the page with PROGRAM query DATABASE
"""

import json
import pathlib
import re
import sqlite3
import subprocess
import sys

BEGIN = "<!-- tables: written by tests/sql/check_sql_docs.py --write from schemas/capture.sql -->\n"
END = "<!-- end of tables -->\n"
QUERIES_MIN = 17


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
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]
    if names != [table.name for table in tables]:
        fail("the schema's text and SQLite do not have the same tables")
    for table in tables:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table.name})")]
        if columns != [column[0] for column in table.columns]:
            fail(f"{table.name}: columns {columns}, comments on {table.columns}")
        if "capture_id" not in columns:
            fail(f"{table.name}: has no capture_id")


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


def run_queries(page, program, database):
    questions = re.findall(r"^### (\d+\. .*?)\n\n```sql\n(.*?)```\n\n(.)", page, re.M | re.S)
    blocks = page.count("```sql\n")
    if len(questions) != blocks or blocks < QUERIES_MIN:
        fail(f"{blocks} SQL blocks, {len(questions)} of them with a question and an explanation")
    for title, sql, _ in questions:
        answer = subprocess.run([program, "query", database, sql, "--format", "json"],
                                capture_output=True, check=False)
        if answer.returncode != 0 or answer.stderr:
            fail(f"{title}: exit {answer.returncode}: {answer.stderr.decode()}")
        rows = json.loads(answer.stdout)["rows"]
        if not rows:
            fail(f"{title}: no rows from the sample database")
        if all(value is None for value in rows[0].values()):
            fail(f"{title}: only nulls: {rows[0]}")
        print(f"ok: {title} ({len(rows)} rows)")


def main():
    root = pathlib.Path(sys.argv[1])
    page_path = root / "docs" / "sql.md"
    page = page_path.read_text(encoding="utf-8")
    if sys.argv[2:3] == ["--run"]:
        run_queries(page, sys.argv[3], sys.argv[4])
        return
    schema = (root / "schemas" / "capture.sql").read_text(encoding="utf-8")
    tables = read_schema(schema)
    check_against_sqlite(schema, tables)
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
