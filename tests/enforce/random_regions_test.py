#!/usr/bin/env python3
"""Random small programs whose threads run in a region twice, in the state that the first time left: each region adheres to a trace of the set, and the program writes
what some execution writes that goes well. Half of the programs have an assertion behind their regions, which some combinations of traces fail: runs do not.
The same holds for the sets of searches that end early.

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
    text = HEAD + "std::atomic<int> last[2];\n"
    asserts = rng.randrange(2) == 0
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
        own = f"last[round].store({thread + 1}); " if asserts else ""  # the second region does not see how the first one ended
        text += f"    std::thread t{thread}([&] {{ work{thread}(); {more}{own}}});\n"
    for thread in range(threads):
        text += f"    t{thread}.join();\n"
    text += "  }\n"
    if asserts:  # what both regions left together decides whether it fails
        text += "  int sum = last[0] * last[1] + a0 + 2 * a1 + 3 * *heap + 4 * p0 + 5 * p1 + 7 * guarded, weight = 8;\n"
        text += f"  for (auto& row : seen) for (int one : row) sum += weight++ * one;\n  if (sum % 3 == {rng.randrange(3)}) std::abort();\n"
    text += '  std::printf("%d %d %d %d %d %d |", a0.load(), a1.load(), heap->load(), p0, p1, guarded);\n'
    text += '  for (auto& row : seen) for (int one : row) std::printf(" %d", one);\n  std::printf("\\n");\n}\n'
    return text


def outcomes(executable, folder):
    """What executions write that go well; None: there are too many executions."""
    listed = call(TARRY, "check", executable, "--search", "dpor", "--outcomes", "--keep-going", "--races", "report", "--reuses", "0", "--time", "30s", cwd=folder).stdout
    return None if "stopped by" in listed else {line + "\n" for line in listed.splitlines() if " | " in line}


def try_set(number, rng, source, executable, file, writes, whole):
    """Runs the program under the set. Gives how many ways it took, and how many runs met a state that was not verified."""
    log = file.with_suffix(".log")
    schedules = shown(file)
    unverified = 0
    for i in range(RUNS):
        done = run(file, executable, "--log", log, "--disturb", rng.choice([0, 0, 20, 200]), "--seed", i + 1, timeout=30)
        if done.returncode == 125 and not whole:
            assert "enters region" in done.stderr, (done.stderr, source.read_text())
            unverified += 1
            continue
        assert done.returncode == 0, (number, file.name, done.returncode, done.stdout, done.stderr, source.read_text())
        assert writes is None or done.stdout in writes, (number, file.name, done.stdout, writes, source.read_text())
    taken = set()
    for events, _, verified in runs_of(log):
        if not verified:
            continue
        trace = first_that_adheres(events, schedules)
        assert trace is not None, (number, events, source.read_text())
        taken.add(trace)
    return len(taken), unverified


def try_program(number, rng):
    with Folder() as folder:
        source = folder / "program.cpp"
        source.write_text(program(rng))
        executable, file = compile_program(source, folder), folder / "all"
        said = verify(executable, file, "--time", "15s", "--traces", "1500", code=None)
        if "no execution can be admitted" in said:
            assert "left out: " in said, (said, source.read_text())
            return 0, 0, 0, False, False
        assert "goes on differently" not in said and "is not compared" not in said, (said, source.read_text())
        whole = shown(file)["complete"]
        writes = outcomes(executable, folder)
        ways, unverified = try_set(number, rng, source, executable, file, writes, whole)
        for most in (2, 9):
            part = folder / f"part{most}"
            verify(executable, part, "--traces", most, code=None)
            if part.exists():
                unverified += try_set(number, rng, source, executable, part, writes, False)[1]
        return len(shown(file)["traces"]), ways, unverified, whole, writes is not None and "left out: crash" in said


def main():
    rng = random.Random(SEED)
    most, ways, unverified, complete, failing = 0, 0, 0, 0, 0
    for number in range(PROGRAMS):
        traces, taken, other, whole, fails = try_program(number, rng)
        most, ways, unverified, complete, failing = max(most, traces), ways + taken, unverified + other, complete + whole, failing + fails
    print(f"{PROGRAMS} programs, {complete} of them verified completely, {failing} of them with combinations that fail; {most} traces at most, {ways} ways taken, {unverified} runs that met a state that was not verified")
    assert ways > PROGRAMS and complete > PROGRAMS / 4 and failing > 0, "hardly any program was verified, failed, or ran in more than one way"


if __name__ == "__main__":
    main()
