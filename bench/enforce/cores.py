#!/usr/bin/env python3
"""What a second core gives under enforcement: a program whose threads mostly compute, by itself and under a set of N traces, on one core and on two.

  bench/enforce/cores.py [--program bench/enforce/compute.cpp] [--runs 20] [--traces 16] [--tarry build/release/bin/tarry]

Prints one 'key=value' line per way to run. Times are the fastest of the runs, in milliseconds, from the start to the end of the process.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile
import time

SOURCES = pathlib.Path(__file__).resolve().parents[2]


def milliseconds(command, cores):
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, preexec_fn=lambda: os.sched_setaffinity(0, cores))
    return 1e3 * (time.monotonic() - began)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=SOURCES / "bench/enforce/compute.cpp")
    options.add_argument("--runs", type=int, default=20)
    options.add_argument("--traces", default="16")
    options.add_argument("--tarry", default="build/release/bin/tarry")
    options = options.parse_args()
    tarry = str(pathlib.Path(options.tarry).resolve())
    two = set(sorted(os.sched_getaffinity(0))[:2])
    one = {min(two)}
    with tempfile.TemporaryDirectory() as folder:
        program, file = pathlib.Path(folder) / "program", pathlib.Path(folder) / "set"
        subprocess.run([tarry, "c++", "-O2", "-std=c++20", "-pthread", options.program, "-o", program], check=True)
        subprocess.run([tarry, "verify", program, "-o", file, "--traces", options.traces], check=True, capture_output=True, cwd=folder)
        for name, command in (("free", [program]), ("enforced", [tarry, "run", "--schedules", file, program])):
            times = [(milliseconds(command, one), milliseconds(command, two)) for _ in range(options.runs)]
            alone, both = (min(column) for column in zip(*times))
            print(f"way={name} one_core_ms={alone:.2f} two_cores_ms={both:.2f} ratio={alone / both:.2f} runs={options.runs}", flush=True)


main()
