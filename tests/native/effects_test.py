#!/usr/bin/env python3
"""What programs do outside of their memory is undone, and every way to crash or to end is a verdict.

effects_test.py TARRY
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "effects"

# By program and case, how it ends: the kind of the finding and a part of its text; None: verified.
ENDS = {
    "crashes": {
        "segv": ("crash", "null pointer"),
        "call": ("crash", "null pointer"),
        "wildcall": ("crash", "does not exist"),
        "noncanon": ("crash", "cannot exist"),
        "wild": ("crash", "cannot exist"),
        "smash": ("crash", "cannot exist"),
        "ffpe": ("crash", "SIGFPE"),
        "ill": ("crash", "illegal instruction"),
        "int3": ("crash", "SIGTRAP"),
        "bus": ("crash", "beyond the end"),
        "overflow": ("crash", "overflowed its stack"),
        "deepok": None,
        "code": ("crash", "may not be accessed"),
        "ruin": ("crash", ""),
        "pure": ("crash", "pure virtual"),
        "freebad": ("memory", "free()"),
        "null lock": ("crash", "null pointer"),
    },
    "ends": {
        "abort": ("crash", "abort()"),
        "abrthandler": ("crash", "abort()"),
        "throw": ("exception", "the text"),
        "at": ("exception", "out_of_range"),
        "terminate": ("crash", "std::terminate"),
        "exit": None,
        "_exit": None,
        "quick": None,
        "exitlock": None,
        "raise": ("crash", "SIGTERM"),
        "raiseabrt": ("crash", "SIGABRT"),
        "kill": ("crash", "SIGUSR1"),
        "pipe": ("crash", "SIGPIPE"),
        "handler": None,
        "fix": None,
        "handlercrash": ("crash", "null pointer"),
    },
}
# By program, what is done outside: always verified, and nothing of it is left. Only `own_process` needs a process an execution.
OUTSIDE = {
    "undone": ("read", "leak", "count", "create", "temp", "mmap", "shared", "chdir", "close0", "freopen", "stat", "global", "getenv"),
    "channels": ("pipe", "pair", "event", "poll", "timed poll", "select", "epoll", "polled", "epolled", "stdin"),
    "own_process": ("mprot", "fork", "system", "popen", "exec", "timer", "socket"),
}
# Of these, what is done once more with a process an execution.
FRESH = {"undone": ("count", "create", "read"), "channels": ("pipe",)}


def build(tarry, source, folder):
    program = folder / source.stem
    subprocess.run([tarry, "c++", "-std=c++20", "-O1", "-g", "-w", str(source), "-o", str(program), "-pthread"], check=True)
    return program


def check(tarry, program, arguments, folder, *options):
    ran = subprocess.run([tarry, "check", str(program), "--json", "--time", "20s", *options, "--", *arguments], cwd=folder, capture_output=True, text=True,
                         stdin=subprocess.DEVNULL, timeout=120, check=False)
    try:
        return json.loads(ran.stdout), ran
    except json.JSONDecodeError:
        return {"verdict": "none", "findings": []}, ran


def check_ends(tarry, programs, work):
    """What is wrong with the ends, each in a thread and in main, and how many were checked."""
    wrong = []
    checked = 0
    for program, cases in ENDS.items():
        for name, expected in cases.items():
            for where in ([], ["main"]):
                checked += 1
                answer, ran = check(tarry, programs[program], [name, *where], work)
                found = [(finding["kind"], finding["message"]) for finding in answer["findings"]]
                if expected is None and answer["verdict"] == "verified":
                    continue
                if expected is not None and any(kind == expected[0] and expected[1] in message for kind, message in found):
                    continue
                wrong.append(f"{program} {name} {where}: {answer['verdict']} {found} (exit {ran.returncode}) {ran.stderr[-300:]}")
    return wrong, checked


def check_outside(tarry, programs, work):
    """What is wrong with the effects, each of which leaves the folder as it was, and how many were checked."""
    wrong = []
    checked = 0
    before = {path.name: path.read_text() for path in work.iterdir() if path.is_file()}
    for program, cases in OUTSIDE.items():
        fresh = program == "own_process"
        for name in cases:
            checked += 1
            answer, ran = check(tarry, programs[program], [name], work)
            if answer["verdict"] != "verified":
                wrong.append(f"{program} {name}: {answer['verdict']} {answer['findings']} (exit {ran.returncode}) {ran.stderr[-300:]}")
            if fresh != ("process of its own" in ran.stdout + ran.stderr):
                wrong.append(f"{program} {name}: a process of its own was {'not ' if fresh else ''}used")
            after = {path.name: path.read_text() for path in work.iterdir() if path.is_file()}
            if after != before or {path.name for path in work.iterdir()} - {"tarry-out"} != set(before):
                wrong.append(f"{program} {name}: left {sorted(path.name for path in work.iterdir())}, {after}")
    return wrong, checked


def check_fresh(tarry, programs, work):
    """What is wrong with effects that could be undone where each execution has its own process, and how many were checked."""
    wrong = []
    checked = 0
    for program, cases in FRESH.items():
        for name in cases:
            checked += 1
            answer, ran = check(tarry, programs[program], [name], work, "--fresh")
            if answer["verdict"] != "verified":
                wrong.append(f"{program} {name} --fresh: {answer['verdict']} (exit {ran.returncode}) {ran.stderr[-300:]}")
    return wrong, checked


def main():
    tarry = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ["TARRY"])
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        work = folder / "work"
        work.mkdir()
        (work / "cnt.txt").write_text("5\n")
        (work / "keep.txt").write_text("keep\n")
        programs = {name: build(tarry, HERE / f"{name}.cpp", folder) for name in (*ENDS, *OUTSIDE)}
        wrong_ends, ends = check_ends(tarry, programs, work)
        wrong_outside, outside = check_outside(tarry, programs, work)
        wrong_fresh, fresh = check_fresh(tarry, programs, work)
    wrong = wrong_ends + wrong_outside + wrong_fresh
    print("\n".join(wrong) or f"{ends} ends, {outside} effects, {fresh} of them in fresh processes too: all as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
