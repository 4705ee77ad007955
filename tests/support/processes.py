"""Processes of a running check, for tests that interrupt or kill it: they wait until it has come so far, not for some time."""

import os
import pathlib
import time


def children_of(process):
    """The process ids of the children, of any thread."""
    found = []
    for children in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += [int(child) for child in children.read_text(encoding="ascii").split()]
        except OSError:  # the thread has just ended
            continue
    return sorted(found)


def workers_of(tool):
    """The worker processes of a check of a program with threads: those that share memory with the tool."""
    found = []
    for child in children_of(tool):
        try:
            if "tarry worker" in pathlib.Path(f"/proc/{child}/maps").read_text(encoding="ascii", errors="replace"):
                found.append(child)
        except OSError:
            continue
    return found


def processor_seconds(process):
    """The time that the process has computed; 0 if it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def waits(process):
    """How often the process's first thread has waited (slept); 0 if it has ended."""
    try:
        text = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    return int(text.split("\nvoluntary_ctxt_switches:")[1].split()[0])


def wait_until(condition, what, limit=100.0):
    """Returns the first true value of `condition()`."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {limit} s, and still not: {what}")
        time.sleep(0.02)


def wait_for_workers(tool, workers=1, seconds=0.5):
    """Waits until so many workers of the check have computed for so long each, so that they search. Returns them; none if the check has ended. `tool`: a Popen."""

    def busy():
        if tool.poll() is not None:
            return [None]
        found = workers_of(tool.pid)
        return found if len(found) >= workers and all(processor_seconds(worker) >= seconds for worker in found) else None

    found = wait_until(busy, f"{workers} workers that have computed for {seconds} s")
    return [] if found == [None] else found
