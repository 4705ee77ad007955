#!/usr/bin/env python3
"""Programs that do not come back from a step: each is a finding, and its trace replays to the same one."""

import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import BROKEN, SANITIZED, CliTest, broken_by  # noqa: E402

IN_STEP = "in a step of bob"


# Two counters; where both are 2, the environment decides WHAT happens, and whether in a "step" or in a "check" (PLACE).
SMALL = """
#include <tarry/model.h>
#include <csignal>
#include <cstdlib>
#include <unistd.h>
static void wreck() { char b[1]; volatile char* q = b; for (int i = 0; i < 100000000; i++) q[i] = 1; }
static void overwrite(int size) { char b[16]; volatile int n = size; __builtin_memset(b, 65, n); asm volatile("" ::"r"(b) : "memory"); }
static void happen(const std::string& place) {
  if (place != getenv("PLACE")) return;
  const std::string what = getenv("WHAT");
  if (what == "SIGINT") raise(SIGINT);
  else if (what == "SIGTERM") raise(SIGTERM);
  else if (what == "SIGUSR1") raise(SIGUSR1);
  else if (what.starts_with("SIGRTMIN")) raise(SIGRTMIN + atoi(what.c_str() + 8));
  else if (what == "kill SIGRTMIN+1") kill(getpid(), SIGRTMIN + 1);
  else if (what == "kill SIGINT") kill(getpid(), SIGINT);
  else if (what == "kill SIGKILL") kill(getpid(), SIGKILL);
  else if (what == "kill SIGSTOP") kill(getpid(), SIGSTOP);
  else if (what == "ignored crash") signal(SIGSEGV, SIG_IGN), *static_cast<volatile int*>(nullptr) = 1;
  else if (what == "default crash") signal(SIGSEGV, SIG_DFL), *static_cast<volatile int*>(nullptr) = 1;
  else if (what == "default SIGINT") signal(SIGINT, SIG_DFL);
  else if (what == "wreck") wreck();
  else if (const int size = atoi(what.c_str()); size > 0) overwrite(size);
  else exit(99);
}
struct Small {
  struct State { tarry::Upto<3> a[2]; TARRY_FIELDS(a) };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, tarry::Run& run) {
    if (s.a[p] == 2) return run.ended();
    ++s.a[p];
    if (s.a[0] + s.a[1] == 4) happen("step");
  }
  void invariant(const State& s, tarry::Run& run) {
    run.expect(s.a[0] < 3, "small");
    if (s.a[0] + s.a[1] == 4) happen("check");
  }
};
TARRY_MODEL(Small)
"""


class OwnSignals(CliTest):
    """What a program sends to itself is its own doing, in steps and in checks; and a stack that is overwritten is no error of ours."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.small = pathlib.Path(folder.name) / "small.cpp"  # one for all tests, compiled once
        cls.small.write_text(SMALL, encoding="utf-8")

    def each(self, what):
        for place in ("step", "check"):
            for jobs in ("1", "2"):
                with self.subTest(place=place, jobs=jobs, what=what):
                    yield (self.small, "--jobs", jobs), {"PLACE": place, "WHAT": what}

    def test_raised_signals_are_crashes(self):
        for signal in ("SIGINT", "SIGTERM", "SIGUSR1", "SIGRTMIN", "SIGRTMIN+7", "SIGRTMIN+30"):
            for arguments, env in self.each(signal):
                (finding,) = self.check_json(*arguments, expect=1, env=env)["findings"]
                self.assertEqual((finding["kind"], finding["steps"]), ("crash", 4))
                self.assertRegex(finding["message"], f"^the program crashed with {re.escape(signal)} in a step of process [01]$")
                self.assertEqual(self.tarry("replay", finding["trace"], "--json", expect=1, env=env).json()["verdict"], "reproduced")

    def test_signals_sent_with_kill_are_told(self):
        for signal in ("SIGINT", "SIGRTMIN+1"):
            for arguments, env in self.each("kill " + signal):
                self.assertIn(f"the program sent {signal} to its own process with kill()", self.tarry("check", *arguments, expect=2, env=env).err)

    def test_a_signal_that_cannot_be_caught_is_no_fault_of_ours(self):
        for arguments, env in self.each("kill SIGKILL"):
            self.assertIn("the search was killed with SIGKILL: ", self.tarry("check", *arguments, expect=2, env=env).err)

    def test_a_crash_whose_signal_the_program_has_changed_is_no_fault_of_ours(self):
        for change in ("ignored", "default"):
            for arguments, env in self.each(change + " crash"):
                err = self.tarry("check", *arguments, expect=2, env=env).err
                self.assertIn("the program crashed with SIGSEGV after it had changed how SIGSEGV is handled", err)

    def test_an_overwritten_stack_is_told(self):
        for arguments, env in self.each("wreck"):
            run = self.tarry("check", *arguments, expect=None if SANITIZED else 2, env=env)
            self.assertTrue("after it had overwritten the stack" in run.err or (SANITIZED and "found crash" in run.out), run)  # a sanitizer has the note elsewhere

    def test_a_crash_that_forgets_who_ran_is_still_a_crash(self):
        """How far a stack can be overwritten before the note of the running process is gone depends on the machine: every size is a crash, or told."""
        for size in range(1000, 9000, 1000):
            with self.subTest(size=size):
                run = self.tarry("check", self.small, "--jobs", "1", "--json", expect=None, env={"PLACE": "step", "WHAT": str(size)})
                if run.code == 2:
                    self.assertIn("overwritten the stack", run.json()["error"]["message"])
                else:
                    self.assertEqual([finding["kind"] for finding in run.json()["findings"]], ["crash"])

    def test_without_any_of_these(self):
        for arguments, env in self.each("default SIGINT"):
            self.check_json(*arguments, expect=0, env=env)

    def test_a_program_that_stops_itself_goes_on(self):
        for arguments, env in self.each("kill SIGSTOP"):
            self.assertEqual(self.check_json(*arguments, expect=0, env=env)["verdict"], "verified")


class Crashes(CliTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.broken = pathlib.Path(folder.name) / "broken.cpp"  # one for all tests, compiled once
        cls.broken.write_text(BROKEN, encoding="utf-8")

    def finds(self, how, kind, message, steps=4, search="dfs", location=None):
        """The check finds this, and the replay shows the same kind, message, place and number of steps."""
        with self.subTest(how=how, search=search):
            env = broken_by(how)
            report = self.check_json(self.broken, "--search", search, "--step-timeout", "1s", "--time", "20s", expect=1, env=env)
            (finding,) = report["findings"]
            self.assertEqual((finding["kind"], finding["message"], finding["steps"], finding["location"]), (kind, message, steps, location))
            for _ in range(2):
                again = self.tarry("replay", finding["trace"], "--json", expect=1, env=env).json()
                self.assertEqual(again["verdict"], "reproduced")
                for key in ("kind", "message", "location", "steps"):
                    self.assertEqual(again[key], finding[key], key)
            text = self.tarry("replay", finding["trace"], expect=1, env=env).out
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
        finding = self.check_json(self.broken, expect=1, env=broken_by("kAssert"))["findings"][0]
        self.finds("kAssert", "assertion", f"assertion 's.pc[0] == 1' failed {IN_STEP}", location=finding["location"])
        self.assertTrue(finding["location"].endswith(f"broken.cpp:{line}"), finding)
        finding = self.check_json(self.broken, expect=1, env=broken_by("kExpect"))["findings"][0]
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
        self.write("broken.cpp", BROKEN)
        run = self.tarry("check", "broken.cpp", "-D", "HOW=kAbort", "--search", "dfs", expect=1)
        self.assertRegex(run.out, r"^tarry: found crash after 4 steps; replay it with: tarry replay tarry-out/broken-crash-1.tarry\n")
        self.assertRegex(run.out, r"(?m)^ *4  bob +chooses 1")

    def test_killed_from_outside_is_told(self):
        run = self.tarry("check", self.broken, "--search", "dfs", expect=2, env=broken_by("kKilled"))
        self.assertIn("the search was killed with SIGKILL: ", run.err)

    def test_programs_that_are_no_function_of_their_choices(self):
        for how in ("kForgets", "kTwoFaced"):
            report = self.check_json(self.broken, "--search", "dfs", expect=1, env=broken_by(how))
            (finding,) = report["findings"]
            self.assertEqual(finding["kind"], "nondeterminism")
            self.assertIn("not a function of its choices", finding["message"])


if __name__ == "__main__":
    unittest.main()
