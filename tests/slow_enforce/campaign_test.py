#!/usr/bin/env python3
"""Campaigns: programs run thousands of times under their sets, with random delays between admission and access.

  SOURCE_DIR=. TARRY=build/release/bin/tarry tests/slow_enforce/campaign_test.py [RUNS]      (10,000 if it is not given; 1000000 takes hours)

- A bug that shows in plain runs never shows, and the logs adhere to the set.
- Two traces whose mixture is not admissible are never mixed.
- Under a complete set, relaxed store buffering never has its weak outcome.
"""

import collections
import concurrent.futures
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "enforce"))

from adherence import first_that_adheres, runs_of  # noqa: E402
from common import PROGRAMS, Folder, call, compile_program, run, shown, verify  # noqa: E402

RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
BATCH = 500


def campaign(folder, program, file, disturb, allowed):
    """Runs it in batches, two at a time, so that the operating system switches in many places. Every log is checked."""
    schedules = shown(file)
    outputs, taken = collections.Counter(), collections.Counter()

    def one(seed):
        log = folder / f"log{seed}"
        done = run(file, program, "--log", log, "--disturb", disturb, "--seed", seed)
        return seed, log, done

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for first in range(0, RUNS, BATCH):
            for seed, log, done in pool.map(one, range(first + 1, min(first + BATCH, RUNS) + 1)):
                assert done.returncode == 0 and done.stdout in allowed, (seed, done.returncode, done.stdout, done.stderr)
                (events, _, verified), = runs_of(log)
                trace = first_that_adheres(events, schedules)
                assert verified and trace is not None, (seed, log.read_text())
                log.unlink()
                outputs[done.stdout] += 1
                taken[trace] += 1
    return outputs, taken


def main():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "overdrawn.cpp", folder), folder / "set"
        failed = sum(call(program).returncode != 0 for _ in range(200))
        assert failed > 0, "the bug does not show in plain runs, so this shows nothing"
        verify(program, file)
        outputs, taken = campaign(folder, program, file, 100, {"20\n"})
        print(f"overdrawn: {failed} of 200 plain runs fail, 0 of {RUNS} under the set; traces taken: {dict(taken)}", flush=True)
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "two_orders.cpp", folder), folder / "set"
        verify(program, file)
        outputs, taken = campaign(folder, program, file, 300, {"1 1\n", "2 2\n"})
        assert len(taken) == 2, taken
        print(f"two orders: {RUNS} runs, no mixture; traces taken: {dict(taken)}", flush=True)
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "store_buffering.cpp", folder), folder / "set"
        verify(program, file)
        assert shown(file)["complete"], "the set is not complete"
        outputs, taken = campaign(folder, program, file, 2, {"0 1\n", "1 0\n", "1 1\n"})
        print(f"store buffering: {RUNS} runs, '0 0' never; {dict(outputs)}; traces taken: {dict(taken)}", flush=True)


main()
