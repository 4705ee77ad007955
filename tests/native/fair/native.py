"""Programs that tell of their states, compiled and checked."""

import json
import os
import pathlib
import subprocess

TARRY = str(pathlib.Path(os.environ["TARRY"]).resolve())
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"]).resolve()


def compiled(source, to):
    command = [TARRY, "c++", "-std=c++20", "-O1", "-I", SOURCE / "tests/native/fair", "-I", SOURCE / "examples/threads/work_stealing", "-I", SOURCE / "include", "-o", to, source, "-pthread"]
    subprocess.run(command, check=True)
    return to


def check(program, arguments, *options, search="dfs", paper=True, jobs=1):
    """`paper`: algorithm 1 alone, with every yield, unless the options say otherwise; loops that only look are no awaits."""
    if paper:
        fair = [] if any(option.startswith("--fair-scheduling") for option in options) else ["--fair-scheduling=1"]
        options = [*fair, "--awaits", "off", *options]
    command = [TARRY, "check", str(program), "--jobs", str(jobs), *(["--search", search] if search else []), "--json", *options, "--", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=program.parent, check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    answer = json.loads(done.stdout)
    answer["covered"] = set(answer.get("covered", []))
    return answer
