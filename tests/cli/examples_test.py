#!/usr/bin/env python3
"""Every row of examples/models/expected.tsv: the exact number of states and transitions, or the kind of the bug."""
import csv, json, os, subprocess, sys, tempfile

root = os.environ["SOURCE_DIR"]
cache = os.path.join(os.environ.get("BUILD_DIR", "/tmp"), "test-cache")
searches = [["--search", "dfs", "--jobs", "1"], ["--search", "bfs", "--jobs", "2"],
            ["--search", "ses", "--explorer", "round-robin"], ["--search", "preemption-bounded"], ["--search", "ses"]]
failures, rows = [], 0
with tempfile.TemporaryDirectory() as folder, open(os.path.join(root, "examples/models/expected.tsv")) as table:
    for row in csv.DictReader((line for line in table if not line.startswith("#")), delimiter="\t"):
        defines = [] if row["defines"] == "-" else row["defines"].split()
        big = row["states"] != "-" and int(row["states"]) > 200_000
        # The default search for the verdict; one exhaustive search in turn for the counts.
        for options in ([[]] if not big else []) + [searches[rows % len(searches)]]:
            command = [os.environ["TARRY"], "check", os.path.join(root, "examples/models", row["file"]), "--json"] + options
            for define in defines:
                command += ["-D", define]
            run = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "XDG_CACHE_HOME": cache})
            what = " ".join(command[2:])
            if run.returncode not in (0, 1):
                failures.append(f"{what}: exit {run.returncode}: {run.stderr}")
                continue
            result = json.loads(run.stdout)
            verdict = result["findings"][0]["kind"] if result["findings"] else result["verdict"]
            if verdict != row["verdict"]:
                failures.append(f"{what}: {verdict}, expected {row['verdict']}")
            elif row["states"] != "-" and (result["states"], result["transitions"]) != (int(row["states"]), int(row["transitions"])):
                failures.append(f"{what}: {result['states']} states and {result['transitions']} transitions, expected {row['states']} and {row['transitions']}")
        rows += 1
if rows == 0:
    failures.append("no rows")
sys.exit("\n".join(failures) or 0)
