#!/usr/bin/env python3
"""What adds up over an execution of a P program, counted to the step: how long a spec is hot (R10), and the bound of steps (R22)."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import CliTest  # noqa: E402

# Alone, so there is one execution. After the start of Main: a send, then for n = 20 … 1 a dequeue and a send, then the last dequeue.
# With the creation and the start of Main these are 2 + 1 + 40 + 1 = 44 steps, and all but the first two come after eStart.
COUNTDOWN = """
event eGo: int; event eStart; event eTurn; event eDone;
machine Main {
  start state S {
    entry { announce eStart; send this, eGo, 20; }
    on eGo do (n: int) { if (n > 0) { %s send this, eGo, n - 1; } else { announce eDone; } }
  }
}
%s
test tcCount [main = Main]: assert Ends in { Main };
"""
STEPS, HOT = 44, 42
ENDS = "spec Ends observes eStart, eDone { start cold state Idle { on eStart goto Busy; } hot state Busy { on eDone goto Idle; } }"


class Counted(CliTest):
    def count(self, *options, turn="", spec=ENDS):
        """What is found in the one execution: the messages."""
        self.write("count.p", COUNTDOWN % (turn, spec))
        run = self.tarry("check", "count.p", "--json", *options)
        found = run.json()["findings"]
        self.assertEqual(run.code, 1 if found else 0, str(run))
        for finding in found:
            again = self.tarry("replay", finding["trace"], "--json", expect=1).json()
            self.assertEqual([again["verdict"], again["kind"], again["message"]], ["reproduced", finding["kind"], finding["message"]])
        return [(finding["kind"], finding["message"]) for finding in found]

    def hot_for(self, steps, **program):
        """The same where a spec may be hot for that many steps, which is half of the bound, at all points and at those needed."""
        found = [self.count("-s", "1", "-ms", "1", 2 * steps, "--points", points, **program) for points in ("p", "needed")]
        self.assertEqual(found[0], found[1])
        return found[0]


class R10(Counted):
    def too_hot(self, steps, state="Busy"):
        return [("liveness", f"spec 'Ends' has been hot for more than {steps} steps of a fair execution, now in state '{state}' (a heuristic: it may cool later) [R10]")]

    def test_hot_for_one_step_too_many(self):
        self.assertEqual(self.hot_for(HOT - 1), self.too_hot(HOT - 1))

    def test_the_temperature_can_be_given(self):
        self.assertEqual(self.count("-s", "1", "--temperature", HOT - 1), self.too_hot(HOT - 1))
        self.assertEqual(self.count("-s", "1", "--temperature", HOT), [])
        self.assertEqual(self.count("-s", "1", "--search", "pct", "--temperature", HOT - 1), self.too_hot(HOT - 1))
        self.assertIn("--temperature is for random executions of P programs", self.tarry("check", "count.p", "--temperature", "5", expect=2).err)
        self.assertIn("--temperature is for random executions of P programs", self.tarry("check", "count.p", "--search", "fair-cycle", "--temperature", "5", expect=2).err)

    def test_hot_for_as_long_as_it_may_be(self):
        self.assertEqual(self.hot_for(HOT), [])

    def test_a_spec_that_starts_hot_is_hot_while_the_main_machine_is_created(self):
        spec = "spec Ends observes eDone { start hot state Busy { on eDone goto Idle; } cold state Idle { } }"
        self.assertEqual(self.hot_for(STEPS - 1, spec=spec), self.too_hot(STEPS - 1))
        self.assertEqual(self.hot_for(STEPS, spec=spec), [])

    def test_a_cold_state_counts_although_it_is_left_in_the_same_step(self):
        self.assertEqual(self.hot_for(30, turn="announce eDone; announce eStart;"), [])
        passing = """spec Ends observes eStart, eTurn, eDone {
          start cold state Idle { on eStart goto Busy; }
          hot state Busy { on eTurn goto Passing; on eDone goto Idle; }
          %s state Passing { entry { goto Busy; } }
        }"""
        self.assertEqual(self.hot_for(30, turn="announce eTurn;", spec=passing % "cold"), [])
        self.assertEqual(self.hot_for(30, turn="announce eTurn;", spec=passing % ""), self.too_hot(30))

    def test_neither_hot_nor_cold_keeps_the_heat(self):
        # Not hot only when 19 is sent and when it is taken.
        spec = """spec Ends observes eStart, eTurn, eDone {
          start cold state Idle { on eStart goto Early; }
          hot state Early { on eTurn goto Resting; }
          state Resting { on eTurn goto Busy; }
          hot state Busy { ignore eTurn; on eDone goto Idle; }
        }"""
        self.assertEqual(self.hot_for(HOT - 3, turn="announce eTurn;", spec=spec), self.too_hot(HOT - 3))
        self.assertEqual(self.hot_for(HOT - 2, turn="announce eTurn;", spec=spec), [])

    def test_every_choice_is_a_step(self):
        self.assertEqual(self.hot_for(HOT + 19, turn="if ($) { }"), self.too_hot(HOT + 19))
        self.assertEqual(self.hot_for(HOT + 20, turn="if ($) { }"), [])

    def test_a_scenario_may_be_hot(self):
        self.assertEqual(self.hot_for(HOT - 1, spec=ENDS.replace("spec", "scenario")), [])

    def test_only_fair_executions_are_looked_at(self):
        self.assertEqual(self.count("--search", "pct", "-s", "1", "-ms", 2 * (HOT - 1)), [])


class R22(Counted):
    def reaches(self, bound):
        return [("runtime-error", f"the execution reaches the bound of {bound} steps [R22]")]

    def within(self, *options):
        return self.count(*options, "--fail-on-maxsteps", spec="spec Ends observes eDone { start state S { on eDone do { } } }")

    def test_as_many_steps_as_the_bound(self):
        self.assertEqual(self.within("-s", "1", "-ms", "1", STEPS), self.reaches(STEPS))
        self.assertEqual(self.within("--search", "pct", "-s", "1", "-ms", STEPS), self.reaches(STEPS))

    def test_one_step_less_than_the_bound(self):
        self.assertEqual(self.within("-s", "1", "-ms", "1", STEPS + 1), [])
        self.assertEqual(self.within("--search", "pct", "-s", "1", "-ms", STEPS + 1), [])

    def test_without_the_option_the_execution_is_cut(self):
        self.assertEqual(self.count("-s", "1", "-ms", "1", STEPS - 1, spec=ENDS.replace("hot", "")), [])

    def test_is_refused_by_a_search_that_does_not_count(self):
        self.write("count.p", COUNTDOWN % ("", ENDS))
        for search in ("dfs", "bfs", "ses", "portfolio"):
            self.refused("check", "count.p", "--fail-on-maxsteps", "--search", search, says=["--fail-on-maxsteps", f"'{search}'", "-s N"])


if __name__ == "__main__":
    unittest.main()
