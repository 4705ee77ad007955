#!/usr/bin/env python3
"""Files of schedules that are damaged, cut off, of another program, version or build: an error in words, exit code 2, and the program is not started."""

import random
import sys

from adherence import adheres, runs_of
from common import PROGRAMS, TARRY, Folder, call, compile_program, run, shown, verify

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 150


def refused(file, program, words, *options, arguments=()):
    done = run(file, program, *options, arguments=arguments)
    assert done.returncode == 2 and done.stdout == "", (file, done.returncode, done.stdout, done.stderr)
    assert words in done.stderr, (words, done.stderr)


def test_damage_is_found(folder, program, file):
    rng = random.Random(1)
    whole = file.read_bytes()
    bad = folder / "bad"
    for cut in (0, 1, 7, 8, 100, len(whole) // 2, len(whole) - 1):
        bad.write_bytes(whole[:cut])
        refused(bad, program, "is cut off" if cut >= 8 else "error: is no file of schedules")
    bad.write_bytes(whole + b"\0")
    refused(bad, program, "more bytes than it says")
    for _ in range(ROUNDS):
        damaged = bytearray(whole)
        for _ in range(rng.choice([1, 1, 2, 8])):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        if damaged == whole:
            continue
        bad.write_bytes(damaged)
        done = call(TARRY, "schedules", "show", bad)
        assert done.returncode == 2 and "error:" in done.stderr, (done.returncode, done.stderr)
    refused(bad, program, "error:")
    bad.write_bytes(whole[:8] + b"\x63" + whole[9:])
    refused(bad, program, "version 99")
    refused(folder / "missing", program, "cannot be read")
    bad.write_text("no schedules at all, only some text that is long enough for a header" * 20)
    refused(bad, program, "is no file of schedules")


def test_another_program_is_not_run(folder, program, file):
    other = compile_program(PROGRAMS / "store_buffering.cpp", folder)
    refused(file, other, "another program or another build")
    refused(file, "/bin/true", "not instrumented")
    refused(file, program, "verified for other arguments", arguments=("more",))
    changed = folder / "changed.cpp"
    changed.write_text((PROGRAMS / "two_orders.cpp").read_text().replace("a.load() != b.load()", "a.load() > b.load()"))
    refused(file, compile_program(changed, folder), "another program or another build")
    done = call(TARRY, "verify", other, "-o", file, cwd=folder)
    assert done.returncode == 2 and "another program" in done.stderr, done.stderr


def test_a_set_for_arguments_is_for_these(folder, program, _):
    file = folder / "with"
    verify(program, file, "--", "one", "two")
    assert shown(file)["arguments"] == ["one", "two"]
    assert run(file, program, arguments=("one", "two")).returncode == 0
    refused(file, program, "other arguments: one two")


def test_the_checker_of_logs_can_fail(folder, program, file):
    """The same run with two events exchanged, left out, or overlapping is found out."""
    log = folder / "log"
    assert run(file, program, "--log", log).returncode == 0
    (events, _, verified), = runs_of(log)
    schedules = shown(file)

    def fits(changed):
        return any(adheres(changed, trace, schedules["labels"]) is None for trace in schedules["traces"])

    assert verified and fits(events)
    stores = sorted((event for event in events if event.kind == "store"), key=lambda event: event.claimed)
    first, second = [event for event in stores if event.object == stores[0].object]
    others = [event for event in events if event not in (first, second)]
    assert not fits(others + [first._replace(claimed=second.claimed, done=second.done), second._replace(claimed=first.claimed, done=first.done)])
    assert not fits(others + [first._replace(done=second.claimed + 0.5), second])
    assert not fits(others + [first])


def main():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "two_orders.cpp", folder), folder / "set"
        verify(program, file)
        for name, test in sorted(globals().items()):
            if name.startswith("test_"):
                test(folder, program, file)
                print(name, "passed", flush=True)


main()
