#!/usr/bin/env python3
"""Compiles every program and runs it natively: what it prints must be in its .outcomes file. Sees few schedules; a check of the
files, not of Tarry.

run_native.py [--runs N] [--compiler gcc|clang] [--folder BUILD] [NAME...]
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}


def check(source, folder, runs, compilers):
    """What is wrong, as a list, and the outcomes that were seen."""
    program = folder / source.stem
    c, cpp = compilers
    compiler = [c, "-std=c11"] if source.suffix == ".c" else [cpp, "-std=c++20"]
    built = subprocess.run(compiler + FLAGS + [str(source), "-o", str(program)], capture_output=True, text=True, check=False)
    if built.returncode != 0:
        return [f"{source.name}: error: does not compile\n{built.stderr}"], set()
    allowed = set(source.with_suffix(".outcomes").read_text(encoding="utf-8").splitlines())
    seen = set()
    wrong = []
    hangs = 0
    for _ in range(runs):
        try:
            ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=5 if "deadlock" not in allowed else 0.5, check=False)
            line = ran.stdout.rstrip("\n")
            if ran.returncode != 0:
                line = f"exit code {ran.returncode}: {line}"
        except subprocess.TimeoutExpired:
            line = "deadlock"
            hangs += 1
        seen.add(line)
        if line not in allowed:
            wrong.append(f"{source.name}: error: '{line}' is not in its .outcomes")
            break
        if hangs == 2:
            break
    return wrong, seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--compiler", choices=COMPILERS, default="gcc")
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    sources = sorted(list(HERE.glob("*.c")) + list(HERE.glob("*.cpp")))
    if options.names:
        sources = [source for source in sources if source.stem in options.names]
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = options.folder or pathlib.Path(temporary)
        results = list(pool.map(lambda s: check(s, folder, options.runs, COMPILERS[options.compiler]), sources))
    wrong = [line for lines, _ in results for line in lines]
    print("\n".join(wrong + [f"{len(sources)} programs, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
