#!/usr/bin/env python3
"""The same verdicts with every compiler, standard library and optimization level.

compilers_test.py [COMPILER…] [-O LEVEL…] [--library LIBRARY] [--only TEXT]      (default: all compilers and libraries, 0 1 2, all tests)
The tests are those of examples/threads/expected.tsv and of tests/native/library_counts; and the primitives with their sets of outcomes, at one
level for each compiler and library unless levels are named.
A compiler that is not there is an error: scripts/packages.txt lists them for `./test slow`. libc++ is that of clang 19; Debian's of clang 14
cannot be installed beside it, and clang 14 cannot read the headers of the newer one.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
TARRY = os.environ["TARRY"]
TABLES = [SOURCE / "examples" / "threads" / "expected.tsv", SOURCE / "tests" / "native" / "library_counts" / "expected.tsv"]
# The compilers of C and C++, and their standard libraries.
COMPILERS = {
    "g++-12": ("gcc-12", ["libstdc++"]),
    "clang++-14": ("clang-14", ["libstdc++"]),
    "clang++": ("clang", ["libstdc++"]),
    "clang++-19": ("clang-19", ["libstdc++", "libc++"]),
}
PRIMITIVES_AT = {("g++-12", "libstdc++"): "2", ("clang++-14", "libstdc++"): "0", ("clang++-19", "libstdc++"): "1", ("clang++-19", "libc++"): "2"}
LACKS = {"libc++": {"atomic_shared_ptr"}}  # primitives that are not in a library yet
# The lock of libc++'s stop tokens is an atomic wait: millions of schedules.
BOUNDED = {"libc++": {"condition_variable_any_stop"}}

sys.path[:0] = [str(SOURCE / "tests" / "native_programs"), str(SOURCE / "tests" / "native")]
sys.dont_write_bytecode = True
import primitives_test  # noqa: E402  # the folder is known only now
from check_expected import agrees, given, rows, verdict_of  # noqa: E402


class Build:
    """One way to compile a program."""

    def __init__(self, cxx, library, level):
        self.name = f"{cxx} -O{level} with {library}"
        self.options = ["--cc", COMPILERS[cxx][0], "--cxx", cxx, "-O", level]
        if library == "libc++":
            self.options += ["--cflags=-stdlib=libc++ -fexperimental-library", "--ldflags=-stdlib=libc++ -fexperimental-library"]
        self.library = library


    def options_for(self, source):
        return self.options if source.endswith(".cpp") else [one for one in self.options if "-stdlib" not in one]


def name_of(row):
    return row.get("file") or row["program"]


def row_wrong(build, test):
    folder_of_table, row = test
    files = [str(folder_of_table / file) for file in name_of(row).split()]
    options = [*build.options_for(files[0]), *given(row, "options").split()]
    with tempfile.TemporaryDirectory() as folder:
        command = [TARRY, "check", *files, *options, "--json"]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=240, check=False)
        got = verdict_of(ran.stdout)
        if not agrees(row["verdict"], got):
            return [f"expected '{row['verdict']}', found {sorted(got)}: {ran.stderr.strip()[-500:]}"]
        return list(wrong_replays(json.loads(ran.stdout), files, folder))


def wrong_replays(answer, files, folder):
    """Each finding is shown again, with lines of the test's own folder."""
    for finding in answer["findings"]:
        again = subprocess.run([TARRY, "replay", finding["trace"]], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        if again.returncode != 1 or finding["kind"] not in again.stdout:
            yield f"the replay of {finding['kind']} ended with {again.returncode}: {again.stdout[-500:]}{again.stderr[-500:]}"
        elif not any(f"{path.name}:" in again.stdout for path in pathlib.Path(files[0]).parent.iterdir()):
            yield f"the replay of {finding['kind']} shows no line of the program: {again.stdout[-1000:]}"


def primitive_wrong(build, source):
    if source.stem in LACKS.get(build.library, set()):
        return []
    with tempfile.TemporaryDirectory() as folder:
        bounded = source.stem in BOUNDED.get(build.library, set())
        bounds = ["--search", "preemption-bounded", "--max-preemptions", "3"] if bounded else []
        return primitives_test.outcomes_of(source, folder, [*build.options_for(source.name), *bounds], bounded)


def run(job):
    build, name, check, subject = job
    try:
        wrong = check(build, subject)
    except (RuntimeError, subprocess.TimeoutExpired) as problem:
        wrong = [str(problem)[-2000:]]
    for line in wrong:
        print(f"{build.name}: {name}: error: {line}", flush=True)
    return len(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("compilers", nargs="*", default=[one for one in COMPILERS if one != "clang++"])  # which is one of the others
    parser.add_argument("-O", dest="levels", action="append")
    parser.add_argument("--library", choices=["libstdc++", "libc++"])
    parser.add_argument("--only", action="append", help="tests whose name has this in it")
    options = parser.parse_args()
    tests = [(name_of(row), row_wrong, (table.parent, row)) for table in TABLES for row in rows(table)]
    primitives = [(source.name, primitive_wrong, source) for source in primitives_test.programs()]
    jobs = []
    for cxx, level in itertools.product(options.compilers, options.levels or ["0", "1", "2"]):
        for library in COMPILERS[cxx][1]:
            if options.library in (None, library):
                chosen = tests + (primitives if options.levels or PRIMITIVES_AT[cxx, library] == level else [])
                jobs += [(Build(cxx, library, level), *test) for test in chosen if any(part in test[0] for part in options.only or [""])]
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(2) as pool:
        os.environ["XDG_CACHE_HOME"] = cache
        wrong = sum(pool.map(run, jobs))
    print(f"{len(jobs)} checks, {wrong} wrong")
    return 1 if wrong or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
