#!/usr/bin/env python3
"""How much of a native program is visited with fairness, and what it costs without: table 2 and figure 2 of Musuvathi and Qadeer, Fair Stateless Model
Checking (PLDI 2008). The large rows of table 2 are in tests/slow_native.
"""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "fair"))

from fairness import Fair, schedules  # noqa: E402
from table2 import LIVELOCK, StatesTest, expected, model  # noqa: E402

# By program and number of preemptions (None: depth-first search): states in all, visited without fairness up to 20 and 40 steps.
TABLE_2 = {
    (LIVELOCK, 1): (46, 46, 46),
    (LIVELOCK, 2): (60, 60, 60),
    (LIVELOCK, 3): (61, 61, 61),
    ("2 philosophers", 1): (47, 47, 47),
    ("2 philosophers", 2): (53, 53, 53),
    ("2 philosophers", 3): (53, 53, 53),
    ("2 philosophers", None): (53, 53, 53),
    ("3 philosophers", 1): (256, 254, 256),
    ("3 philosophers", 2): (342, 340, 342),
    ("3 philosophers", 3): (365, 363, None),
    ("3 philosophers", None): (365, 363, None),
    ("Cilk THE, 1 thief", 1): (219, 134, 211),
    ("Cilk THE, 1 thief", 2): (447, 156, 408),
    ("Cilk THE, 1 thief", 3): (527, 156, 493),
    ("Chase-Lev, 1 thief", 1): (161, 113, 161),
    ("Chase-Lev, 1 thief", 2): (277, 138, 277),
    ("Chase-Lev, 1 thief", 3): (295, 138, 295),
    ("Cilk THE, 2 thieves", 1): (657, 242, 611),
    ("Chase-Lev, 2 thieves", 1): (444, None, None),
}


def executions(program, depth):
    """Without fairness: how many have ended after so many steps, and how many go on, counted from the states."""
    now, ended = {program.initial(): 1}, 0
    for _ in range(depth):
        following = {}
        for state, count in now.items():
            for after, _ in program.steps(state).values():
                following[after] = following.get(after, 0) + count
        ended += sum(count for state, count in now.items() if not program.steps(state))
        now = following
    return ended + sum(count for state, count in now.items() if not program.steps(state)), sum(count for state, count in now.items() if program.steps(state))


class FairStates(StatesTest):
    def test_table_2_every_state_is_visited_with_fairness(self):
        for (name, preemptions), (states, *_) in TABLE_2.items():
            with self.subTest(name, preemptions=preemptions):
                self.assertEqual(len(expected(name, preemptions, False)), states)
                self.assertLessEqual(expected(name, preemptions, False), expected(name, preemptions, True))
                self.assertEqual(self.visited(name, preemptions, True), states)

    def test_table_2_without_fairness_a_depth_bound_leaves_some_out(self):
        for (name, preemptions), (_, *visited) in TABLE_2.items():
            for depth, states in zip((20, 40), visited):
                if states is not None:
                    with self.subTest(name, preemptions=preemptions, depth=depth):
                        self.assertEqual(self.visited(name, preemptions, False, depth), states)

    def test_figure_2_executions_without_end_grow_exponentially(self):
        program = model(LIVELOCK)
        endless = []
        for depth in (12, 14, 16, 18, 20, 22):
            with self.subTest(depth=depth):
                ended, goes_on = executions(program, depth)
                answer = self.native.check(LIVELOCK, "--fair-scheduling=off", "--cache", "none", "--max-depth", str(depth), "--outcomes", "--time", "none")
                self.assertEqual(answer["executions"], ended + goes_on)
                self.assertEqual(sum(outcome["executions"] for outcome in answer.get("outcomes", [])), ended)
                endless.append(goes_on)
        self.assertEqual(endless, [377, 1048, 2770, 7990, 23020, 67660])

    def test_figure_2_with_fairness_executions_end(self):
        self.assertEqual(self.native.check("2 philosophers", "--cache", "none", "--time", "none")["executions"], 826)
        self.assertEqual(len(schedules(model("2 philosophers"), Fair(), 1000)), 826)
        self.assertEqual([finding["kind"] for finding in self.native.check(LIVELOCK, "--max-depth", "200", "--time", "none")["findings"]], ["livelock"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
