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

# How it ends: the kind of the finding and a part of its text; None: verified.
ENDS = {
    "segv": ("crash", "null pointer"), "call": ("crash", "null pointer"), "wildcall": ("crash", "does not exist"),
    "noncanon": ("crash", "cannot exist"), "ffpe": ("crash", "SIGFPE"), "ill": ("crash", "illegal instruction"), "int3": ("crash", "SIGTRAP"),
    "bus": ("crash", "beyond the end"), "abort": ("crash", "abort()"), "overflow": ("crash", "overflowed its stack"),
    "throw": ("exception", "the text"), "at": ("exception", "out_of_range"), "terminate": ("crash", "std::terminate"),
    "pure": ("crash", "pure virtual"), "code": ("crash", "may not be accessed"), "ruin": ("crash", ""), "exit": None, "_exit": None,
    "quick": None, "raise": ("crash", "SIGTERM"), "raiseabrt": ("crash", ""), "kill": ("crash", "SIGUSR1"), "handler": None, "fix": None,
    "handlercrash": ("crash", "null pointer"), "abrthandler": ("crash", "abort()"), "pipe": ("crash", "SIGPIPE"), "deepok": None,
    "freebad": ("memory", "free()"), "null lock": ("crash", "null pointer"), "exitlock": None,
}
# What it does outside: the verdict, and whether it needs a process of its own.
OUTSIDE = {
    "read": False, "leak": False, "count": False, "create": False, "temp": False, "mmap": False, "shared": False, "chdir": False,
    "close0": False, "freopen": False, "stat": False, "pipe": False, "pair": False, "event": False, "poll": False, "select": False, "epoll": False, "polled": False, "epolled": False,
    "mprot": True, "fork": True, "system": True, "popen": True, "exec": True, "timer": True, "socket": True,
}


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


def main():
    tarry = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.environ["TARRY"])
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        work = folder / "work"
        work.mkdir()
        (work / "cnt.txt").write_text("5\n")
        (work / "keep.txt").write_text("keep\n")
        before = {path.name: path.read_text() for path in work.iterdir()}
        program = build(tarry, HERE / "ends.cpp", folder)
        for name, expected in ENDS.items():
            for where in ([], ["main"]):
                answer, ran = check(tarry, program, [name, *where], work)
                found = [(finding["kind"], finding["message"]) for finding in answer["findings"]]
                if expected is None and answer["verdict"] == "verified":
                    continue
                if expected is not None and any(kind == expected[0] and expected[1] in message for kind, message in found):
                    continue
                wrong.append(f"ends {name} {where}: {answer['verdict']} {found} (exit {ran.returncode}) {ran.stderr[-300:]}")
        program = build(tarry, HERE / "outside.cpp", folder)
        for name, fresh in OUTSIDE.items():
            answer, ran = check(tarry, program, [name], work)
            if answer["verdict"] != "verified":
                wrong.append(f"outside {name}: {answer['verdict']} {answer['findings']} (exit {ran.returncode}) {ran.stderr[-300:]}")
            if fresh != ("process of its own" in ran.stdout + ran.stderr):
                wrong.append(f"outside {name}: a process of its own was {'not ' if fresh else ''}used")
            after = {path.name: path.read_text() for path in work.iterdir() if path.is_file()}
            if after != before or {path.name for path in work.iterdir()} - {"tarry-out"} != set(before):
                wrong.append(f"outside {name}: left {sorted(path.name for path in work.iterdir())}, {after}")
        # The same in processes of their own.
        for name in ("count", "create", "read", "pipe"):
            answer, ran = check(tarry, program, [name], work, "--fresh")
            if answer["verdict"] != "verified":
                wrong.append(f"outside {name} --fresh: {answer['verdict']} (exit {ran.returncode}) {ran.stderr[-300:]}")
    print("\n".join(wrong) or f"{2 * len(ENDS)} ends, {len(OUTSIDE)} effects: all as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
