#!/usr/bin/env python3
"""The dependence table of partial-order reduction, pair by pair: mutexes, semaphores, read-write locks, condition variables, barriers and atomics.

Each two operations are run natively in both orders, in every small state of their object (dpor/pairs.cpp). Where the orders can be told apart, the operations
are declared dependent: in the dump of the executions (--dump-traces), both use one object and do not both only read it. Where no state tells
them apart and they are declared dependent, the table is coarser than it has to be; these pairs are listed here, and no others may join them.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE / "dpor"), str(HERE.parent / "support")]

from traces import examine, executions  # noqa: E402
from ways import ALL, some  # noqa: E402

TARRY = os.environ["TARRY"]
INCLUDE = pathlib.Path(os.environ["SOURCE_DIR"]) / "include"
COARSE = {
    ("atomic", "store 1", "store 1"), ("atomic", "store 2", "store 2"),  # of equal values
    ("condition", "broadcast", "broadcast"), ("condition", "broadcast", "signal"), ("condition", "signal", "signal"),
    ("semaphore", "post", "post"),
}  # fmt: skip


def uses(event):
    return {(name, relation == "co") for relation in ("rf", "co") for name in event.get(relation, {})}


def are_dependent(one, other):
    if one.get("all") or other.get("all"):
        return True
    return any(a == b and (wa or wb) for a, wa in uses(one) for b, wb in uses(other))


def operations_of(events):
    """The events behind the yields of the actors, which are threads 1 and 2."""
    found, yielded = {}, set()
    for event in events:
        if event["t"] in yielded and event["t"] not in found:
            found[event["t"]] = event
        if event["op"] == "yield":
            yielded.add(event["t"])
    return found.get(1), found.get(2)


class OperationPairs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.program, cls.native = pathlib.Path(cls.folder.name) / "pairs", pathlib.Path(cls.folder.name) / "native"
        subprocess.run([TARRY, "c++", "-std=c++20", "-O1", "-w", HERE / "dpor" / "pairs.cpp", "-o", cls.program, "-pthread", f"-I{INCLUDE}"], check=True)
        subprocess.run([os.environ.get("CXX") or shutil.which("g++"), "-std=c++20", "-w", HERE / "dpor" / "pairs.cpp", "-o", cls.native, "-pthread", f"-I{INCLUDE}"], check=True)

    def natively(self, *pair):
        """By state: can the orders be told apart, and why?"""
        lines = subprocess.run([self.native, "natively", *pair], capture_output=True, text=True, check=True, timeout=120).stdout.splitlines()
        return {int(state): (dependent == "1", why) for state, dependent, why in (line.split("\t") for line in lines)}

    def declared(self, states, *pair):
        """By state: are the operations dependent in all executions that have both?"""
        file = pathlib.Path(self.folder.name) / ("-".join(pair) + ".traces")
        command = [TARRY, "check", str(self.program), "--json", "--explore", "--search", "dpor", "--jobs", "1", "--time", "100s", "--dump-traces", str(file), "--", "explored", *pair]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder.name, check=False, timeout=300, stdin=subprocess.DEVNULL)
        answer = json.loads(done.stdout)
        self.assertIn(answer["verdict"], ("verified", "bug", "no-bug-found"), answer)
        found = collections.defaultdict(set)
        for _, events in executions(file):
            examine(events)
            one, other = operations_of(events)
            state = states[0] if len(states) == 1 else states[next(event["values"][0] for event in events if "values" in event)]
            if one is not None and other is not None:
                found[state].add(are_dependent(one, other))
        return found

    def judge(self, pair):
        """(pair, what is wrong, whether some state tells the orders apart, whether it is declared, states that were compared)"""
        real = self.natively(*pair)
        if not real:
            return pair, [], False, False, 0
        declared = self.declared(sorted(real), *pair)
        wrong = [f"{pair} in state {state}: {why}" for state, (dependent, why) in real.items() if dependent and False in declared[state]]
        return pair, wrong, any(dependent for dependent, _ in real.values()), any(True in answers for answers in declared.values()), sum(1 for state in real if declared[state])

    def test_every_pair(self):
        listed = [line.split("\t") for line in subprocess.run([self.native, "list"], capture_output=True, text=True, check=True).stdout.splitlines()]
        numbered = list(enumerate(listed))  # other objects are the same for both actors
        pairs = [(thing, one, other) for i, (thing, one) in numbered for k, (same, other) in numbered if thing == same and (i <= k or thing == "condition")]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            judged = list(pool.map(self.judge, some(pairs, 5)))
        self.assertEqual([line for _, wrong, _, _, _ in judged for line in wrong], [])
        self.assertGreater(sum(compared for *_, compared in judged), 140 if ALL else 28)
        dependent = {(thing, *sorted(names)) for (thing, *names), _, real, _, _ in judged if real}
        declared = {(thing, *sorted(names)) for (thing, *names), _, _, said, _ in judged if said}
        self.assertTrue(declared - dependent == COARSE if ALL else declared - dependent <= COARSE, declared - dependent)
        self.assertEqual(dependent - declared, set())


if __name__ == "__main__":
    unittest.main()
