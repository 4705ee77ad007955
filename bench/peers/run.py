#!/usr/bin/env python3
"""Runs SPIN and Tarry side by side on the same transition systems.

Both must see the same number of states (SPIN counts one more, before `init` has run); a row is the ratio of their rates and the
memory of each. Times are CPU seconds of the process that searches, the least of several runs taken in turns, because machines
are noisy. Prints one key=value line a row.

    bench/peers/run.py                the standard rows
    bench/peers/run.py --runs 5 phil  more runs, only rows whose name starts so
    bench/peers/run.py --growth       time and memory from 3 to over 100 million states (takes minutes)
    bench/peers/run.py --p            P programs beside SPIN's models of the same protocols
    bench/peers/run.py --live         formulas of temporal logic, with and without weak fairness, beside SPIN's -a and -a -f
    bench/peers/run.py --cycles       the searches for cycles among each other: states and time to the first cycle, and for a proof
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
# Formulas. name, Promela model, its macros, C++ model, its macros, formula
LIVE_ROWS = [
    ("lcr8", "lcrp.pml", ["N=8"], "lcr.cpp", ["N=8"], "F done"),
    ("lelann5", "lelann.pml", ["N=5"], "lelann.cpp", ["N=5"], "F done"),
    ("german3", "german.pml", ["N=3", "NOMON"], "german.cpp", ["N=3"], "G (waits -> F !waits)"),
    ("german3-violated", "german.pml", ["N=3", "NOMON", "VIOLATED"], "german.cpp", ["N=3"], "F G !waits"),
    ("lcr8-violated", "lcrp.pml", ["N=8", "VIOLATED"], "lcr.cpp", ["N=8"], "G F !done"),
    ("lelann5-violated", "lelann.pml", ["N=5", "VIOLATED"], "lelann.cpp", ["N=5"], "G F !done"),
]
# Searches for cycles: name, C++ model, its macros, formula, options. The first ones are violated.
CYCLE_ROWS = [
    ("german3-first", "german.cpp", ["N=3"], "F G !waits", []),
    ("german4-first", "german.cpp", ["N=4"], "F G !waits", []),
    ("lelann5-proof", "lelann.cpp", ["N=5"], "F done", []),
    ("lelann6-proof", "lelann.cpp", ["N=6"], "F done", []),
]
CYCLE_SEARCHES = [("ndfs", []), ("iterative-ndfs", []), ("map", []), ("fair-cycle", ["--deepen", "1", "--fairness", "none", "--choices", "demonic"]), ("fair-cycle-bfs", ["--fairness", "none", "--choices", "demonic"])]
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


def spin_live_binary(model, macros, folder):
    name = os.path.join(folder, "live-" + model + "-" + "-".join(macros))
    if not os.path.exists(name):
        os.makedirs(name + ".d", exist_ok=True)
        subprocess.run(["spin", "-a", "-DLTL"] + ["-D" + m for m in macros] + [os.path.join(HERE, "spin", model)], cwd=name + ".d", check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["gcc", "-O3", "-w", "-DNOREDUCE", "-DNFAIR=4", "-DMEMLIM=16000", "-o", name, "pan.c"], cwd=name + ".d", check=True)
    return name


def run_tarry_live(model, macros, formula, options):
    command = [TARRY, "check", os.path.join(ROOT, "examples/models", model), "--json", "--time", "none", "--jobs", "1", "--ltl", formula]
    for macro in macros:
        command += ["-D", macro]
    text, seconds, _ = measured(command + options)
    return json.loads(text), seconds


def live(names, runs, folder):
    """The default search and the nested search of Tarry beside SPIN's nested search. Verdicts must be equal; SPIN 6.5's -f misses violations where processes terminate, so a violation that only Tarry sees is shown, not refused."""
    for name, pml, spin_macros, cpp, macros, formula in LIVE_ROWS:
        if names and not any(name.startswith(n) for n in names):
            continue
        binary = spin_live_binary(pml, spin_macros, folder)
        for fairness, flags in (("none", ["-a"]), ("weak", ["-a", "-f"])):
            options = ["--search", "fair-cycle", "--fairness", fairness, "--choices", "demonic"]
            nested = ["--search", "ndfs", "--fairness", fairness]  # the same algorithm as SPIN's: the baseline of the iterative searches is a fair one
            run_tarry_live(cpp, macros, formula, options)  # compiles the model
            spin, tarry, ndfs = [], [], []
            for _ in range(runs):
                text, seconds, _ = measured([binary, "-m10000000", "-w24"] + flags)
                spin.append((int(re.search(r"errors: (\d+)", text).group(1)), seconds, int(re.search(r"(\d+) states, stored", text).group(1))))
                tarry.append(run_tarry_live(cpp, macros, formula, options))
                ndfs.append(run_tarry_live(cpp, macros, formula, nested))
            if ndfs[0][0]["verdict"] != tarry[0][0]["verdict"]:
                sys.exit(f"{name}: ndfs says {ndfs[0][0]['verdict']}, fair-cycle {tarry[0][0]['verdict']}")
            bad = [spin[0][0] > 0, tarry[0][0]["verdict"] == "bug"]
            if bad[0] and not bad[1]:
                sys.exit(f"{name}: SPIN finds a violation, Tarry says {tarry[0][0]['verdict']}")
            spin_seconds, tarry_seconds, ndfs_seconds = min(r[1] for r in spin), min(r[1] for r in tarry), min(r[1] for r in ndfs)
            print(f"row={name}-{fairness} spin={'bug' if bad[0] else 'verified'} tarry={'bug' if bad[1] else 'verified'} spin_states={spin[0][2]} states={tarry[0][0]['states']} "
                  f"spin_seconds={spin_seconds:.2f} tarry_seconds={tarry_seconds:.2f} ratio={spin_seconds / tarry_seconds:.2f} ndfs_states={ndfs[0][0]['states']} ndfs_seconds={ndfs_seconds:.2f} ndfs_ratio={spin_seconds / ndfs_seconds:.2f}", flush=True)


def cycles(names, runs):
    for name, cpp, macros, formula, extra in CYCLE_ROWS:
        if names and not any(name.startswith(n) for n in names):
            continue
        run_tarry_live(cpp, macros, formula, ["--search", "fair-cycle"] + extra)  # compiles the model
        for search, options in CYCLE_SEARCHES:
            rows = [run_tarry_live(cpp, macros, formula, ["--search", search.removesuffix("-bfs")] + options + extra) for _ in range(runs)]
            result = rows[0][0]
            print(f"row={name} search={search} verdict={result['verdict']} states={result['states']} transitions={result['transitions']} cpu_seconds={min(r[1] for r in rows):.2f} "
                  f"bytes_per_state={result['peak_rss'] / result['states']:.0f} steps={result['findings'][0]['steps'] if result['findings'] else '-'}", flush=True)


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
        two_against_one(f"phil9-{name}", "philosophers.cpp", ["N=9", "TRYLOCK=1"], options, runs)
    for name, options in (("map", ["--search", "map"]), ("map-delta-1000", ["--search", "map", "--delta", "1000"]), ("fair-cycle", ["--search", "fair-cycle"]), ("ndfs", ["--search", "ndfs"]), ("iterative-ndfs", ["--search", "iterative-ndfs"])):
        two_against_one(f"lelann6-{name}", "lelann.cpp", ["N=6"], options + ["--ltl", "F done"], runs)


def two_against_one(name, model, macros, options, runs):
    """Wall clock, and CPU: where others use the machine, twice the CPU of one worker over that of two is what would be reached without them."""
    wall, cpu = {}, {}
    for _ in range(runs):
        for n in ("1", "2"):
            _, seconds, _, result = run_tarry(model, macros, options + ["--jobs", n])
            wall[n] = min(wall.get(n, 1e9), result["search_seconds"])
            cpu[n] = min(cpu.get(n, 1e9), seconds)
    print(f"row={name}-jobs one={wall['1']:.2f} two={wall['2']:.2f} speedup={wall['1'] / wall['2']:.2f} cpu_one={cpu['1']:.2f} cpu_two={cpu['2']:.2f} speedup_by_cpu={2 * cpu['1'] / cpu['2']:.2f}", flush=True)


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
    parser.add_argument("--live", action="store_true", help="formulas beside SPIN")
    parser.add_argument("--cycles", action="store_true", help="searches for cycles among each other")
    options = parser.parse_args()
    if options.growth:
        return growth()
    if options.jobs:
        return jobs(options.runs)
    with tempfile.TemporaryDirectory() as folder:
        if options.cycles:
            return cycles(options.rows, options.runs)
        (p_programs if options.p else live if options.live else standard)(options.rows, options.runs, folder)


if __name__ == "__main__":
    main()
