#!/usr/bin/env python3
"""What the kernel keeps is shared: of each two system calls, both orders are explored where they can be told apart, by the default search and by
partial-order reduction. What the orders give is known from running them natively, one call after the other (kernel/pairs.cpp)."""

import itertools
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import TARRY, check  # noqa: E402

SOURCES = pathlib.Path(os.environ["SOURCE_DIR"]).resolve() / "tests" / "native" / "kernel"


class KernelPairs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.program = pathlib.Path(cls.folder.name) / "pairs"
        subprocess.run([TARRY, "c++", "-std=c++20", "-O1", SOURCES / "pairs.cpp", "-o", cls.program, "-pthread", "-lrt"], check=True)
        cls.native = pathlib.Path(cls.folder.name) / "native"
        subprocess.run([os.environ.get("CXX") or shutil.which("g++"), "-std=c++20", "-w", SOURCES / "pairs.cpp", "-o", cls.native, "-pthread", "-lrt"], check=True)
        cls.names = cls.run_natively()

    @classmethod
    def run_natively(cls, *arguments):
        return subprocess.run([cls.native, *map(str, arguments)], cwd=cls.folder.name, capture_output=True, text=True, check=True).stdout.splitlines()

    def compare(self, *calls):
        """Whether the orders of these calls can be told apart; if so, all outcomes are seen, and no others."""
        orders = ("".join(map(str, order)) for order in itertools.permutations(range(len(calls))))
        wanted = {self.run_natively(order, *calls)[0] for order in orders}
        if len(wanted) == 1:
            return False
        for search in ([], ["--search", "dpor"]):
            answer = check(self.program, "--outcomes", "--races", "ignore", *search, arguments=("all", *calls))
            seen = {line for outcome in answer["outcomes"] for line in outcome["output"].splitlines()}
            self.assertEqual(seen, wanted, f"{[self.names[call] for call in calls]}, {search}, {answer['verdict_text']}")
        return True

    def test_every_pair(self):
        self.assertGreater(sum(self.compare(*pair) for pair in itertools.combinations(range(len(self.names)), 2)), 30)

    def test_three_at_a_time(self):
        queue = [self.names.index(name) for name in ("mq_send", "mq_getattr")]
        self.assertTrue(self.compare(queue[0], queue[0], queue[1]))
        draw = random.Random(7)
        self.assertGreater(sum(self.compare(*draw.sample(range(len(self.names)), 3)) for _ in range(150)), 10)


if __name__ == "__main__":
    unittest.main()
