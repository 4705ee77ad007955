#!/usr/bin/env python3
"""Table 2 of Fair Stateless Model Checking on native programs: states visited with fairness and, up to a depth bound, without.

    TARRY=build/release/bin/tarry SOURCE_DIR=. tests/native/fair/table2.py [TIME]

Prints the table of docs/fair-scheduling.md. Every number is that of a check (fair/observed.h tells states), and every set of states is compared with
the one that the model has. A star: the search was stopped after TIME (default: 60s), as CHESS after 5000 seconds.
"""

import functools
import pathlib
import sys
import tempfile
import unittest

from fairness import Fair, Unfair, bounded
from native import SOURCE, check, compiled
from programs import model_of, philosophers, source, tellable
from queues import work_stealing

BOUNDS = (1, 2, 3, None)  # preemptions; None: depth-first search
DEPTHS = (20, 30, 40)
LIVELOCK = "2 philosophers of figure 1"  # to be searched within bounds only: with fairness and without bounds its livelock is found
DINING = {LIVELOCK: philosophers(2, "figure 1"), "2 philosophers": philosophers(2, "in order"), "3 philosophers": philosophers(3, "in order")}
STEALING = {f"{name}, {thieves} {'thief' if thieves == 1 else 'thieves'}": (queue, thieves) for thieves in (1, 2) for queue, name in (("the", "Cilk THE"), ("chase_lev", "Chase-Lev"))}
NAMES = [*DINING, *STEALING]


@functools.cache
def model(name):
    return model_of(DINING[name]) if name in DINING else work_stealing(*STEALING[name])


@functools.cache
def expected(name, preemptions, fair, depth=None):
    """What the model says is visited, as the native program tells it."""
    program = model(name)
    return {program.text(state) for state in bounded(program, Fair() if fair else Unfair(), preemptions, depth) if tellable(program, state)}


class Natively:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self.folder.name)
        (path / "dining.cpp").write_text(source(list(DINING.values())), encoding="utf-8")
        self.dining = compiled(path / "dining.cpp", path / "dining")
        self.stealing = compiled(SOURCE / "tests/native/fair/queues.cpp", path / "stealing")

    def check(self, name, *options, **more):
        program, arguments = (self.dining, [list(DINING).index(name), "states"]) if name in DINING else (self.stealing, STEALING[name])
        return check(program, arguments, *options, **more)

    def visited(self, name, preemptions, fair, depth=None, time="60s"):
        options = ["--fair-scheduling=" + ("1" if fair else "off"), "--time", time]
        options += [] if preemptions is None else ["--max-preemptions", str(preemptions)]
        options += [] if depth is None else ["--max-depth", str(depth)]
        return self.check(name, *options, search="dfs" if preemptions is None else "preemption-bounded")


class StatesTest(unittest.TestCase):
    """For tests of what is visited; it is always what the model says."""

    @classmethod
    def setUpClass(cls):
        cls.native = Natively()

    def visited(self, *case):
        answer = self.native.visited(*case, time="none")
        self.assertEqual(answer["findings"], [])
        self.assertEqual(answer["covered"], expected(*case))
        return len(answer["covered"])


def main():
    native = Natively()
    print("| program | preemptions | states | with fairness |" + "".join(f" without, depth {depth} |" for depth in DEPTHS))
    print("|---|---|---:|---:|" + "---:|" * len(DEPTHS))
    for name in NAMES:
        for preemptions in BOUNDS[:3] if name == LIVELOCK else BOUNDS:
            cells = []
            for fair, depth in [(True, None)] + [(False, depth) for depth in DEPTHS]:
                answer = native.visited(name, preemptions, fair, depth, *sys.argv[1:])
                stopped = answer["stopped_by"] == "time"
                assert stopped or answer["covered"] == expected(name, preemptions, fair, depth), (name, preemptions, fair, depth)
                cells.append(f"{len(answer['covered']):,}{'*' if stopped else ''} in {answer['executions']:,}")
            print(f"| {name} | {'any (dfs)' if preemptions is None else preemptions} | {len(expected(name, preemptions, False)):,} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
