#!/usr/bin/env python3
"""Programs that were once wrongly verified or wrongly accused, each with its twin that is right (-DFIXED): with both compilers, one of them with
optimization. And what libraries say by annotations, programs of the system in the locale of the environment, what comes after the search.

A compiler that is not installed is passed over.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from ways import ways  # noqa: E402

TARRY = os.environ["TARRY"]
SOURCES = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "native" / "trust"

# By program: the kind of what is found without FIXED; with it, the program is verified.
TWINS = {
    "clock_between.cpp": "assertion",
    "clock_alone.c": "assertion",
    "clock_apart.cpp": "assertion",
    "clock_of_times.c": "assertion",
    "signal_late.cpp": "assertion",
    "signal_carries.cpp": "data-race",
    "mask_in_between.cpp": "assertion",
    "handler_counts.c": "assertion",
    "handlers_race.c": "data-race",
    "cancelled_between.c": "assertion",
    "cancelled_without_cleanup.cpp": "assertion",
    "fence_werror.cpp": "data-race",
    "own_suppressions.cpp": "data-race",
    "annotated_owner.cpp": "memory",
    "exit_order.cpp": "crash",
    "exit_functions.c": "assertion",
    "pending.c": "assertion",
    "alternate_stack.c": "assertion",
    "attributes.c": "assertion",
    "nested_functions.c": "assertion",
    "stream_format.cpp": "assertion",
}
# By other searches as well: partial-order reduction rests on what steps tell of themselves.
REDUCED = ("exit_order.cpp", "exit_functions.c", "pending.c", "attributes.c", "stream_format.cpp")
# Of `cxx_handlers`, each by its argument: terminate, new, xalloc, sync_with_stdio.
HANDLERS = ("t", "n", "x", "s")
# Of `annotated`, each by its argument: a data race without FIXED, verified with it.
ANNOTATED = ("happens-before", "release", "mutex", "rwlock", "benign", "ignore", "ended", "range", "ignored sync")
FLAGS = {"fence_werror.cpp": ["-Wall", "-Wextra", "-Werror"]}


def compilers():
    return [(c, cxx) for c, cxx in (("gcc", "g++"), ("clang", "clang++")) if shutil.which(c) and shutil.which(cxx)]


def build(source, program, compiler, flags):
    c, cxx = compiler
    command = [TARRY, "cc" if source.suffix == ".c" else "c++", *([] if source.suffix == ".c" else ["-std=c++17"]), *flags, "-g", str(source), "-o", str(program), "-pthread"]
    done = subprocess.run(command, env={**os.environ, "TARRY_CC": c, "TARRY_CXX": cxx}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")


def check(program, folder, *options, arguments=(), **environment):
    ran = subprocess.run([TARRY, "check", str(program), "--json", "--time", "60s", *options, "--", *arguments], cwd=folder, env={**os.environ, **environment},
                         capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600, check=False)
    try:
        return json.loads(ran.stdout)
    except json.JSONDecodeError:
        return {"verdict": f"none: {ran.stdout[-500:]}{ran.stderr[-500:]}", "findings": [], "notes": []}


def ending(answer):
    if "findings" not in answer:
        return str(answer.get("error"))
    return answer["verdict"] if not answer["findings"] else answer["findings"][0]["kind"]


def in_every_way(work, turn):
    """Folders to build in, and what to build with."""
    for cxx, level in ways(turn):
        c = {"g++": "gcc", "clang++": "clang"}[cxx]
        for fixed in (False, True):
            folder = work / f"{c}{level}{'-fixed' if fixed else ''}"
            folder.mkdir(exist_ok=True)
            yield folder, (c, cxx), [level, *(["-DFIXED"] if fixed else [])], fixed


def twin(name, kind, way):
    folder, compiler, flags, fixed = way
    program = folder / pathlib.Path(name).stem
    if name == "nested_functions.c" and compiler[0] == "clang":  # it has no such functions
        return []
    build(SOURCES / name, program, compiler, [*flags, *FLAGS.get(name, [])])
    wanted = "verified" if fixed else kind
    wrong = []
    for options in ((), *((("--search", search) for search in ("dpor", "source-dpor")) if name in REDUCED else ())):
        found = ending(check(program, folder, *options))
        if found != wanted:
            wrong.append(f"{name} in {folder.name} {' '.join(options)}: {found}, expected {wanted}")
    return wrong


def annotated(way):
    folder, compiler, flags, fixed = way
    program = folder / "annotated"
    build(SOURCES / "annotated.cpp", program, compiler, ["-Wno-unused", *flags])
    wrong = []
    for case in ANNOTATED:
        found = ending(check(program, folder, arguments=[case]))
        if found != ("verified" if fixed else "data-race"):
            wrong.append(f"annotated {case} in {folder.name}: {found}")
    return wrong


def cxx_handlers(way):
    folder, compiler, flags, fixed = way
    program = folder / "cxx_handlers"
    build(SOURCES / "cxx_handlers.cpp", program, compiler, flags)
    endings = {case: ending(check(program, folder, arguments=[case])) for case in HANDLERS}
    return [f"cxx_handlers {case} in {folder.name}: {found}" for case, found in endings.items() if found != ("verified" if fixed else "assertion")]


def locale(way):
    folder, compiler, flags, fixed = way
    if fixed:
        return []
    program = folder / "locale"
    build(SOURCES / "locale.cpp", program, compiler, flags)
    answer = check(program, folder, "--outcomes", LANG="C.UTF-8", LC_ALL="C.UTF-8")
    outputs = [one["output"] for one in answer.get("outcomes", [])]
    return [] if ending(answer) == "verified" and outputs == ["2\n"] else [f"locale in {folder.name}: {ending(answer)}, {outputs}"]


def programs_of_system(work):
    """Programs that are not instrumented, in the locale of the environment: to their end, and to what they write without us."""
    text = work / "text"
    text.write_text("b\nä\na\n", encoding="utf-8")
    commands = [["bash", "-c", "echo ${#0}", "äö"], ["bash", "-c", "echo x | cat; echo done"], ["ls", str(SOURCES)], ["cat", str(text)], ["sort", str(text)], ["xz", "-c", str(text)]]
    environment = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    wrong = []
    for name, *arguments in commands:
        path = shutil.which(name)
        if path is None:
            continue
        plain = subprocess.run([path, *arguments], env={**os.environ, **environment}, capture_output=True, check=True).stdout
        answer = check(path, work, "--outcomes", "--samples", "3", arguments=arguments, **environment)
        outputs = {one["output"] for one in answer.get("outcomes", [])}
        if answer["findings"] or not outputs or (name != "xz" and outputs != {plain.decode()}):
            wrong.append(f"{name}: {ending(answer)}, {sorted(outputs)[:3]}")
    return wrong


def replays(work):
    """A finding that a jump of the clock leads to is shown again, step by step; without jumps there is none."""
    source = str(SOURCES / "clock_between.cpp")
    found = check(source, work)
    if not found["findings"]:
        return ["clock_between: nothing found"]
    again = subprocess.run([TARRY, "replay", found["findings"][0]["trace"]], cwd=work, capture_output=True, text=True, check=False)
    wrong = [] if "held up" in again.stdout and again.returncode == 1 else [f"replay of a jump: exit code {again.returncode}\n{again.stdout}{again.stderr}"]
    if ending(check(source, work, "--clock-jumps", "0")) != "verified":
        wrong.append("clock_between with --clock-jumps 0 is not verified")
    return wrong


def fibers(work):
    answer = check(SOURCES / "fibers.cpp", work)
    return [] if ending(answer) == "verified" and any("fibers" in note for note in answer["notes"]) else [f"fibers: {ending(answer)}, {answer['notes']}"]


def open_mp(work):
    wrong = []
    for compiler in compilers():
        program = work / f"reduction-{compiler[0]}"
        try:
            build(SOURCES / "reduction.cpp", program, compiler, ["-O1", "-fopenmp"])
        except RuntimeError:
            continue  # no libomp
        answer = check(program, work, "--samples", "20")
        if answer["findings"] or not any("OpenMP" in note for note in answer["notes"]):
            wrong.append(f"reduction by {compiler[0]}: {ending(answer)}, {answer['notes']}")
    return wrong


def after_the_search(work):
    """Races of one pair of lines are one finding; what comes after the search takes its time and no more."""
    start = time.monotonic()
    answer = check(SOURCES / "many_races.cpp", work, "--samples", "20", "--jobs", "1")
    seconds = time.monotonic() - start
    pairs = [finding["message"].split("data race")[-1].split(": ", 1)[-1] for finding in answer["findings"]]
    wrong = []
    if not 40 <= len(pairs) <= 41:
        wrong.append(f"many_races: {len(pairs)} findings, expected one of each line")
    if seconds > 240:
        wrong.append(f"many_races took {seconds:.0f} s")
    return wrong


def cache_none(work):
    answer = check(SOURCES / "handler_counts.c", work, "--cache", "none", "-D", "FIXED")
    return [] if ending(answer) == "verified" else [f"--cache none: {ending(answer)}"]


def main():
    wrong = []
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        work = pathlib.Path(name)
        jobs = [pool.submit(twin, program, kind, way) for turn, (program, kind) in enumerate(TWINS.items()) for way in in_every_way(work, turn)]
        jobs += [pool.submit(each, way) for turn, each in enumerate((annotated, cxx_handlers, locale)) for way in in_every_way(work, turn)]
        jobs += [pool.submit(one, work) for one in (programs_of_system, replays, fibers, open_mp, after_the_search, cache_none)]
        for job in jobs:
            wrong += job.result()
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
