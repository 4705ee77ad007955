"""Random programs, compiled in batches and checked, beside what brute force says of them."""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from programs import source  # noqa: E402

TARRY = str(pathlib.Path(os.environ["TARRY"]).resolve())
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]


def compiled(folder, programs, compiler, level):
    program = pathlib.Path(folder) / f"programs{compiler}{level}"
    text = pathlib.Path(folder) / "programs.cpp"
    text.write_text(source(programs), encoding="utf-8")
    subprocess.run([TARRY, "c++", "-std=c++20", level, "-g", "-w", "-o", program, text, "-pthread"], check=True, env=dict(os.environ, TARRY_CXX=compiler))
    return program


def check(executable, number, jobs, *options):
    command = [TARRY, "check", str(executable), "--outcomes", "--json", "--jobs", str(jobs), "--time", "120s", *options, "--", str(number)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=executable.parent, stdin=subprocess.DEVNULL, timeout=600, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"verdict": f"none, exit code {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}", "findings": [], "notes": []}


def difference(expected, answer):
    """In words; empty: there is none."""
    kinds = {}
    for finding in answer["findings"]:
        kinds.setdefault(finding["kind"], []).append(finding["message"])
    wrong = []
    stuck = bool(kinds.pop("deadlock", []) + kinds.pop("livelock", []))
    races = kinds.pop("data-race", [])
    torn = bool(expected.races & {"g", "o"})  # who finds a string half changed may write or do anything
    if kinds and not torn:
        wrong.append(f"it is said to have {kinds}")
    if stuck != expected.stuck and not torn:
        wrong.append(f"stuck: {stuck}, expected {expected.stuck}")
    if bool(races) != bool(expected.races):
        wrong.append(f"races: {races}, expected {expected.races}")
    outputs = {outcome["output"] for outcome in answer.get("outcomes", [])}
    if not torn and outputs != expected.outputs:
        wrong.append(f"outputs that are not there: {sorted(outputs - expected.outputs)[:5]}, missing: {sorted(expected.outputs - outputs)[:5]} of {len(expected.outputs)}")
    unfair = any(text.startswith("fair") for text in answer.get("assumes") or [])  # reuses and delays of clocks are bounded here, too
    if answer["verdict"] != ("bug" if stuck or races else "verified") or (answer["verdict"] == "verified" and unfair):
        wrong.append(f"verdict {answer['verdict']}, {answer.get('assumes')}, {answer.get('stopped_by')}")
    return wrong


def compare(folder, drawn, ways, workers=2):
    """`drawn`: programs and what is expected; `ways(i)`: (compiler, level, jobs) of the i-th. What differs, in words."""
    programs = [program for program, _ in drawn]
    executables = {}
    for i in range(len(drawn)):
        for compiler, level, _ in ways(i):
            if (compiler, level) not in executables:
                executables[compiler, level] = compiled(folder, programs, compiler, level)

    def one(i, compiler, level, jobs):
        wrong = difference(drawn[i][1], check(executables[compiler, level], i, jobs))
        return [f"program {drawn[i][0].seed} ({', '.join(drawn[i][0].families)}; {compiler} {level}, {jobs} jobs): {text}" for text in wrong]

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        tasks = [pool.submit(one, i, *way) for i in range(len(drawn)) for way in ways(i)]
        return [text for task in tasks for text in task.result()]
