#!/usr/bin/env python3
"""Limits of Tarry's own are no bugs of the program, and what is done before a search keeps --time and signals."""
import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import TARRY, CliTest, search_of  # noqa: E402

ENDLESS = "machine M { start state S { entry { new M(); } } } machine Main { start state S { entry { new M(); } } }"

# Each step takes long, and there are many states: a first look at a few thousand of them takes minutes.
SLOW = """
event eGo;
machine Main {
  var n: int;
  start state S {
    entry { send this, eGo; }
    on eGo do {
      var i: int;
      while (i < 1000000) { i = i + 1; }
      n = n + 1;
      send this, eGo;
    }
  }
}
"""

# Two choices among 800 each in one step of a model.
CHOOSES = """
#include <tarry/model.h>
struct Chooses {
  struct State { tarry::Upto<1> done; TARRY_FIELDS(done) };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, tarry::Run& run) {
    if (s.done == 1) return run.ended();
    const auto a = run.choose(800);
    const auto b = run.choose(800);
    s.done = 1;
    run.expect(FAILS == 0 || a != 799 || b != 799, "both are the last");
  }
};
TARRY_MODEL(Chooses)
"""


class Limits(CliTest):
    def test_machines_without_end_are_a_limit(self):
        self.write("endless.p", ENDLESS)
        for search in (["--search", "dfs"], ["--search", "ses"], ["--search", "random-walk", "-s", "3"], []):
            run = self.tarry("check", "endless.p", *search, expect=0)
            self.assertIn("stopped: more than 4,096 machines", run.out, str(run))
            self.assertNotIn("R23", run.out, str(run))
        report = self.check_json("endless.p", "--search", "dfs", expect=0)
        self.assertEqual((report["verdict"], report["stopped_by"], report["findings"]), ("no-bug-found", "limit", []))

    def test_a_slow_first_look_keeps_the_limit_of_time(self):
        self.write("slow.p", SLOW)
        run = self.tarry("check", "slow.p", "--search", "dfs", "--time", "2s", "--step-timeout", "30s", expect=0)
        self.assertIn("stopped by --time 2s", run.out, str(run))

    def test_a_slow_first_look_can_be_interrupted(self):
        self.write("slow.p", SLOW)
        process = subprocess.Popen([TARRY, "check", "slow.p", "--search", "dfs", "--time", "none", "--step-timeout", "30s"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        search_of(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, out + err)
        self.assertIn("interrupted", out)

    def test_two_large_choices_in_one_step_of_a_model(self):
        self.write("chooses.cpp", CHOOSES)
        report = self.check_json("chooses.cpp", "-D", "FAILS=0", "--search", "dfs", expect=0)
        self.assertEqual((report["verdict"], report["transitions"]), ("verified", 640_000))
        report = self.check_json("chooses.cpp", "-D", "FAILS=1", "--search", "bfs", expect=1)
        self.assertEqual([finding["kind"] for finding in report["findings"]], ["assertion"])


if __name__ == "__main__":
    unittest.main()
