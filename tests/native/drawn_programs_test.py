#!/usr/bin/env python3
"""Random programs with yields, polls, time-outs, clocks, signals, memory that is used again, strings, streams and loops that wait: what they write, whether
they get stuck and whether they race is what brute force says (drawn/machine.py). Thousands of others are in tests/slow_native.
"""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "drawn"))

from harness import compare  # noqa: E402
from programs import drawn  # noqa: E402

WAYS = [("g++", "-O0", 1), ("g++", "-O2", 2), ("g++", "-O2", 1), ("g++", "-O0", 2)]


class DrawnPrograms(unittest.TestCase):
    def test_outcomes_are_those_of_brute_force(self):
        programs = list(drawn(1, 120, 400))
        families = {family for program, _ in programs for family in program.families}
        self.assertEqual(len(families), 13)
        self.assertTrue(any(answer.stuck for _, answer in programs) and any(answer.races for _, answer in programs))
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(compare(folder, programs, lambda i: [WAYS[i % 4]]), [])


if __name__ == "__main__":
    unittest.main()
