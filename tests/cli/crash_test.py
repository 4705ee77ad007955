#!/usr/bin/env python3
"""Programs that do not come back from a step: each is a finding, and its trace replays to the same one."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import BROKEN, CliTest  # noqa: E402

IN_STEP = "in a step of bob"


# Two counters; what happens where both are 2 is IN_STEP or IN_CHECK.
SMALL = """
#include <tarry/model.h>
#include <csignal>
#include <unistd.h>
[[maybe_unused]] static void wreck() { char b[1]; volatile char* q = b; for (int i = 0; i < 100000000; i++) q[i] = 1; }
struct Small {
  struct State { tarry::Upto<3> a[2]; TARRY_FIELDS(a) };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, tarry::Run& run) {
    if (s.a[p] == 2) return run.ended();
    ++s.a[p];
    if (s.a[0] + s.a[1] == 4) { IN_STEP; }
  }
  void invariant(const State& s, tarry::Run& run) {
    run.expect(s.a[0] < 3, "small");
    if (s.a[0] + s.a[1] == 4) { IN_CHECK; }
  }
};
TARRY_MODEL(Small)
"""


class OwnSignals(CliTest):
    """What a program sends to itself is its own doing, in steps and in checks; and a stack that is overwritten is no error of ours."""

    def each(self, what):
        for place in ("IN_STEP", "IN_CHECK"):
            for jobs in ("1", "2"):
                with self.subTest(place=place, jobs=jobs, what=what):
                    yield self.write("small.cpp", SMALL.replace(place, what).replace("IN_STEP", "").replace("IN_CHECK", "")), "--jobs", jobs

    def test_raised_signals_are_crashes(self):
        for signal in ("SIGINT", "SIGTERM", "SIGUSR1"):
            for arguments in self.each(f"raise({signal})"):
                (finding,) = self.check_json(*arguments, expect=1)["findings"]
                self.assertEqual((finding["kind"], finding["steps"]), ("crash", 4))
                self.assertRegex(finding["message"], f"^the program crashed with {signal} in a step of process [01]$")
                self.assertEqual(self.tarry("replay", finding["trace"], "--json", expect=1).json()["verdict"], "reproduced")

    def test_signals_sent_with_kill_are_told(self):
        for arguments in self.each("kill(getpid(), SIGINT)"):
            self.assertIn("the program sent SIGINT to its own process with kill()", self.tarry("check", *arguments, expect=2).err)

    def test_a_signal_that_cannot_be_caught_is_no_fault_of_ours(self):
        for arguments in self.each("kill(getpid(), SIGKILL)"):
            self.assertIn("the search was killed with SIGKILL: ", self.tarry("check", *arguments, expect=2).err)

    def test_a_crash_whose_signal_the_program_has_changed_is_no_fault_of_ours(self):
        for change in ("signal(SIGSEGV, SIG_IGN)", "signal(SIGSEGV, SIG_DFL)"):
            for arguments in self.each(change + "; *static_cast<volatile int*>(nullptr) = 1"):
                err = self.tarry("check", *arguments, expect=2).err
                self.assertIn("the program crashed with SIGSEGV after it had changed how SIGSEGV is handled", err)

    def test_an_overwritten_stack_is_told(self):
        for arguments in self.each("wreck()"):
            self.assertIn("after it had overwritten the stack", self.tarry("check", *arguments, expect=2).err)

    def test_a_crash_that_forgets_who_ran_is_still_a_crash(self):
        """How far a stack can be overwritten before the note of the running process is gone depends on the machine: every size is a crash, or told."""
        for size in range(1000, 9000, 1000):
            path = self.write("small.cpp", SMALL.replace("IN_STEP", f"char b[16]; volatile int n = {size}; __builtin_memset(b, 65, n); asm volatile(\"\" ::\"r\"(b) : \"memory\")").replace("IN_CHECK", ""))
            with self.subTest(size=size):
                run = self.tarry("check", path, "--jobs", "1", "--json", expect=None)
                if run.code == 2:
                    self.assertIn("overwritten the stack", run.json()["error"]["message"])
                else:
                    self.assertEqual([finding["kind"] for finding in run.json()["findings"]], ["crash"])

    def test_without_any_of_these(self):
        for arguments in self.each("signal(SIGINT, SIG_DFL)"):
            self.check_json(*arguments, expect=0)

    def test_a_program_that_stops_itself_goes_on(self):
        for arguments in self.each("kill(getpid(), SIGSTOP)"):
            self.assertEqual(self.check_json(*arguments, expect=0)["verdict"], "verified")


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
        run = self.tarry("check", "broken.cpp", "-D", "HOW=kKilled", "--search", "dfs", expect=2)
        self.assertIn("the search was killed with SIGKILL: ", run.err)

    def test_programs_that_are_no_function_of_their_choices(self):
        for how in ("kForgets", "kTwoFaced"):
            report = self.check_json("broken.cpp", "-D", f"HOW={how}", "--search", "dfs", expect=1)
            (finding,) = report["findings"]
            self.assertEqual(finding["kind"], "nondeterminism")
            self.assertIn("not a function of its choices", finding["message"])


if __name__ == "__main__":
    unittest.main()
