#!/usr/bin/env python3
"""Holds Tarry to a table: examples/threads/expected.tsv or tests/native_programs/traps/expected.tsv.

check_expected.py TARRY TABLE [--limit SECONDS] [--row NUMBER] [NAME...]

Every row is one `tarry check`; no row may take longer than the limit (default: 120). --row: only this one; the first is 1.
"""

import argparse
import csv
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile


def rows(table):
    with open(table, encoding="utf-8") as lines:
        yield from csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)


def given(row, column):
    value = row.get(column)
    return "" if value in (None, "-") else value


def verdict_of(text):
    """"verified", "no-bug-found", or "bug:" and a kind for each finding."""
    try:
        answer = json.loads(text)
    except json.JSONDecodeError:
        return {"no verdict"}
    if answer["verdict"] != "bug":
        return {answer["verdict"]}
    return {"bug:" + finding["kind"] for finding in answer["findings"]}


def agrees(expected, got):
    if expected == "clean":
        return got <= {"verified", "no-bug-found"}
    return bool(got & set(expected.split(",")))


def wrong_with(tarry, folder, row, limit):
    """What is wrong with one row, or None."""
    files = (row.get("file") or row["program"]).split()
    with tempfile.TemporaryDirectory() as temporary:
        command = [tarry, "check", *(str(folder / file) for file in files), *given(row, "options").split(), "--json"]
        arguments = given(row, "arguments").replace("@TMP@", temporary)
        if arguments:
            command += ["--", *shlex.split(arguments)]
        feed = given(row, "stdin").replace("\\n", "\n")
        try:
            ran = subprocess.run(command, cwd=temporary, input=feed, capture_output=True, text=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return f"did not end within {limit} seconds"
    got = verdict_of(ran.stdout)
    if not agrees(row["verdict"], got):
        return f"expected '{row['verdict']}', found {sorted(got)}: {ran.stderr.strip()[-500:]}"
    code = given(row, "exit")
    if ran.returncode == 70 or (code and str(ran.returncode) != code):
        return f"exit code {ran.returncode}"
    text = given(row, "output")
    if text.lower() not in (ran.stdout + ran.stderr).lower():
        return f"'{text}' is not in the output"
    return None


def main(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("tarry")
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--row", type=int)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(arguments)
    checked = wrong = 0
    for number, row in enumerate(rows(options.table), start=1):
        name = row.get("file") or row["program"]
        if options.row not in (None, number):
            continue
        if options.names and not any(part in name for part in options.names):
            continue
        checked += 1
        problem = wrong_with(os.path.abspath(options.tarry), options.table.resolve().parent, row, options.limit)
        if problem is not None:
            wrong += 1
            print(f"{name} {given(row, 'options')}: error: {problem}")
    print(f"{checked} rows, {wrong} wrong")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
