"""Sources of Debian's packages, and what programs built from them write under control.

The sources come from Debian's mirror ($DEBIAN_MIRROR) and are kept in $BUILD_DIR/debian.
"""

import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request

TARRY = os.environ["TARRY"]
MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
KEPT = pathlib.Path(os.environ["BUILD_DIR"]) / "debian"


class NotThere(Exception):
    pass


class Wrong(Exception):
    pass


def source_of(path, wanted):
    """The archive, from the mirror if it is not kept."""
    archive = KEPT / pathlib.Path(path).name
    if not archive.exists():
        try:
            with urllib.request.urlopen(f"{MIRROR}/pool/{path}", timeout=60) as answer:
                content = answer.read()
        except (urllib.error.URLError, OSError) as problem:
            raise NotThere(f"{MIRROR}/pool/{path}: {problem}") from None
        KEPT.mkdir(parents=True, exist_ok=True)
        archive.write_bytes(content)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != wanted:
        archive.unlink()
        raise Wrong(f"{path}: its SHA-256 is {found}")
    return archive


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def unpack(name, archive, folder):
    """Returns the folder of the sources."""
    with tarfile.open(archive) as content:
        content.extractall(folder)
    return next(path for path in folder.iterdir() if path.is_dir() and path.name.startswith(name))


def build(name, archive, commands, folder):
    """Returns the folder of the sources, in which the commands ran."""
    source = unpack(name, archive, folder)
    for command in commands:
        run(command, source)
    return source


def outputs_under_control(program, folder, arguments, steps):
    """Returns the output of three random schedules, byte by byte (Tarry's JSON would have to be UTF-8). Raises Wrong if there is a finding,
    if the outputs differ, or if an execution has fewer than `steps` steps."""
    options = ["--search", "random-walk", "-s", "3", "--expect-exit", "0", "--outcomes", "--no-progress", "--time", "10m"]
    done = subprocess.run([TARRY, "check", program, *options, "--", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=900, check=False)
    head = re.match(rb"tarry: no bug found; 3 executions\n3 times:\n", done.stdout)
    tail = re.search(rb"\n?tarry: (?:note: [^\n]*\ntarry: )*[\d,]+ transitions, 3 executions, depth ([\d,]+)[^\n]*\n$", done.stdout)
    if done.returncode != 0 or head is None or tail is None:
        raise Wrong(f"{program.name} {' '.join(map(str, arguments))}: exit code {done.returncode}, {done.stdout[:300]} … {done.stdout[-300:]} {done.stderr[-2000:]}")
    if int(tail[1].replace(b",", b"")) < steps:
        raise Wrong(f"{program.name}: {tail[1].decode()} steps only: it is not under control")
    return done.stdout[head.end() : tail.start()]


def exit_code(names, check):
    """Calls check(name, folder) for every name. Returns 1 if one went wrong, 77 if all were skipped."""
    done = wrong = 0
    for name in names:
        try:
            with tempfile.TemporaryDirectory() as folder:
                check(name, pathlib.Path(folder))
            done += 1
        except NotThere as problem:
            print(f"{name}: skipped: {problem}")
        except (Wrong, OSError, EOFError, ValueError, subprocess.TimeoutExpired) as problem:
            wrong += 1
            print(f"{name}: error: {problem}")
        sys.stdout.flush()
    return 1 if wrong else 0 if done else 77
