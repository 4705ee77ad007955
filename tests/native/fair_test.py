#!/usr/bin/env python3
"""Fair scheduling of native programs: theorems 1 to 6 of Musuvathi and Qadeer, Fair Stateless Model Checking (PLDI 2008), on random small programs.

Each program is a model (fair/model.py), in which everything is counted by brute force, and a C++ program, which tells Tarry its states or its schedule at
every step (fair/observed.h). What Tarry visits is compared with what algorithm 1, written a second time in fair/fairness.py, generates; and the theorems
are held against what was visited.
"""

import functools
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "fair"))

from fairness import Fair, Graph, Unfair, schedules, without_yields  # noqa: E402
from native import check, compiled  # noqa: E402
from programs import code_of, figure3, model_of, philosophers, polls_under_lock, source, tellable  # noqa: E402

# Seeds of programs by what the model says about them; that they are so is tested.
ENDING = [2, 6, 13, 24, 26, 34, 51, 78, 89, 91, 98, 114, 119, 129, 147, 151, 175, 195, 227, 243, 271, 274, 280]  # few schedules: all of them are compared
ENDING_LARGER = [5, 10, 14, 16, 22, 37, 54, 76, 83, 131, 144, 161, 210, 249]  # states are compared
DEADLOCK = [0, 35, 39, 79, 84, 102, 110, 163, 171, 193, 196, 211, 260, 277]
LIVELOCK = [1, 3, 12, 19, 30, 36, 38, 40, 57, 93, 97, 99, 128, 187, 203, 228, 255, 287, 299]
SELFISH = [4, 18, 28, 66, 87, 107, 108, 121, 123, 146, 201, 232]
BY_HAND = {"figure 3": figure3(), "figure 3, sleeping": figure3("sleep"), "figure 3, never yielding": figure3(None), "polls under a lock": polls_under_lock(), "figure 1": philosophers(2, "figure 1"),
           "two philosophers": philosophers(2, "in order")}

PROGRAMS = {**BY_HAND, **{seed: code_of(seed) for seeds in (ENDING, ENDING_LARGER, DEADLOCK, LIVELOCK, SELFISH) for seed in seeds}}
NUMBER = {name: i for i, name in enumerate(PROGRAMS)}


@functools.cache
def model(name):
    return model_of(PROGRAMS[name])


@functools.cache
def plain_graph(name):
    return Graph(model(name), Unfair())


@functools.cache
def fair_graph(name, every=1):
    return Graph(model(name), Fair(every))


def told(name, states):
    return {model(name).text(state) for state in states if tellable(model(name), state)}


def prefixes(paths):
    """What is told of the paths: each beginning, but the whole only if it does not end with the end of main."""
    return {path[:n] for path in paths for n in range(1, len(path))}


def leaves(told_paths):
    """The longest ones: no other goes on from them."""
    return {path for path in told_paths if not any(path + str(t) in told_paths for t in range(4))}


def replayed(program, path):
    """The states along a schedule."""
    states = [program.initial()]
    for thread in path:
        states.append(program.steps(states[-1])[int(thread)][0])
    return states


def rounds_of_unfair_cycles(program, path):
    """How often, at most, this schedule goes round a cycle of states in which somebody who can run does not."""
    states = replayed(program, path)
    most = 0
    for first in range(len(path)):
        for length in range(1, len(path) - first + 1):
            if states[first] != states[first + length]:
                continue
            cycle = path[first : first + length]
            enabled = set().union(*(program.enabled(state) for state in states[first : first + length]))
            if enabled > {int(t) for t in cycle} and len(set(states[first : first + length])) == length:
                rounds = 1
                while path[first + rounds * length : first + (rounds + 1) * length] == cycle:
                    rounds += 1
                most = max(most, rounds)
    return most


class FairTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name, "fair.cpp")
        path.write_text(source(list(PROGRAMS.values())), encoding="utf-8")
        cls.program = compiled(path, path.with_name("fair"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, name, what, *options, **more):
        return check(self.program, [NUMBER[name], what], "--time", "none", *options, **more)

    def ours(self, name, what="states", jobs=1, search=None):
        """The default: awaits, and a K that rises."""
        return check(self.program, [NUMBER[name], what], "--time", "60s", search=search, paper=False, jobs=jobs)

    def verified(self, answer):
        self.assertEqual((answer["verdict"], answer["findings"]), ("verified", []))
        return answer

    def test_it_is_algorithm_1_schedule_by_schedule(self):
        """And theorems 3 and 4: no schedule is abandoned, and none goes round an unfair cycle more than twice."""
        most = 0
        for name in ["figure 3", "figure 3, sleeping", "polls under a lock", *ENDING]:
            with self.subTest(name, threads=PROGRAMS[name]):
                program = model(name)
                expected = schedules(program, Fair(), 5000)
                answer = self.verified(self.check(name, "paths", "--cache", "none"))
                self.assertEqual(answer["executions"], len(expected))
                self.assertEqual(answer["covered"], prefixes(expected))
                for path in leaves(answer["covered"]):
                    after = replayed(program, path)[-1]
                    self.assertEqual(program.steps(after).keys(), {0}, "only main is left, and ends")
                    self.assertEqual(program.pending(0, after[0][0]), ("exit",))
                    most = max(most, rounds := rounds_of_unfair_cycles(program, path))
                    self.assertLessEqual(rounds, 2, path)
        self.assertEqual(most, 2)

    def test_every_kth_yield(self):
        for every in (2, 3):
            for name in ["figure 3", 13, 24, 26, 114]:
                with self.subTest(name, threads=PROGRAMS[name]):
                    expected = schedules(model(name), Fair(every), 20_000)
                    answer = self.verified(self.check(name, "paths", "--cache", "none", f"--fair-scheduling={every}"))
                    self.assertEqual(answer["executions"], len(expected))
                    self.assertEqual(answer["covered"], prefixes(expected))

    def test_programs_that_end_fairly_are_verified_and_their_states_visited(self):
        """Theorems 2 and 5; most of these programs do not end without fairness."""
        endless = partly = 0
        for name in ["figure 3", "figure 3, sleeping", "polls under a lock", "two philosophers", *ENDING, *ENDING_LARGER]:
            with self.subTest(name, threads=PROGRAMS[name]):
                self.assertFalse(fair_graph(name).has_cycle())
                endless += plain_graph(name).has_cycle()
                partly += len(without_yields(model(name))) < len(plain_graph(name).nodes)
                visited = self.verified(self.check(name, "states"))["covered"]
                self.assertLessEqual(told(name, without_yields(model(name))), visited, "states that need no yield")
                self.assertEqual(visited, told(name, fair_graph(name).states()))
        self.assertEqual((endless, partly), (39, 9))

    def test_deadlocks_are_those_of_the_program(self):
        """Theorem 3: all programs here without a deadlock are in the other tests."""
        for name in DEADLOCK:
            with self.subTest(name, threads=PROGRAMS[name]):
                self.assertTrue(any(model(name).deadlock(state) for state in plain_graph(name).states()))
                answer = self.check(name, "states")
                self.assertEqual([finding["kind"] for finding in answer["findings"]], ["deadlock"])
        for name in PROGRAMS:
            self.assertEqual(name in DEADLOCK, any(model(name).deadlock(state) for state in plain_graph(name).states()), name)

    def test_livelocks_are_found(self):
        """Theorem 6; and theorem 1: what goes on without end is fair to everybody."""
        for name in ["figure 1", *LIVELOCK]:
            with self.subTest(name, threads=PROGRAMS[name]):
                self.assertTrue(plain_graph(name).has_fair_cycle())
                self.assertTrue(fair_graph(name).has_samaritan_cycle())
                self.assertFalse(fair_graph(name).has_selfish_cycle())
                answer = self.check(name, "paths", "--max-depth", "200")
                self.assertEqual([finding["kind"] for finding in answer["findings"]], ["livelock"])
                path = max(answer["covered"], key=len)  # its last steps may leave the circle
                self.assertGreaterEqual(len(path), 199)
                enabled = set().union(*(model(name).enabled(state) for state in replayed(model(name), path)[50:150]))
                self.assertEqual({int(thread) for thread in path[50:150]}, enabled, path)

    def test_threads_that_do_not_yield_are_told_apart(self):
        for name in ["figure 3, never yielding", *SELFISH]:
            with self.subTest(name, threads=PROGRAMS[name]):
                self.assertTrue(fair_graph(name).has_selfish_cycle())
                self.assertFalse(fair_graph(name).has_samaritan_cycle())
                answer = self.check(name, "states", "--max-depth", "200")
                self.assertEqual([finding["kind"] for finding in answer["findings"]], ["good-samaritan"])

    def test_by_default_every_state_is_visited(self):
        """Loops that only look are awaits, and K rises: "verified" without an assumption means all states that there are, by brute force."""
        exact = assuming = 0  # by the fair proof of the default; the other one, dpor, visits every end but not every state
        for name in ["figure 3", "figure 3, sleeping", "figure 3, never yielding", "polls under a lock", "two philosophers", *ENDING, *ENDING_LARGER]:
            with self.subTest(name, threads=PROGRAMS[name]):
                answer = self.ours(name, jobs=1 + NUMBER[name] % 2, search="preemption-bounded")
                self.assertEqual((answer["verdict"], answer["findings"]), ("verified", []))
                everything = told(name, plain_graph(name).states())
                if any("fair" in assumption for assumption in answer.get("assumes", [])):  # besides, observed.h is not instrumented, which is told
                    assuming += 1
                    self.assertLessEqual(told(name, fair_graph(name).states()), answer["covered"])
                    self.assertLessEqual(answer["covered"], everything)
                else:
                    exact += 1
                    self.assertEqual(answer["covered"], everything)
        self.assertGreaterEqual(exact, 15)
        self.assertGreaterEqual(assuming, 1)

    def test_by_default_what_is_wrong_is_found(self):
        for name in [*DEADLOCK, "figure 1", *LIVELOCK]:
            with self.subTest(name, threads=PROGRAMS[name]):
                answer = self.ours(name)
                self.assertEqual(len(answer["findings"]), 1)
                kind = answer["findings"][0]["kind"]
                self.assertIn(kind, ["deadlock", "livelock"])
                if kind == "deadlock":
                    self.assertTrue(name in DEADLOCK or plain_graph(name).has_fair_cycle())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
