#!/usr/bin/env python3
"""The same verdicts with every compiler that is installed, optimization level and standard library.

compilers_test.py [COMPILER…] [-O LEVEL…]      (default: all, 0 1 2)
The tests are those of examples/threads/account and examples/threads/bounded_queue.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
TARRY = os.environ["TARRY"]
TABLE = SOURCE / "examples" / "threads" / "expected.tsv"
COMPILERS = ["g++-12", "clang++-14", "clang++-19"]
LIBRARIES = {"libstdc++": [], "libc++": ["-stdlib=libc++"]}

sys.path.insert(0, str(SOURCE / "tests" / "native_programs"))
sys.dont_write_bytecode = True
from check_expected import agrees, rows, verdict_of  # noqa: E402  # the folder is known only now


def compiles(compiler, options):
    """Whether the compiler is there, and its standard library."""
    if shutil.which(compiler) is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        program = "#include <mutex>\n#include <thread>\nint main() { std::thread([] {}).join(); }\n"
        command = [compiler, *options, "-std=c++20", "-pthread", "-x", "c++", "-", "-o", os.path.join(folder, "out")]
        return subprocess.run(command, input=program, capture_output=True, text=True, check=False).returncode == 0


def problem_with(row, compiler, level, options):
    with tempfile.TemporaryDirectory() as folder:
        command = [TARRY, "check", TABLE.parent / row["file"], "-O", level, "--json"]
        if options:
            command += ["--cflags", " ".join(options), "--ldflags", " ".join(options)]
        environment = {**os.environ, "TARRY_CXX": compiler, "XDG_CACHE_HOME": folder}
        try:
            ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=240, check=False)
        except subprocess.TimeoutExpired:
            return "did not end within 240 seconds"
        got = verdict_of(ran.stdout)
        if not agrees(row["verdict"], got):
            return f"expected '{row['verdict']}', found {sorted(got)}: {ran.stderr.strip()[-500:]}"
        return wrong_replay(json.loads(ran.stdout), row, folder, environment)


def wrong_replay(answer, row, folder, environment):
    """Each finding is shown again (by the same compiler: the trace does not say which it was), with lines of the test's own folder."""
    for finding in answer["findings"]:
        again = subprocess.run([TARRY, "replay", finding["trace"]], cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)
        if again.returncode != 1 or finding["kind"] not in again.stdout:
            return f"the replay of {finding['kind']} ended with {again.returncode}: {again.stdout[-500:]}{again.stderr[-500:]}"
        if not any(f"{path.name}:" in again.stdout for path in (TABLE.parent / row["file"]).parent.iterdir()):
            return f"the replay of {finding['kind']} shows no line of the program: {again.stdout[-1000:]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("compilers", nargs="*", default=COMPILERS)
    parser.add_argument("-O", dest="levels", action="append")
    options = parser.parse_args()
    checked = wrong = 0
    for compiler in options.compilers:
        for library, flags in LIBRARIES.items():
            if not compiles(compiler, flags):
                if "clang" in compiler or not flags:
                    print(f"{compiler} with {library}: not here")
                continue
            for level in options.levels or ["0", "1", "2"]:
                for row in rows(TABLE):
                    if not row["file"].startswith(("account/", "bounded_queue/")) or row.get("options") != "-":
                        continue
                    checked += 1
                    problem = problem_with(row, compiler, level, flags)
                    if problem is not None:
                        wrong += 1
                        print(f"{compiler} -O{level} with {library}: {row['file']}: error: {problem}", flush=True)
    print(f"{checked} checks, {wrong} wrong")
    return 1 if wrong else 0 if checked else 77


if __name__ == "__main__":
    sys.exit(main())
