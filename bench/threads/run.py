#!/usr/bin/env python3
"""Measures the native front end: executions a second, a scheduling point, a reset, all examples, two workers, and a run without the tool
beside ThreadSanitizer. CPU time where one core is meant. Nothing is asserted: these machines are noisy.

bench/threads/run.py [TARRY]      default: build/release/bin/tarry
"""

import csv
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARRY = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release" / "bin" / "tarry")


def check(folder, program, *options):
    """(JSON, CPU seconds, wall seconds) of a check."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([TARRY, "check", *map(str, program), "--no-progress", "--json", *options], capture_output=True, text=True, cwd=folder, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout), cpu, time.monotonic() - start


def build(folder, name):
    program = folder / name
    subprocess.run([TARRY, "c++", "-std=c++20", "-O2", "-o", program, HERE / f"{name}.cpp", "-pthread"], check=True)
    return program


def best(runs, measure):
    return min(measure() for _ in range(runs))


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        demo, points, empty = (build(folder, name) for name in ("demo", "points", "empty"))

        def rate(*options):
            answer, cpu, _ = check(folder, [demo], "--jobs", "1", "--search", "random-walk", "-s", "400000", "--time", "none", *options)
            return cpu / answer["executions"], answer["transitions"] / answer["executions"]

        for what, options in (("races on", ()), ("races ignored", ("--races", "ignore"))):
            seconds, steps = min(rate(*options) for _ in range(3))
            print(f"demo, {what}: {1 / seconds:,.0f} executions/s of CPU, {steps:.1f} steps each, {seconds / steps * 1e9:.0f} ns a step with all that is around it")

        def per_point():
            answer, cpu, _ = check(folder, [points], "--jobs", "1", "--search", "random-walk", "--races", "ignore", "-s", "2000", "--time", "none", "--max-depth", "100000")
            return cpu / answer["transitions"]

        print(f"a scheduling point, races ignored: {best(3, per_point) * 1e9:.0f} ns")

        def per_reset():
            answer, cpu, _ = check(folder, [empty], "--jobs", "1", "--search", "random-walk", "-s", "300000", "--time", "none")
            return cpu / answer["executions"]

        print(f"an execution of an empty program (reset, start, exit): {best(3, per_reset) * 1e6:.2f} us")

        rates = []
        with open(ROOT / "examples" / "threads" / "expected.tsv", encoding="utf-8") as lines:
            for row in csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"):
                if row["verdict"] != "verified":
                    continue
                files = [ROOT / "examples" / "threads" / file for file in row["file"].split()]
                check(folder, files, "-s", "1")  # compiles
                answer, cpu, _ = check(folder, files, "--jobs", "1", "--search", "random-walk", "-s", "20000", "--time", "30s")
                if answer["executions"] > 1000:
                    rates.append(answer["executions"] / cpu)
        print(f"{len(rates)} examples, random-walk, races on: geometric mean {math.exp(sum(map(math.log, rates)) / len(rates)):,.0f} executions/s of CPU")

        def wall(jobs):
            answer, _, seconds = check(folder, [demo], "--jobs", str(jobs), "--search", "random-walk", "-s", "1000000", "--time", "none")
            return seconds / answer["executions"]

        one, two = best(3, lambda: wall(1)), best(3, lambda: wall(2))
        print(f"two workers: {one / two:.2f} times one")

        def run_plain(compiler, *flags):
            program = folder / ("accesses-" + "".join(c for c in compiler[0] if c.isalnum()) + str(len(flags)))
            subprocess.run([*compiler, "-std=c++20", "-O2", "-g", *flags, "-o", program, HERE / "accesses.cpp", "-pthread"], check=True)

            def once():
                start = time.monotonic()
                subprocess.run(["setarch", "-R", program], check=True, stdout=subprocess.DEVNULL)
                return time.monotonic() - start

            return best(3, once)

        plain, ours, theirs = run_plain(["g++"]), run_plain([TARRY, "c++"]), run_plain(["g++"], "-fsanitize=thread")
        print(f"a run without the tool: plain {plain:.2f} s, instrumented for Tarry {ours:.2f} s, with libtsan {theirs:.2f} s")


if __name__ == "__main__":
    main()
