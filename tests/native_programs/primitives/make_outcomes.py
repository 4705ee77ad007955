#!/usr/bin/env python3
"""Writes NAME.outcomes beside each program NAME.c or NAME.cpp: the exact set of what it can print, by programs.py and model.py.

make_outcomes.py           writes all
make_outcomes.py --check   says what differs from the stored files, exit code 1 if anything does
"""

import pathlib
import sys

import model
import programs

HERE = pathlib.Path(__file__).resolve().parent


def main():
    check = sys.argv[1:] == ["--check"]
    wrong = 0
    sources = sorted(list(HERE.glob("*.c")) + list(HERE.glob("*.cpp")))
    for source in sources:
        described = programs.program(source.stem)
        if described is None:
            print(f"{source.name}: error: 'programs.py' does not describe it")
            wrong += 1
            continue
        text = "".join(line + "\n" for line in sorted(model.outcomes(described)))
        stored = source.with_suffix(".outcomes")
        if not check:
            stored.write_text(text, encoding="utf-8")
        elif not stored.exists() or stored.read_text(encoding="utf-8") != text:
            print(f"{stored.name}: error: differs from what the model gives:\n{text}", end="")
            wrong += 1
    names = {source.stem for source in sources}
    for stored in HERE.glob("*.outcomes"):
        if stored.stem not in names:
            print(f"{stored.name}: error: there is no such program")
            wrong += 1
    print(f"{len(sources)} programs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
