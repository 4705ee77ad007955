#!/usr/bin/env python3
"""Every primitive: the set of outcomes over all schedules is the one in the program's .outcomes file, and what is found replays.

The programs are those of tests/native_programs/primitives, whose sets come from a brute-force model, and of tests/native/primitives, whose
sets are worked out by hand. NAME.options holds further options. A deadlock is one of the outcomes, and the search goes on behind it.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TARRY = os.environ["TARRY"]
SOURCES = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests"
SHARED = SOURCES / "native_programs" / "primitives"
OWN = SOURCES / "native" / "primitives"

# libstdc++'s std::atomic<std::shared_ptr> spins without yielding, so there is no end of schedules: some at random.
SPINS = {"atomic_shared_ptr"}
# std::counting_semaphore of libstdc++ 11 to 13 can sleep though a unit is there (its bug 104928).
KNOWN_DEADLOCKS = {"counting_semaphore_last"}
# Compiled by clang too, with -O2: one of each kind.
WITH_CLANG = {"mutex_normal", "cond_signal_any", "rwlock_try", "sem_any_waiter", "barrier_serial", "once", "static_guard", "atomic_wait", "cancel_cond_wait", "c11_cnd", "latch"}
# Without inlining all calls of a function are one place, those that spin and those that wait.
WITHOUT_INLINING = {"atomic_wait", "stop_callback"}


def programs():
    return [source for folder in (SHARED, OWN) for source in sorted(folder.iterdir()) if source.suffix in (".c", ".cpp")]


def tarry(folder, *arguments, **environment):
    return subprocess.run([TARRY, *map(str, arguments)], cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=600, check=False)


def check(source, folder, more, **environment):
    name = source.stem
    options = ["--jobs", "1", "--json", "-I", SHARED, "--time", "300s", *(("-s", "300") if name in SPINS else ("--search", "dfs")), *more]
    extra = source.with_suffix(".options")
    if extra.exists():
        options += extra.read_text(encoding="utf-8").split()
    ran = tarry(folder, "check", source, *options, **environment)
    try:
        return json.loads(ran.stdout)
    except json.JSONDecodeError:
        raise RuntimeError(f"exit code {ran.returncode}\n{ran.stdout}{ran.stderr}") from None


def outcomes_of(source, folder, more=(), bounded=False, **environment):
    """What is wrong, as a list of lines. `bounded`: so are the executions, but all outcomes are there."""
    name = source.stem
    wanted = set(source.with_suffix(".outcomes").read_text(encoding="utf-8").splitlines())
    answer = check(source, folder, ["--outcomes", *more], **environment)
    seen = {line for one in answer.get("outcomes", []) for line in one["output"].splitlines()}
    kinds = {finding["kind"] for finding in answer["findings"]}
    if "deadlock" in kinds:
        seen.add("deadlock")
    allowed = wanted | ({"deadlock"} if name in KNOWN_DEADLOCKS else set())
    wrong = [f"{name}: found {kind}" for kind in kinds - {"deadlock"}]
    wrong += [f"{name}: '{line}' is not one of its outcomes" for line in sorted(seen - allowed)]
    wrong += [f"{name}: '{line}' was not found" for line in sorted(wanted - seen)]
    if name in SPINS or bounded:
        return wrong
    if not answer["complete"]:
        wrong.append(f"{name}: not all executions were explored: {answer['verdict_text']}")
    if (answer["verdict"] == "bug") != ("deadlock" in seen) or answer["verdict"] == "no-bug-found":
        wrong.append(f"{name}: the verdict is {answer['verdict']}")
    return wrong + replays(answer, name, folder)


def replays(answer, name, folder, **environment):
    """Each finding's trace shows it again."""
    wrong = []
    for finding in answer["findings"]:
        again = tarry(folder, "replay", finding["trace"], **environment)
        if again.returncode != 1 or finding["kind"] not in again.stdout:
            wrong.append(f"{name}: the replay of {finding['kind']} ended with {again.returncode}: {again.stdout[-500:]}{again.stderr[-500:]}")
    return wrong


def refused(source, folder):
    """An outcome that is refused (outcome.h) is an assertion that fails, and its schedule leads there again."""
    line = source.with_suffix(".outcomes").read_text(encoding="utf-8").splitlines()[-1]
    answer = check(source, folder, [], OUTCOMES_REFUSED=line)
    if not answer["findings"] or answer["findings"][0]["kind"] != "assertion":
        return [f"{source.stem}: '{line}', refused, is no assertion that fails"]
    return replays(answer, source.stem, folder, OUTCOMES_REFUSED=line)


def run(job):
    kind, source = job
    with tempfile.TemporaryDirectory() as folder:
        try:
            if kind == "refused":
                return refused(source, folder)
            if kind == "clang":
                return [f"clang: {line}" for line in outcomes_of(source, folder, ["-O", "2"], CC="clang", CXX="clang++")]
            if kind == "-O0":
                return [f"-O0: {line}" for line in outcomes_of(source, folder, ["-O", "0"])]
            return outcomes_of(source, folder)
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            return [f"{source.stem}: {problem}"]


def main():
    sources = programs()
    if len(sys.argv) > 1:
        sources = [source for source in sources if source.stem in sys.argv[1:]]
        if len(sources) != len(set(sys.argv[1:])):
            print(f"of {sys.argv[1:]} there are {[source.stem for source in sources]}")
            return 2
    jobs = [("set", source) for source in sources]
    jobs += [("refused", source) for source in sources if source.stem in WITH_CLANG]
    jobs += [("clang", source) for source in sources if source.stem in WITH_CLANG]
    jobs += [("-O0", source) for source in sources if source.stem in WITHOUT_INLINING]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [line for lines in pool.map(run, jobs) for line in lines]
    print("\n".join(wrong + [f"{len(sources)} programs, {len(jobs)} checks, {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
