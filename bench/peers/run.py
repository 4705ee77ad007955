#!/usr/bin/env python3
"""Runs SPIN and Tarry side by side on the same transition systems.

Both must see the same number of states (SPIN counts one more, before `init` has run); a row is the ratio of their rates and the
memory of each. Times are CPU seconds of the process that searches, the least of several runs taken in turns, because machines
are noisy. Prints one key=value line a row.

    bench/peers/run.py                the standard rows
    bench/peers/run.py --runs 5 phil  more runs, only rows whose name starts so
    bench/peers/run.py --growth       time and memory from 3 to over 100 million states (takes minutes)
    bench/peers/run.py --p            P programs beside SPIN's models of the same protocols
"""
import argparse, json, os, re, resource, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TARRY = os.environ.get("TARRY", os.path.join(ROOT, "build/release/bin/tarry"))

# name, Promela model, its macros, C++ model, its macros, options of tarry
ROWS = [
    ("phil8-dfs", "phil.pml", ["N=8"], "philosophers.cpp", ["N=8", "TRYLOCK=1"], ["--search", "dfs", "--jobs", "1", "--store", "exact"]),
    ("phil8-ses", "phil.pml", ["N=8"], "philosophers.cpp", ["N=8", "TRYLOCK=1"], ["--search", "ses", "--explorer", "round-robin", "--jobs", "1"]),
    ("phil8-bfs", "phil.pml", ["N=8"], "philosophers.cpp", ["N=8", "TRYLOCK=1"], ["--search", "bfs", "--jobs", "1"]),
    ("lcr9-dfs", "lcrp.pml", ["N=9"], "lcr.cpp", ["N=9"], ["--search", "dfs", "--jobs", "1"]),
    ("lelann5-dfs", "lelann.pml", ["N=5"], "lelann.cpp", ["N=5"], ["--search", "dfs", "--jobs", "1"]),
    ("german4-dfs", "german.pml", ["N=4"], "german.cpp", ["N=4"], ["--search", "dfs", "--jobs", "1"]),
]
# P programs are other transition systems than the Promela models (a P machine starts, creates, sends and handles in steps of its own), so rates are compared, not
# states. name, Promela model, its macros, P program, test, options of tarry
P_ROWS = [
    ("p-lcr9-all-points", "lcrp.pml", ["N=9"], "bench/p/lcr.p", "tcRing___n_9", ["--points", "p"]),
    ("p-lcr9", "lcrp.pml", ["N=9"], "bench/p/lcr.p", "tcRing___n_9", []),
    ("p-lcr11", "lcrp.pml", ["N=9"], "bench/p/lcr.p", "tcRing___n_11", []),
    ("p-german4-all-points", "german.pml", ["N=4"], "bench/p/german", "tcCoherent___numClients_4", ["--points", "p"]),
    ("p-german4", "german.pml", ["N=4"], "bench/p/german", "tcCoherent___numClients_4", []),
]
GROWTH = [("phil8", ["N=8"]), ("phil9", ["N=9"]), ("phil10", ["N=10"])]


def measured(command):
    """Standard output, CPU seconds and peak resident bytes of a command."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, cwd=tempfile.gettempdir())
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return out.read().decode(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def spin_binary(model, macros, folder):
    name = os.path.join(folder, model + "-" + "-".join(macros))
    if not os.path.exists(name):
        os.makedirs(name + ".d", exist_ok=True)
        subprocess.run(["spin", "-a"] + ["-D" + m for m in macros] + [os.path.join(HERE, "spin", model)], cwd=name + ".d", check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["gcc", "-O3", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=16000", "-o", name, "pan.c"], cwd=name + ".d", check=True)
    return name


def run_spin(binary):
    text, seconds, rss = measured([binary, "-m10000000", "-w24"])
    states = int(re.search(r"(\d+) states, stored", text).group(1))
    return states - 1, seconds, rss


def run_tarry(model, macros, options):
    command = [TARRY, "check", os.path.join(ROOT, "examples/models", model), "--json", "--time", "none"]
    for macro in macros:
        command += ["-D", macro]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text, seconds, _ = measured(command + options)
    result = json.loads(text)
    if result["verdict"] != "verified":
        sys.exit(f"{model}: {result['verdict']}")
    return result["states"], seconds, result["peak_rss"], result


def standard(names, runs, folder):
    for name, pml, spin_macros, cpp, macros, options in ROWS:
        if names and not any(name.startswith(n) for n in names):
            continue
        binary = spin_binary(pml, spin_macros, folder)
        run_tarry(cpp, macros, options)  # compiles the model
        spin, tarry = [], []
        for _ in range(runs):
            spin.append(run_spin(binary))
            tarry.append(run_tarry(cpp, macros, options))
        states = spin[0][0]
        if any(r[0] != states for r in spin + tarry):
            sys.exit(f"{name}: SPIN saw {states} states, Tarry {tarry[0][0]}")
        spin_seconds, tarry_seconds = min(r[1] for r in spin), min(r[1] for r in tarry)
        print(f"row={name} states={states} spin_seconds={spin_seconds:.2f} tarry_seconds={tarry_seconds:.2f} "
              f"ratio={spin_seconds / tarry_seconds:.2f} spin_bytes_per_state={min(r[2] for r in spin) / states:.1f} "
              f"tarry_bytes_per_state={min(r[2] for r in tarry) / states:.1f}", flush=True)


def run_p(program, test, options):
    command = [TARRY, "check", os.path.join(ROOT, program), "-tc", test, "--json", "--time", "none"] + options
    text, seconds, _ = measured(command)
    return json.loads(text), seconds


def p_programs(names, runs, folder):
    for name, pml, spin_macros, program, test, options in P_ROWS:
        if names and not any(name.startswith(n) for n in names):
            continue
        binary = spin_binary(pml, spin_macros, folder)
        spin, tarry = [], []
        for _ in range(runs):
            spin.append(run_spin(binary))
            tarry.append(run_p(program, test, ["--search", "dfs", "--jobs", "1"] + options))
        if any(r[0]["verdict"] != "verified" for r in tarry):
            sys.exit(f"{name}: {tarry[0][0]['verdict']}")
        states, seconds = tarry[0][0]["states"], min(r[1] for r in tarry)
        spin_states, spin_seconds = spin[0][0], min(r[1] for r in spin)
        print(f"row={name} spin_states={spin_states} spin_seconds={spin_seconds:.2f} spin_rate={spin_states / spin_seconds:.0f} states={states} "
              f"seconds={seconds:.2f} rate={states / seconds:.0f} rate_ratio={states / seconds / (spin_states / spin_seconds):.2f} "
              f"time_ratio={spin_seconds / seconds:.2f} spin_bytes_per_state={min(r[2] for r in spin) / spin_states:.1f} "
              f"bytes_per_state={min(r[0]['peak_rss'] for r in tarry) / states:.1f}", flush=True)
    if not names:
        result, seconds = run_p("bench/p/lcr.p", "tcRing___n_9", ["-s", "20000", "--jobs", "1"])
        print(f"row=p-lcr9-random-walk steps={result['transitions']} seconds={seconds:.2f} steps_per_second={result['transitions'] / seconds:.0f}", flush=True)


def jobs(runs):
    """Two workers against one, by the wall clock: run it on a machine that does nothing else."""
    for name, options in (("dfs", ["--search", "dfs"]), ("bfs", ["--search", "bfs"]), ("ses", ["--search", "ses", "--explorer", "round-robin"])):
        best = {}
        for _ in range(runs):
            for n in ("1", "2"):
                result = run_tarry("philosophers.cpp", ["N=9", "TRYLOCK=1"], options + ["--jobs", n])[3]
                best[n] = min(best.get(n, 1e9), result["search_seconds"])
        print(f"row=phil9-{name}-jobs one={best['1']:.2f} two={best['2']:.2f} speedup={best['1'] / best['2']:.2f}", flush=True)


def growth():
    for name, macros in GROWTH:
        states, seconds, rss, _ = run_tarry("philosophers.cpp", macros + ["TRYLOCK=1"], ["--search", "dfs", "--jobs", "1", "--memory", "16G"])
        print(f"row={name}-growth states={states} seconds={seconds:.1f} ns_per_state={seconds / states * 1e9:.0f} bytes_per_state={rss / states:.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--jobs", action="store_true", help="two workers against one")
    parser.add_argument("--p", action="store_true", help="P programs")
    options = parser.parse_args()
    if options.growth:
        return growth()
    if options.jobs:
        return jobs(options.runs)
    with tempfile.TemporaryDirectory() as folder:
        (p_programs if options.p else standard)(options.rows, options.runs, folder)


if __name__ == "__main__":
    main()
