#!/usr/bin/env python3
"""The large rows of table 2 of Fair Stateless Model Checking, on native programs; the others are in tests/native/fair_states_test.py."""

import os
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(os.environ["SOURCE_DIR"]) / "tests/native/fair"))

from table2 import StatesTest, expected  # noqa: E402

# By program and number of preemptions (None: depth-first search): states in all, and visited with fairness.
TABLE_2 = {
    ("Cilk THE, 1 thief", 4): (538, 538),
    ("Chase-Lev, 1 thief", 4): (301, 301),
    ("Chase-Lev, 1 thief", None): (301, 301),
    ("Cilk THE, 2 thieves", 2): (2393, 2393),
    ("Chase-Lev, 2 thieves", 2): (1804, 1804),
    ("Chase-Lev, 2 thieves", 3): (3474, 3474),
    ("Cilk THE, 2 thieves", 3): (3312, 3306),  # six take a preemption more, since the shortest way to them is unfair
}
# And without it, up to so many steps.
WITHOUT = {("Cilk THE, 1 thief", None, 40): 511, ("Chase-Lev, 1 thief", None, 40): 301, ("3 philosophers", None, 40): 365, ("Cilk THE, 2 thieves", 2, 40): 2068, ("Cilk THE, 2 thieves", 3, 40): 2886}


class FairStates(StatesTest):
    def test_with_fairness(self):
        for (name, preemptions), (states, visited) in TABLE_2.items():
            with self.subTest(name, preemptions=preemptions):
                self.assertEqual(len(expected(name, preemptions, False)), states)
                self.assertEqual(self.visited(name, preemptions, True), visited)

    def test_more_preemptions_make_up_for_fairness(self):
        """By the model: what three preemptions reach by unfair schedules, four reach by fair ones, and five reach all."""
        name = "Cilk THE, 2 thieves"
        fair = expected(name, 4, True)
        self.assertEqual((len(fair), len(expected(name, 3, False) - expected(name, 3, True)), expected(name, 3, False) - fair), (3461, 6, set()))
        self.assertEqual(len(expected(name, None, False)), 3482)
        self.assertEqual(expected(name, 5, True), expected(name, None, False))

    def test_without_fairness(self):
        for (name, preemptions, depth), visited in WITHOUT.items():
            with self.subTest(name, preemptions=preemptions, depth=depth):
                self.assertEqual(self.visited(name, preemptions, False, depth), visited)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
