#!/usr/bin/env python3
"""In which order to verify traces: how often threads wait under sets of N traces that different searches enumerate.

  bench/enforce/orders.py [PROGRAM…] [--runs R] [--traces 16,128] [--tarry build/release/bin/tarry]

Each row is a search ('free' in front: the traces of 10 runs of the program by itself come first). 'waits' and 'asleep' are means per run of
R runs, from --report; 'executions' is what 'tarry verify' needed. Counts, not times: they say something on a busy machine too.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ORDERS = [("dpor", 0), ("dpor", 10), ("random-walk", 0), ("random-walk", 10), ("pct", 10), ("preemption-bounded", 10)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("programs", nargs="*", default=["last_zero", "indexer", "pipeline"])
    options.add_argument("--runs", type=int, default=100)
    options.add_argument("--traces", default="16,128")
    options.add_argument("--orders", default="", help="only these searches, by commas")
    options.add_argument("--tarry", default="build/release/bin/tarry")
    options = options.parse_args()
    tarry = str(pathlib.Path(options.tarry).resolve())
    print(f"{'program':10} {'order':24} {'traces':>7} {'executions':>10} {'waits':>7} {'asleep':>7}")
    for name in options.programs:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            program = folder / name
            subprocess.run([tarry, "c++", "-O2", "-std=c++20", "-pthread", HERE / f"{name}.cpp", "-o", program], check=True)
            for traces in options.traces.split(","):
                for search, free in ORDERS:
                    if options.orders and search not in options.orders.split(","):
                        continue
                    file = folder / "set"
                    file.unlink(missing_ok=True)
                    said = subprocess.run([tarry, "verify", program, "-o", file, "--traces", traces, "--free-runs", str(free), "--search", search, "--time", "60s"], check=True, capture_output=True, text=True, cwd=folder).stdout
                    executions = re.search(r"([\d,]+) executions", said).group(1)
                    waits = asleep = 0
                    for _ in range(options.runs):
                        report = subprocess.run([tarry, "run", "--schedules", file, "--report", program], check=True, capture_output=True, text=True).stderr
                        waits += int(re.search(r"waited ([\d,]+) of", report).group(1).replace(",", ""))
                        slept = re.search(r"\(([\d,]+) asleep\)", report)
                        asleep += int(slept.group(1).replace(",", "")) if slept else 0
                    print(f"{name:10} {('free, ' if free else '') + search:24} {traces:>7} {executions:>10} {waits / options.runs:7.2f} {asleep / options.runs:7.2f}", flush=True)


main()
