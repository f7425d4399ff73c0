#!/usr/bin/env python3
"""The schema that 'ludus-trace schema diff-config' prints judges files as the reader does:
check_config_schema.py PROGRAM FOLDER, where FOLDER has files in valid/ and in invalid/, which
tests/analyzer/test_diff_config_files.c holds the reader to."""

import json
import pathlib
import subprocess
import sys

import json_schema


def unique(pairs):
    """An object, unless a key stands in it twice."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def finite(text):
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("too large")
    return int(value) if value.is_integer() else value


def refuse(text):
    raise ValueError(text)


def read(path):
    """The value in a file; ValueError when it is no JSON, or has what no file may have."""
    text = path.read_bytes().decode()
    value = json.loads(text, object_pairs_hook=unique, parse_float=finite, parse_constant=refuse)
    if "\\u0000" in text:
        raise ValueError("a zero in a name")
    return value


def is_valid(path, schema):
    try:
        return json_schema.fits(read(path), schema)
    except (ValueError, RecursionError):
        return False


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads(subprocess.run([program, "schema", "diff-config"], capture_output=True,
                                       text=True, check=True).stdout)
    faults = []
    count = 0
    for wanted in ("valid", "invalid"):
        for path in sorted((folder / wanted).glob("*.json")):
            count += 1
            if is_valid(path, schema) != (wanted == "valid"):
                faults.append(f"{path}: the schema does not find it {wanted}")
    if count < 50:
        faults.append(f"{folder}: there are only {count} files")
    print("\n".join(faults) if faults else f"{count} files are judged alike")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
