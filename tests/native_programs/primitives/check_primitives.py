#!/usr/bin/env python3
"""The set of outcomes over all schedules, by `tarry check` alone, is the set in the .outcomes file:

- every outcome is found: if it is refused (OUTCOMES_REFUSED, see outcome.h), that is an assertion which fails;
- there is no other one: if these are allowed and nothing else (OUTCOMES_ALLOWED), the program is verified;
- where `deadlock` is one of them, that is what is found when all lines are allowed. A search that ends at its first bug then says
  nothing of the lines; with --all-findings it is asked to go on, with the option named there.

check_primitives.py TARRY [--all-findings OPTION] [NAME...]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def check(tarry, source, options, folder, **environment):
    """The verdict and the kinds of what was found."""
    command = [tarry, "check", str(source), "--json", *options]
    ran = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    try:
        answer = json.loads(ran.stdout)
    except json.JSONDecodeError:
        return f"exit code {ran.returncode}: {ran.stderr.strip()}", set()
    return answer["verdict"], {finding["kind"] for finding in answer["findings"]}


def wrong_with(tarry, source, more, folder):
    """What is wrong, as a list."""
    lines = source.with_suffix(".outcomes").read_text(encoding="utf-8").splitlines()
    outcomes = [line for line in lines if line != "deadlock"]
    deadlocks = "deadlock" in lines
    wrong = []
    verdict, kinds = check(tarry, source, more, folder, OUTCOMES_ALLOWED="\n".join(outcomes))
    if (verdict, kinds) != (("bug", {"deadlock"}) if deadlocks else ("verified", set())):
        wrong.append(f"{source.name}: error: with all outcomes allowed, '{verdict}' {sorted(kinds)}")
    if deadlocks and not more:
        return wrong
    for line in outcomes:
        verdict, kinds = check(tarry, source, more, folder, OUTCOMES_REFUSED=line)
        if verdict != "bug" or "assertion" not in kinds:
            wrong.append(f"{source.name}: error: '{line}' was not found: '{verdict}' {sorted(kinds)}")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tarry")
    parser.add_argument("--all-findings", default="", metavar="OPTION")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    sources = sorted(list(HERE.glob("*.c")) + list(HERE.glob("*.cpp")))
    if options.names:
        sources = [source for source in sources if source.stem in options.names]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            wrong += wrong_with(os.path.abspath(options.tarry), source, options.all_findings.split(), folder)
    print("\n".join(wrong + [f"{len(sources)} programs, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
