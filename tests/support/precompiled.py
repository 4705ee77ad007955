"""Headers of the standard library, compiled ahead for the programs under test: parsing <thread> takes longer than compiling what a test is about.

`tarry c++` compiles them with what it adds to every command, so they fit the programs that it compiles with the same options. They are kept beside
the compiled models of the tests, one file for each compiler and options.
"""

import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

HEADERS = ("atomic", "condition_variable", "memory", "mutex", "string", "thread", "vector")
# A program with one of these gains by it; to others, reading the compiled headers is the longer way.
HEAVY = re.compile(r"^#include <(?:chrono|condition_variable|future|memory|mutex|semaphore|shared_mutex|stop_token|thread)>", re.MULTILINE)
# What must stand before the first header. Then there is no other way.
FIRST = re.compile(r"^#\s*define _[A-Z]|_GLIBCXX|_FORTIFY_SOURCE", re.MULTILINE)


# The system's headers change only when it installs packages. Compiled headers that are older than one of these are refused by clang.
PACKAGES = "/var/lib/dpkg/status"


def stamp(program):
    status = os.stat(shutil.which(program) or program)
    return f"{program} {status.st_ino} {status.st_size} {status.st_mtime_ns}"


def precompiled(tarry, source, compiler, *options):
    """Options for `tarry c++ OPTIONS SOURCE`, to stand before the others; none if the program is better compiled without. `options`: its -std, -O, -g and -pthread."""
    text = pathlib.Path(source).read_text(encoding="utf-8")
    if "BUILD_DIR" not in os.environ or not HEAVY.search(text) or FIRST.search(text):
        return []
    folder = pathlib.Path(os.environ["BUILD_DIR"], "test-cache", "headers", "".join((compiler, *options)))
    folder.mkdir(parents=True, exist_ok=True)
    header, made, key = folder / "standard.h", folder / "standard.h.gch", folder / "key"
    installed = [stamp(PACKAGES)] if os.path.exists(PACKAGES) else []
    wanted = "\n".join((stamp(tarry), stamp(compiler), *installed, *options, *HEADERS))
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run at the same time
        if not key.exists() or key.read_text(encoding="utf-8") != wanted:
            with tempfile.TemporaryDirectory(dir=folder) as own:
                header.write_text("".join(f"#include <{name}>\n" for name in HEADERS), encoding="ascii")
                subprocess.run([tarry, "c++", *options, "-x", "c++-header", header, "-o", pathlib.Path(own) / "made"], check=True, env=dict(os.environ, TARRY_CXX=compiler))
                os.replace(pathlib.Path(own) / "made", made)
            key.write_text(wanted, encoding="utf-8")
    return ["-include-pch", str(made)] if compiler.startswith("clang") else ["-include", str(header)]
