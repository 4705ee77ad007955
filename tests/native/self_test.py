#!/usr/bin/env python3
"""Tarry checks itself: the structures that workers of a search share, as they are in src, and the same with mistakes planted.

    self_test.py [--all] [NAME...]

Programs are in tests/native/self; what they do, and in which scenes, is said at their beginning. Tables are small at first
(src/store/first_sizes.h), so that growing is among what happens. A mistake is a patch in tests/native/self/mutants with a line

    found-by: PROGRAM SCENE KIND

and Tarry must find it, by the default check, and replay it. With --all (tests/slow_native/self_test.py) bounds are higher, and all
mistakes are planted, not only one for each structure. With names: these programs and mistakes only.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TARRY = os.environ["TARRY"]
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
SELF = SOURCE / "tests" / "native" / "self"

# Program: its file, and options of the compiler.
PROGRAMS = {
    "work_pool": ("work_pool.cpp", []),
    "gate": ("gate.cpp", []),
    "state_store": ("state_store.cpp", []),
    "interner": ("interner.cpp", ["-lxxhash"]),
    "memory_share": ("work_share.cpp", []),
    "process_share": ("work_share.cpp", ["-DPROCESSES"]),
    "post": ("post.cpp", []),
    "admission": ("admission.cpp", []),
    "owner_mark": ("owner_mark.cpp", []),
    "nested_marks": ("nested_marks.cpp", []),
}
EVERY = None
# Program, scene, and which of its executions are explored: every one, or those with so many preemptions; and with --all.
CHECKS = [
    ("work_pool", 0, EVERY, EVERY),
    ("work_pool", 1, EVERY, EVERY),
    ("work_pool", 2, EVERY, EVERY),
    ("work_pool", 3, 3, EVERY),
    ("work_pool", 4, EVERY, EVERY),
    ("gate", 0, EVERY, EVERY),
    ("gate", 1, EVERY, EVERY),
    ("gate", 2, 2, 4),
    ("state_store", 0, EVERY, EVERY),
    ("state_store", 1, 2, 3),
    ("state_store", 2, 2, 4),
    ("state_store", 3, 2, 2),
    ("state_store", 4, 2, 2),
    ("interner", 0, 1, 3),
    ("interner", 1, 1, 3),
    ("memory_share", 0, EVERY, EVERY),
    ("memory_share", 1, EVERY, EVERY),
    ("memory_share", 2, EVERY, EVERY),
    ("memory_share", 3, 2, EVERY),
    ("process_share", 0, 2, 3),
    ("process_share", 1, 2, 3),
    ("process_share", 2, 2, 4),
    ("process_share", 3, 1, 2),
    ("post", 0, 2, 3),
    ("post", 1, EVERY, EVERY),
    ("admission", 0, EVERY, EVERY),
    ("admission", 1, 3, EVERY),
    ("admission", 2, 2, 3),
    ("admission", 3, 2, 3),
    ("owner_mark", 0, EVERY, EVERY),
    ("owner_mark", 1, 2, 4),
    ("owner_mark", 2, EVERY, EVERY),
    ("owner_mark", 3, EVERY, EVERY),
    ("nested_marks", 0, EVERY, EVERY),
    ("nested_marks", 1, EVERY, EVERY),
    ("nested_marks", 2, EVERY, EVERY),
    ("nested_marks", 3, 2, 4),
    ("nested_marks", 4, 3, EVERY),
    ("nested_marks", 5, 2, 4),
]
# One for each structure; the others with --all.
MISTAKES = ["pool_lost_wake_up", "gate_others_inside", "lanes_lost_swap", "pairs_looked_once", "interner_looks_once", "share_leaves_silently",
            "share_keeps_void_work", "post_claims_twice",
            "admission_decides_twice", "owner_leaves_told", "nested_red_too_early"]  # fmt: skip


def build(program, source, folder):
    """The executable; None if it does not compile."""
    file, options = PROGRAMS[program]
    out = folder / program
    done = subprocess.run([TARRY, "c++", "-std=c++20", "-O1", "-g", "-DTARRY_SMALL_TABLES", f"-I{source / 'src'}", f"-I{SOURCE / 'include'}",
                           str(SELF / file), "-o", str(out), *options], capture_output=True, text=True, check=False)  # fmt: skip
    if done.returncode != 0:
        print(done.stderr[-3000:], file=sys.stderr)
        return None
    return out


def check(executable, scene, options):
    ran = subprocess.run([TARRY, "check", str(executable), "--jobs", "1", "--json", *options, "--", str(scene)], cwd=executable.parent,
                         capture_output=True, text=True, check=False)  # fmt: skip
    try:
        return json.loads(ran.stdout)
    except json.JSONDecodeError:
        return {"verdict": "none", "verdict_text": ran.stdout + ran.stderr, "findings": []}


def wrong_with(executable, scene, bound):
    if bound is EVERY:
        answer = check(executable, scene, ["--time", "20m"])
        right = answer["verdict"] == "verified" and answer["verdict_text"].startswith("verified under sequential consistency")
    else:
        answer = check(executable, scene, ["--time", "20m", "--search", "preemption-bounded", "--max-preemptions", str(bound), "--strict-bound"])
        right = answer["verdict"] == "no-bug-found" and answer["reached"] == {"bound": "preemptions", "value": bound}
    return None if right else answer["verdict_text"]


def wrong_with_mistake(patch, folder):
    program, scene, kind = re.search(r"^found-by: (\w+) (\d+) ([\w-]+)$", patch.read_text(), re.M).groups()
    source = folder / "source"
    for part in ("base", "core", "store", "explore", "enforce", "native/abi", "native/rt"):
        shutil.copytree(SOURCE / "src" / part, source / "src" / part)
    planted = subprocess.run(["patch", "-p1", "--forward", "--reject-file=-", "-i", patch], cwd=source, capture_output=True, text=True, check=False)
    if planted.returncode != 0:
        return "does not apply: " + planted.stdout
    executable = build(program, source, folder)
    if executable is None:
        return "does not compile"
    answer = check(executable, scene, [])
    if kind not in {finding["kind"] for finding in answer["findings"]}:
        return f"expected {kind}, found: {answer['verdict_text']}"
    traces = sorted(folder.glob(f"tarry-out/*-{kind}-*.tarry"))
    again = subprocess.run([TARRY, "replay", traces[0]], cwd=folder, capture_output=True, text=True, check=False)
    return None if f"\n{kind}: " in again.stdout else "does not replay: " + again.stdout[-500:] + again.stderr


def main():
    unbounded = "--all" in sys.argv[1:]
    names = [name for name in sys.argv[1:] if name != "--all"]
    bad = 0

    def tell(name, wrong):
        nonlocal bad
        bad += 1 if wrong else 0
        print(f"{name}: {'wrong: ' + wrong if wrong else 'as expected'}", flush=True)

    for program in PROGRAMS:
        if names and program not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            executable = build(program, SOURCE, pathlib.Path(folder))
            for _, scene, bound, higher in [each for each in CHECKS if each[0] == program]:
                tell(f"{program} {scene}", wrong_with(executable, scene, higher if unbounded else bound) if executable else "does not compile")
    for patch in sorted((SELF / "mutants").glob("*.patch")):
        if patch.stem in names or (not names and (unbounded or patch.stem in MISTAKES)):
            with tempfile.TemporaryDirectory() as folder:
                tell(patch.stem, wrong_with_mistake(patch, pathlib.Path(folder)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
