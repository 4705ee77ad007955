#!/usr/bin/env python3
"""What a plain access costs that threads share and that never races: kernel.cpp, in CPU time per access.

  bench/enforce/accesses.py [--runs R] [--tarry build/release/bin/tarry]

Rows: the plain program by clang -O2; with a call at every access ('tarry c++', as -fsanitize=thread), by itself and under a set; with a flag at every access ('tarry
c++ --enforce'), the same. `racing`: other accesses of the program race, so some plain accesses are events. All run in turn, R times; the fastest run counts, because other
work on the machine only makes a run slower.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "kernel.cpp"
FLAGS = ["-O2", "-std=c++20", "-pthread"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=20)
    options.add_argument("--tarry", default="build/release/bin/tarry")
    options = options.parse_args()
    tarry = str(pathlib.Path(options.tarry).resolve())
    clang = {**os.environ, "TARRY_CXX": "clang++"}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        commands = {}
        for racing, flags in (("", FLAGS), ("-racing", [*FLAGS, "-DRACING"])):
            plain = folder / f"plain{racing}"
            subprocess.run(["clang++", *flags, SOURCE, "-o", plain], check=True)
            commands[plain.name] = [plain]
            for name, more in (("calls", []), ("flags", ["--enforce"])):
                program = folder / f"{name}{racing}"
                subprocess.run([tarry, "c++", *more, *flags, SOURCE, "-o", program], check=True, env=clang)
                subprocess.run([tarry, "verify", program, "-o", f"{program}.schedules", "--free-runs", "0"], check=True, capture_output=True, cwd=folder)
                commands[f"{program.name}-free"] = [program]
                commands[f"{program.name}-enforced"] = [tarry, "run", "--schedules", f"{program}.schedules", program]
        best = {name: [float("inf")] * 2 for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                times = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
                best[name] = [min(known, int(time) / 1000) for known, time in zip(best[name], times)]
        for name, (chase, stream) in best.items():
            print(f"program={name} chase_ns={chase:.2f} stream_ns={stream:.2f}")


if __name__ == "__main__":
    main()
