#!/usr/bin/env python3
"""What enforcement costs: programs by themselves, instrumented without enforcement, and under sets of 1 to N traces.

  bench/enforce/run.py [PROGRAM…] [--runs R] [--traces 1,16,128,1024] [--enforce] [--tarry build/release/bin/tarry]

The row 'free' is the instrumented program without enforcement. With --enforce, clang compiles all programs, and each row is there twice: 'calls' by 'tarry c++',
'flags' by 'tarry c++ --enforce'. Times are those that the programs measure themselves, from the creation of the first thread to the end of the last, medians of R runs (--share); `to verify` is the user's
CPU time of 'tarry verify'.
"""

import argparse
import os
import pathlib
import resource
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def ticks_per_microsecond():
    source = "#include <x86intrin.h>\n#include <cstdio>\n#include <ctime>\nint main(){timespec a,b;clock_gettime(CLOCK_MONOTONIC,&a);auto t=__rdtsc();timespec s{0,200000000};nanosleep(&s,0);auto u=__rdtsc();clock_gettime(CLOCK_MONOTONIC,&b);std::printf(\"%f\\n\",(u-t)/((b.tv_sec-a.tv_sec)*1e6+(b.tv_nsec-a.tv_nsec)/1e3));}"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "ticks.cpp"
        path.write_text(source)
        subprocess.run(["c++", "-O1", path, "-o", path.with_suffix("")], check=True)
        return float(subprocess.run([path.with_suffix("")], check=True, capture_output=True, text=True).stdout)


def one(command, ticks):
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / ticks


def in_turn(commands, runs, ticks, share):
    """Of all, run in turn, so that a machine that is busy now and then is so for all of them."""
    times = [[one(command, ticks) for command in commands] for _ in range(runs)]
    return [sorted(column)[int(share * (runs - 1))] for column in zip(*times)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("programs", nargs="*", default=["last_zero", "indexer", "pipeline"])
    options.add_argument("--runs", type=int, default=200)
    options.add_argument("--share", type=float, default=0.5, help="0.5: the median; 0.1: a tenth of the runs is faster, for a machine with other work")
    options.add_argument("--traces", default="1,16,128,1024")
    options.add_argument("--enforce", action="store_true", help="compares calls at every access with flags, by clang")
    options.add_argument("--tarry", default="build/release/bin/tarry")
    options = options.parse_args()
    tarry = str(pathlib.Path(options.tarry).resolve())
    ticks = ticks_per_microsecond()
    ways = {"calls": [], "flags": ["--enforce"]} if options.enforce else {"": []}
    compiler = "clang++" if options.enforce else "c++"
    environment = {**os.environ, "TARRY_CXX": compiler} if options.enforce else None
    print(f"{'program':10} {'':5} {'traces':>8} {'plain us':>9} {'us':>9} {'overhead':>9} {'to verify':>10} {'size':>10}")
    for name in options.programs:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            source = HERE / f"{name}.cpp"
            plain, enforced = folder / "plain", {way: folder / f"enforced{way}" for way in ways}
            subprocess.run([compiler, "-O2", "-std=c++20", "-pthread", source, "-o", plain], check=True)
            for way, more in ways.items():
                subprocess.run([tarry, "c++", *more, "-O2", "-std=c++20", "-pthread", source, "-o", enforced[way]], check=True, env=environment)
            base, *alone = in_turn([[plain], *([program] for program in enforced.values())], options.runs, ticks, options.share)
            for way, took in zip(ways, alone):
                print(f"{name:10} {way:5} {'free':>8} {base:9.0f} {took:9.0f} {100 * (took / base - 1):8.0f}%", flush=True)
            for traces in options.traces.split(","):
                files, verifying = {way: folder / f"{traces}{way}.schedules" for way in ways}, {}
                for way, program in enforced.items():
                    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                    subprocess.run([tarry, "verify", program, "-o", files[way], "--traces", traces], check=True, capture_output=True, cwd=folder)
                    verifying[way] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
                base, *under = in_turn([[plain], *([tarry, "run", "--schedules", files[way], program] for way, program in enforced.items())], options.runs, ticks, options.share)
                for way, took in zip(ways, under):
                    print(f"{name:10} {way:5} {traces:>8} {base:9.0f} {took:9.0f} {100 * (took / base - 1):8.0f}% {verifying[way]:9.2f}s {files[way].stat().st_size / 1024:7.0f}KiB", flush=True)


if __name__ == "__main__":
    main()
