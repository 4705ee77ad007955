#!/usr/bin/env python3
"""The README's first screen is true: its program, its command, its output."""
import os, re, subprocess, sys, tempfile

readme = open(os.path.join(os.environ["SOURCE_DIR"], "README.md")).read()
# A program, then the command that checks it and the start of its output: a thread program, and a model.
shows = re.findall(r"```cpp\n(.*?)```\n+```console\n\$ (?:\./)?tarry check (\S+)(.*?)\n(.*?)```", readme, re.S)
if len(shows) != 2:
    sys.exit(f"the README shows {len(shows)} programs with their output")
has_runtime = os.path.exists(os.path.join(os.environ["BUILD_DIR"], "lib", "libtarry_rt.so"))  # not in builds with sanitizers
for program, file, options, output in shows:
    if "TARRY_MODEL" not in program and not has_runtime:
        continue
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, file), "w").write(program)
        run = subprocess.run([os.environ["TARRY"], "check", file, *options.split()], cwd=folder, capture_output=True, text=True)
        shown = output.rstrip().splitlines()
        got = run.stdout.splitlines()[: len(shown)]
        if run.returncode != 1 or got != shown:
            sys.exit(f"exit {run.returncode}\n--- README\n" + "\n".join(shown) + "\n--- output\n" + run.stdout + run.stderr)
docs = os.path.join(os.environ["SOURCE_DIR"], "docs/searches")
listed = subprocess.run([os.environ["TARRY"], "list", "searches"], capture_output=True, text=True).stdout
for line in listed.splitlines():
    name = line.split()[0]
    if not os.path.exists(os.path.join(docs, name + ".md")):
        sys.exit(f"search '{name}' has no page in docs/searches")
for folder, _, files in os.walk(os.environ["SOURCE_DIR"]):
    if "build" in folder or ".git" in folder:
        continue
    for file in files:
        if not file.endswith(".md"):
            continue
        prose = re.sub(r"```.*?```", "", open(os.path.join(folder, file)).read(), flags=re.S)
        for link in re.findall(r"\]\(([^)#:]+)\)", prose):
            if not os.path.exists(os.path.join(folder, link)):
                sys.exit(f"{os.path.join(folder, file)}: the link to '{link}' leads nowhere")
