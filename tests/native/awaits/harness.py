"""Programs that are compiled, checked, and asked for their verdict."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))

from precompiled import precompiled  # noqa: E402
from ways import ALL, ways  # noqa: E402, F401

TARRY = str(pathlib.Path(os.environ["TARRY"]).resolve())
HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = pathlib.Path(os.environ["SOURCE_DIR"]).resolve() / "include"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]


def compiled(folder, source, *flags, compiler="g++", level="-O1", ahead=False):
    """The executable. `ahead`: with headers that are compiled once for all programs (tests/support/precompiled.py)."""
    program = pathlib.Path(folder) / ("_".join([pathlib.Path(source).stem, compiler, level, *flags]).replace("/", "") or "program")
    environment = dict(os.environ, TARRY_CXX=compiler)
    options = ["-std=c++20", level, "-g", "-pthread"]
    headers = precompiled(TARRY, source, compiler, *options) if ahead else []
    subprocess.run([TARRY, "c++", *headers, *options, "-I", INCLUDE, "-o", program, source, *flags], check=True, env=environment)
    return program


def check(program, *options, arguments=(), jobs=1):
    command = [TARRY, "check", str(program), "--jobs", str(jobs), "--json", *options, "--", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=pathlib.Path(program).parent, timeout=600, check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    answer = json.loads(done.stdout)
    answer["kinds"] = [finding["kind"] for finding in answer["findings"]]
    answer["exit"] = done.returncode
    return answer


def compiled_ahead(*arguments, **how):
    return compiled(*arguments, ahead=True, **how)
