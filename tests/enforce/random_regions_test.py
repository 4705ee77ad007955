#!/usr/bin/env python3
"""Random small programs whose threads run in a region twice, in the state that the first time left: each region adheres to a trace of the set, and the program writes
what some verified execution writes.

If the search comes to its end and nothing fails, no region may be unverified. Otherwise a region may begin in a state that was not verified: then the run says so.
"""

import random
import sys

from adherence import first_that_adheres, runs_of
from common import TARRY, Folder, call, compile_program, run, shown, verify
from random_programs_test import HEAD, statement

PROGRAMS = int(sys.argv[1]) if len(sys.argv) > 1 else 12
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 12
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 3


def program(rng):
    threads = 2
    text = HEAD
    for thread in range(threads):
        body = "\n  ".join(statement(rng, thread, n) for n in range(rng.randrange(1, 4)))
        text += f"void work{thread}() {{\n  {body}\n}}\n"
    text += "int main() {\n  sem_init(&s0, 0, 5);\n  auto owner = std::make_unique<std::atomic<int>>(0);\n  heap = owner.get();\n"
    locals_too = rng.randrange(2) == 0
    if locals_too:  # a variable on the stack of main
        text += "  int local = 0;\n  std::mutex lock;\n"
    text += "  for (int round = 0; round < 2; ++round) {\n    tarry::Region region(\"round\");\n"
    for thread in range(threads):
        more = "lock.lock(); local += a0.load() > 1; lock.unlock(); " if locals_too else ""
        text += f"    std::thread t{thread}([&] {{ work{thread}(); {more}}});\n"
    for thread in range(threads):
        text += f"    t{thread}.join();\n"
    text += '  }\n  std::printf("%d %d %d %d %d %d |", a0.load(), a1.load(), heap->load(), p0, p1, guarded);\n'
    text += '  for (auto& row : seen) for (int one : row) std::printf(" %d", one);\n  std::printf("\\n");\n}\n'
    return text


def try_program(number, rng):
    with Folder() as folder:
        source = folder / "program.cpp"
        source.write_text(program(rng))
        executable, file, log = compile_program(source, folder), folder / "all", folder / "log"
        said = verify(executable, file, "--time", "15s", "--traces", "1500", code=None)
        if "no execution can be admitted" in said:
            assert "left out: deadlock" in said, (said, source.read_text())
            return 0, 0, 0, False
        assert "goes on differently" not in said and "is not compared" not in said, (said, source.read_text())
        schedules = shown(file)
        whole = schedules["complete"]
        writes = None
        if whole:
            listed = call(TARRY, "check", executable, "--search", "dpor", "--outcomes", "--races", "report", "--reuses", "0", "--time", "30s", cwd=folder).stdout
            writes = {line + "\n" for line in listed.splitlines() if " | " in line}
        unverified = 0
        for i in range(RUNS):
            done = run(file, executable, "--log", log, "--disturb", rng.choice([0, 0, 20, 200]), "--seed", i + 1, timeout=30)
            if done.returncode == 125 and not whole:
                assert "enters region" in done.stderr, (done.stderr, source.read_text())
                unverified += 1
                continue
            assert done.returncode == 0, (number, done.returncode, done.stdout, done.stderr, source.read_text())
            assert writes is None or done.stdout in writes, (number, done.stdout, writes, source.read_text())
        taken = set()
        for events, _, verified in runs_of(log):
            if not verified:
                continue
            trace = first_that_adheres(events, schedules)
            assert trace is not None, (number, events, source.read_text())
            taken.add(trace)
        return len(schedules["traces"]), len(taken), unverified, whole


def main():
    rng = random.Random(SEED)
    most, ways, unverified, complete = 0, 0, 0, 0
    for number in range(PROGRAMS):
        traces, taken, other, whole = try_program(number, rng)
        most, ways, unverified, complete = max(most, traces), ways + taken, unverified + other, complete + whole
    print(f"{PROGRAMS} programs, {complete} of them verified completely; {most} traces at most, {ways} ways taken, {unverified} runs that met a state that was not verified")
    assert ways > PROGRAMS and complete > PROGRAMS / 3, "hardly any program was verified, or ran in more than one way"


if __name__ == "__main__":
    main()
