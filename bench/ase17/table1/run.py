#!/usr/bin/env python3
"""Table I of Metzler et al., ASE 2017: what enforcement costs with more and more admissible traces, beside the paper's figures.

  bench/ase17/table1/run.py [--runs 1000] [--programs last_zero,indexer] [--traces 1,16,…,all] [--svg FILE] [--tarry build/release/bin/tarry]

Prints one 'key=value' line per row. Times are medians in microseconds, from the creation of the first thread to the end of the last, as the programs
measure them; the plain and the enforced program run in turn. 'verify_s' is the CPU time of 'tarry verify'. --svg draws the overheads.
"""

import argparse
import csv
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ENFORCE = HERE.parents[1] / "enforce"
sys.path.insert(0, str(ENFORCE))

from run import one, ticks_per_microsecond  # noqa: E402


def published():
    with open(HERE / "published.csv", newline="") as file:
        return {(row["program"], row["traces"]): row for row in csv.DictReader(file)}


def medians(plain, enforced, runs, ticks):
    times = [(one(plain, ticks), one(enforced, ticks)) for _ in range(runs)]
    return [statistics.median(column) for column in zip(*times)]


def rows(options, tarry):
    ticks = ticks_per_microsecond()
    known = published()
    for name in options.programs.split(","):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            plain, enforced = folder / "plain", folder / "enforced"
            source = ENFORCE / f"{name}.cpp"
            subprocess.run(["c++", "-O2", "-std=c++20", "-pthread", source, "-o", plain], check=True)
            subprocess.run([tarry, "c++", "-O2", "-std=c++20", "-pthread", source, "-o", enforced], check=True)
            for traces in options.traces.split(","):
                file = folder / f"{traces}.schedules"
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                limit = [] if traces == "all" else ["--traces", traces]
                said = subprocess.run([tarry, "verify", enforced, "-o", file, "--time", "30m", *limit], check=True, capture_output=True, text=True, cwd=folder).stdout
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                admitted = next(line for line in said.splitlines() if " admissible trace" in line).split()[1].replace(",", "")
                if traces != "all" and int(admitted) < int(traces):
                    continue  # the program has fewer
                base, under = medians([plain], [tarry, "run", "--schedules", file, enforced], options.runs, ticks)
                paper = known.get((name, traces), {})
                yield {"program": name, "traces": admitted, "plain_us": round(base), "enforced_us": round(under), "overhead": round(100 * (under / base - 1)),
                       "paper_overhead": paper.get("overhead", ""), "verify_s": round(after.ru_utime - before.ru_utime, 2), "paper_verify_s": paper.get("delay_s", ""), "runs": options.runs}


def svg(table):
    """Overhead by the number of traces, both by their logarithms: ours as a line, the paper's dashed."""
    import math
    width, height, left, bottom = 640, 360, 60, 40
    x = lambda traces: left + (width - left - 20) * math.log2(max(traces, 1)) / math.log2(262144)
    y = lambda percent: height - bottom - (height - bottom - 20) * math.log10(max(percent, 1)) / math.log10(2000)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for percent in (1, 10, 100, 1000):
        out.append(f'<line x1="{left}" x2="{width - 20}" y1="{y(percent):.1f}" y2="{y(percent):.1f}" stroke="#ddd"/><text x="{left - 8}" y="{y(percent) + 4:.1f}" text-anchor="end">{percent} %</text>')
    for traces in (1, 16, 128, 1024, 16384, 147456):
        out.append(f'<text x="{x(traces):.1f}" y="{height - bottom + 18}" text-anchor="middle">{traces}</text>')
    out.append(f'<text x="{width / 2}" y="{height - 6}" text-anchor="middle">admissible traces</text>')
    for name, colour in (("last_zero", "#1f5fa8"), ("indexer", "#b8441f")):
        ours = [(int(row["traces"]), row["overhead"]) for row in table if row["program"] == name]
        theirs = [(int(row["traces"]), float(row["paper_overhead"])) for row in table if row["program"] == name and row["paper_overhead"] != ""]
        for points, dash, who in ((ours, "", "Tarry"), (theirs, ' stroke-dasharray="5 4"', "paper")):
            if not points:
                continue
            path = " ".join(f"{x(t):.1f},{y(p):.1f}" for t, p in sorted(points))
            last = sorted(points)[-1]
            out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
            out.append(f'<text x="{x(last[0]) - 4:.1f}" y="{y(last[1]) - 6:.1f}" text-anchor="end" fill="{colour}">{name}, {who}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=1000)
    options.add_argument("--programs", default="last_zero,indexer")
    options.add_argument("--traces", default="1,16,128,256,1024,2048,16384,all")
    options.add_argument("--svg")
    options.add_argument("--tarry", default="build/release/bin/tarry")
    options = options.parse_args()
    table = []
    for row in rows(options, str(pathlib.Path(options.tarry).resolve())):
        table.append(row)
        print(" ".join(f"{key}={value}" for key, value in row.items()), flush=True)
    if options.svg:
        pathlib.Path(options.svg).write_text(svg(table))


main()
