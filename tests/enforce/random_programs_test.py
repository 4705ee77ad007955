#!/usr/bin/env python3
"""Random small programs: under a set every run ends, adheres to one of its traces, and writes what some verified execution writes.

Threads load, store and modify atomics, lock, wait for semaphores, with a fourth argument both with time limits too, race, branch on what they have read and on a declared input, and touch the heap. Those that can get stuck or are too large are
verified as far as they go: what is left out must not show.
"""

import os
import random
import sys

from adherence import first_that_adheres, runs_of
from common import TARRY, Folder, call, compile_program, run, shown, verify

PROGRAMS = int(sys.argv[1]) if len(sys.argv) > 1 else 12
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 12
TIMED = len(sys.argv) > 4  # the third one is a seed

HEAD = """#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <semaphore.h>
#include <tarry/test.h>
#include <thread>
#include <time.h>
bool twice;
std::atomic<int> a0{0}, a1{0};
std::mutex m0, m1;
sem_t s0;
timespec until;
int p0, p1, guarded;
std::atomic<int>* heap;
int seen[4][8];
"""


def statement(rng, thread, n, depth=0):
    seen = f"seen[{thread}][{n}]"
    k = rng.randrange((14 if TIMED else 12) if depth == 0 else 9)
    atomic = rng.choice(["a0", "a1", "(*heap)"])
    if k == 0:
        return f"{atomic}.store({rng.randrange(1, 4)});"
    if k == 1:
        return f"{seen} = {atomic}.load(std::memory_order_relaxed);"
    if k == 2:
        return f"{seen} = {atomic}.fetch_add(1);"
    if k == 3:
        return f"{{ int e = {rng.randrange(2)}; {seen} = {atomic}.compare_exchange_strong(e, 5); }}"
    if k == 4:
        lock = rng.choice(["m0", "m1"])
        return f"{lock}.lock(); {seen} = guarded += 1; {lock}.unlock();"
    if k == 5:
        return f"{rng.choice(['p0', 'p1'])} = {rng.randrange(1, 4)};"
    if k == 6:
        return f"{seen} = {rng.choice(['p0', 'p1'])};"
    if k == 7:
        return "sem_post(&s0);"
    if k == 8:
        return f"{seen} = m0.try_lock(); if ({seen}) m0.unlock();"
    if k == 9:
        return f"if ({atomic}.load() == 0) {{ {statement(rng, thread, n, 1)} }} else {{ {statement(rng, thread, n, 1)} }}"
    if k == 10:
        return "m0.lock(); m1.lock(); guarded += 10; m1.unlock(); m0.unlock();" if rng.randrange(2) else "m1.lock(); m0.lock(); guarded += 10; m0.unlock(); m1.unlock();"
    if k == 12:
        return f"{seen} = pthread_mutex_timedlock(m0.native_handle(), &until); if ({seen} == 0) m0.unlock();"
    if k == 13:
        return f"{seen} = sem_timedwait(&s0, &until);"
    return "sem_wait(&s0);"


def program(rng):
    threads = rng.choice([2, 2, 3])
    text = HEAD
    for thread in range(threads):
        body = "\n  ".join(statement(rng, thread, n) for n in range(rng.randrange(2, 4 if threads == 3 else 6)))
        text += f"void work{thread}() {{\n  {body}\n}}\n"
    text += "int main() {\n  twice = tarry::input(\"twice\", 0, 1, std::getenv(\"TWICE\") != nullptr);\n  clock_gettime(CLOCK_REALTIME, &until);\n  until.tv_nsec += 20'000'000;\n  if (until.tv_nsec >= 1'000'000'000) ++until.tv_sec, until.tv_nsec -= 1'000'000'000;\n  sem_init(&s0, 0, 2);\n  auto owner = std::make_unique<std::atomic<int>>(0);\n  heap = owner.get();\n"
    for thread in range(threads):
        text += f"  std::thread t{thread}(work{thread});\n"
    if rng.randrange(4) == 0:  # what follows depends on the input
        text += "  if (twice) a0.fetch_add(1);\n"
    for thread in range(threads):
        text += f"  t{thread}.join();\n"
    text += '  std::printf("%d %d %d %d %d %d |", a0.load(), a1.load(), heap->load(), p0, p1, guarded);\n'
    text += '  for (auto& row : seen) for (int one : row) std::printf(" %d", one);\n  std::printf("\\n");\n}\n'
    return text


def try_program(number, rng, seed):
    with Folder() as folder:
        source = folder / "program.cpp"
        source.write_text(program(rng))
        executable = compile_program(source, folder)
        plain = folder / "all"
        said = verify(executable, plain, "--time", "15s", "--traces", "400", code=None)
        if "no execution can be admitted" in said:
            assert "left out: deadlock" in said, said
            return 0, 0, True
        writes = None
        if shown(plain)["complete"]:
            listed = call(TARRY, "check", executable, "--search", "dpor", "--outcomes", "--races", "report", "--reuses", "0", "--time", "30s", cwd=folder).stdout
            writes = {line + "\n" for line in listed.splitlines() if " | " in line}
        sets = [plain]
        for most in (1, 3):
            sets.append(folder / f"set{most}")
            verify(executable, sets[-1], "--traces", most)
        ways = 0
        for file in sets:
            log = folder / (file.name + ".log")
            for i in range(RUNS):
                environment = {**os.environ, "TWICE": "1"} if rng.randrange(2) and shown(plain)["complete"] and file == plain else None
                done = run(file, executable, "--log", log, "--disturb", rng.choice([0, 0, 20, 200]), "--seed", i + 1, timeout=20, env=environment)
                assert done.returncode == 0, (seed, number, file, done.returncode, done.stdout, done.stderr, source.read_text())
                assert writes is None or done.stdout in writes, (seed, number, done.stdout, writes, source.read_text())
            schedules = shown(file)
            taken = set()
            for events, _, verified in runs_of(log):
                trace = first_that_adheres(events, schedules)
                assert verified and trace is not None, (seed, number, file, source.read_text())
                taken.add(trace)
            ways = max(ways, len(taken))
        return len(shown(plain)["traces"]), ways, "left out" in said


def main():
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    rng = random.Random(seed)
    most, met, erroneous = 0, 0, 0
    for number in range(PROGRAMS):
        traces, ways, left_out = try_program(number, rng, seed)
        most, met, erroneous = max(most, traces), met + ways, erroneous + left_out
    print(f"{PROGRAMS} programs; {most} traces at most, {met} ways taken, {erroneous} programs with executions that were left out")
    assert met > PROGRAMS, "hardly any program ran in more than one way"


if __name__ == "__main__":
    main()
