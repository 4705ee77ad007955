#!/usr/bin/env python3
"""Programs that do not come back from a step: each is a finding, and its trace replays to the same one."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import BROKEN, CliTest  # noqa: E402

IN_STEP = "in a step of bob"


class Crashes(CliTest):
    def setUp(self):
        super().setUp()
        self.write("broken.cpp", BROKEN)

    def finds(self, how, kind, message, steps=4, search="dfs", location=None):
        """The check finds this, and the replay shows the same kind, message, place and number of steps."""
        with self.subTest(how=how, search=search):
            report = self.check_json("broken.cpp", "-D", f"HOW={how}", "--search", search, "--step-timeout", "1s", "--time", "20s", expect=1)
            (finding,) = report["findings"]
            self.assertEqual((finding["kind"], finding["message"], finding["steps"], finding["location"]), (kind, message, steps, location))
            for _ in range(2):
                again = self.tarry("replay", finding["trace"], "--json", expect=1).json()
                self.assertEqual(again["verdict"], "reproduced")
                for key in ("kind", "message", "location", "steps"):
                    self.assertEqual(again[key], finding[key], key)
            text = self.tarry("replay", finding["trace"], expect=1).out
            self.assertIn(message, text)
            return finding

    def test_signals(self):
        self.finds("kSegv", "crash", f"the program crashed with SIGSEGV at address 0x0 {IN_STEP}")
        self.finds("kAbort", "crash", f"the program crashed with SIGABRT {IN_STEP}")
        self.finds("kTerminate", "crash", f"the program crashed with SIGABRT {IN_STEP}")
        self.finds("kDivide", "crash", f"the program crashed with SIGFPE {IN_STEP}")

    def test_stack_overflow_on_every_kind_of_thread(self):
        for search in ("dfs", "bfs", "ses", "random-walk", "portfolio"):
            self.finds("kOverflow", "crash", f"the program overflowed its stack {IN_STEP}", search=search)

    def test_exits(self):
        self.finds("kExit", "crash", f"the program called exit(5) {IN_STEP}")
        self.finds("kExitNow", "crash", f"the program called exit(6) {IN_STEP}")
        self.finds("kQuickExit", "crash", f"the program called quick_exit {IN_STEP}")

    def test_exceptions_and_assertions(self):
        self.finds("kThrow", "exception", "oh no")
        line = 1 + BROKEN.split("case kAssert")[0].count("\n")
        finding = self.check_json("broken.cpp", "-D", "HOW=kAssert", expect=1)["findings"][0]
        self.finds("kAssert", "assertion", f"assertion 's.pc[0] == 1' failed {IN_STEP}", location=finding["location"])
        self.assertTrue(finding["location"].endswith(f"broken.cpp:{line}"), finding)
        finding = self.check_json("broken.cpp", "-D", "HOW=kExpect", expect=1)["findings"][0]
        self.finds("kExpect", "assertion", "never 7", location=finding["location"])

    def test_steps_that_do_not_end(self):
        self.finds("kEndless", "nontermination", "one step of bob did not end within 1 s")
        self.finds("kSleeps", "nontermination", "one step of bob did not end within 1 s")

    def test_before_the_first_step(self):
        self.finds("kLoadCrash", "crash", "the program crashed with SIGSEGV while it was loaded", steps=0)
        self.finds("kLoadExit", "crash", "the program called exit(3) while it was loaded", steps=0)
        self.finds("kStartAbort", "crash", "the program crashed with SIGABRT before its first step", steps=0)
        self.finds("kNames", "crash", "the program crashed with SIGABRT before its first step", steps=0)
        self.finds("kStartThrow", "exception", "no start", steps=0)

    def test_the_words_show_the_step(self):
        run = self.tarry("check", "broken.cpp", "-D", "HOW=kAbort", "--search", "dfs", expect=1)
        self.assertRegex(run.out, r"^tarry: found crash after 4 steps; replay it with: tarry replay tarry-out/broken-crash-1.tarry\n")
        self.assertRegex(run.out, r"(?m)^ *4  bob +chooses 1")

    def test_killed_from_outside_is_told(self):
        run = self.tarry("check", "broken.cpp", "-D", "HOW=kKilled", "--search", "dfs", expect=70)
        self.assertIn("SIGKILL", run.err)
        self.assertIn("tarry check broken.cpp -D HOW=kKilled", run.err)

    def test_programs_that_are_no_function_of_their_choices(self):
        for how in ("kForgets", "kTwoFaced"):
            report = self.check_json("broken.cpp", "-D", f"HOW={how}", "--search", "dfs", expect=1)
            (finding,) = report["findings"]
            self.assertEqual(finding["kind"], "nondeterminism")
            self.assertIn("not a function of its choices", finding["message"])


if __name__ == "__main__":
    unittest.main()
