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

# Timers that end before the next one begins.
TIMERS = """
event done;
machine T { start state S { entry (o: machine) { send o, done; raise halt; } } }
machine Main { var n: int; start state S { entry { new T(this); } on done do { n = n + 1; assert n < MANY, "MANY timers"; new T(this); } } }
test t [main=Main]: {Main, T};
"""

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

# One step of cheap turns and expensive operations: it ends, after minutes.
LONG_STEP = """
machine Main {
  start state S {
    entry {
      var s: seq[seq[int]];
      var t: seq[int];
      var i: int;
      while (i < 1500) { t += (0, i); s += (0, t); i = i + 1; }
      i = 0;
      while (i < 1000000) { assert s == s; i = i + 1; }
    }
  }
}
"""

# A step that takes long, but only the first time: the machine was slow, not the program.
SLOW_ONCE = """
#include <tarry/model.h>
#include <unistd.h>
#include <fcntl.h>
struct SlowOnce {
  struct State { tarry::Upto<1> done; TARRY_FIELDS(done) };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, tarry::Run& run) {
    if (s.done == 1) return run.ended();
    const int seen = ::open("MARK", O_CREAT | O_EXCL, 0600);
    if (seen >= 0) ::sleep(60);
    s.done = 1;
  }
};
TARRY_MODEL(SlowOnce)
"""

# 65,535 times 65,535 ways on from the first state.
WIDE = CHOOSES.replace("800", "65535").replace("799", "65534")


class Limits(CliTest):
    def test_a_long_step_keeps_the_limit_of_time(self):
        self.write("long.p", LONG_STEP)
        report = self.check_json("long.p", "--search", "dfs", "--time", "1s", "--step-timeout", "200s", expect=0)
        self.assertEqual((report["verdict"], report["stopped_by"], report["findings"]), ("no-bug-found", "time", []))
        self.assertIn("did not come back before the search had to end", report["notes"][0])  # a step of the search, or of the first look at the program

    def test_searches_that_cannot_win_any_more_do_not_begin(self):
        self.write("endless.p", "machine Main { var x: int; start state S { entry { while (true) { x = (x + 1) % 5; } } } }\ntest t [main=Main]: {Main};")
        report = self.check_json("endless.p", "--search", "prss", "--jobs", "1", expect=1)
        self.assertEqual((report["findings"][0]["kind"], report["transitions"]), ("nontermination", 1))

    def test_a_long_step_of_p_is_no_proof_that_it_never_ends(self):
        self.write("long.p", LONG_STEP)
        for search in ([], ["--search", "dfs"], ["--search", "random-walk"]):
            report = self.check_json("long.p", *search, "--time", "60s", "--step-timeout", "1s", expect=0)
            self.assertEqual((report["verdict"], report["stopped_by"], report["findings"]), ("no-bug-found", "limit", []))
            self.assertIn("(--step-timeout)", report["verdict_text"])

    def test_a_step_that_is_slow_once_is_a_limit(self):
        self.write("slow.cpp", SLOW_ONCE.replace("MARK", os.path.join(self.folder, "mark")))
        report = self.check_json("slow.cpp", "--search", "dfs", "--step-timeout", "1s", expect=0)
        self.assertEqual((report["verdict"], report["stopped_by"], report["complete"], report["findings"]), ("no-bug-found", "limit", False, []))
        self.assertIn("one step took longer than --step-timeout 1 s, and did not when it was taken again", report["verdict_text"])

    def test_a_long_step_can_be_interrupted(self):
        self.write("long.p", LONG_STEP)
        process = subprocess.Popen([TARRY, "check", "long.p", "--search", "dfs", "--time", "none", "--step-timeout", "200s"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        search_of(process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 130, out)
        self.assertIn("interrupted", out)

    def test_too_many_ways_on_are_a_limit(self):
        self.write("wide.cpp", WIDE)
        for search in ("dfs", "bfs"):
            report = self.check_json("wide.cpp", "-DFAILS=0", "--search", search, "--memory", "300M", expect=0)
            self.assertEqual((report["verdict"], report["stopped_by"], report["findings"]), ("no-bug-found", "memory", []), search)  # all ways on may take an eighth of it
            self.assertLess(report["peak_rss"], 330 << 20, search)
        run = self.tarry("check", "wide.cpp", "-DFAILS=0", "--search", "dfs", expect=0)
        self.assertIn("stopped: more than 1,048,576 ways on from one state", run.out, str(run))

    def test_machines_without_end_are_a_limit(self):
        self.write("endless.p", ENDLESS)
        for search in (["--search", "dfs"], ["--search", "bfs"], []):
            run = self.tarry("check", "endless.p", *search, "--memory", "1G", expect=0)
            self.assertIn("stopped: more than 65,535 machines", run.out, str(run))
            self.assertNotIn("R23", run.out, str(run))
        report = self.check_json("endless.p", "--search", "dfs", "--memory", "1G", expect=0)
        self.assertEqual((report["verdict"], report["stopped_by"], report["findings"]), ("no-bug-found", "limit", []))

    def test_machines_without_end_are_no_finding_where_another_limit_comes_first(self):
        self.write("endless.p", ENDLESS)
        for search, memory, ends in ((["--search", "ses"], "64M", "memory"), (["--search", "dfs"], "64M", "memory"), (["--search", "random-walk", "-s", "3"], "1G", "samples")):
            report = self.check_json("endless.p", *search, "--memory", memory, expect=0)
            self.assertEqual((report["verdict"], report["stopped_by"], report["findings"]), ("no-bug-found", ends, []), search)

    def test_a_finding_behind_thousands_of_machines_is_confirmed(self):
        self.write("timers.p", TIMERS.replace("MANY", "4200"))
        for search in (["--search", "dfs"], []):
            report = self.check_json("timers.p", *search, "--jobs", "1", expect=1)
            self.assertEqual([f["message"] for f in report["findings"]], ["assertion failed: 4200 timers"])
            self.assertFalse([note for note in report["notes"] if "could not be confirmed" in note], report["notes"])
            self.assertIn("reproduced", self.tarry("replay", report["findings"][0]["trace"], expect=1).out)

    def test_a_finding_behind_more_machines_than_a_replay_has_room_for(self):
        """A search numbers machines that have ended again, a replay does not: the finding is kept, and its replay ends at a limit, in words."""
        self.write("timers.p", TIMERS.replace("MANY", "66000"))
        report = self.check_json("timers.p", "--search", "dfs", "--jobs", "1", expect=1)
        self.assertEqual([f["message"] for f in report["findings"]], ["assertion failed: 66000 timers"])
        self.assertIn("the finding could not be confirmed: when the schedule was run again, more than 65,535 machines", report["notes"])
        replayed = self.tarry("replay", report["findings"][0]["trace"], "--json", expect=2)
        self.assertEqual(replayed.json()["verdict"], "limit")
        self.assertIn("steps at a limit of Tarry: more than 65,535 machines", replayed.out + replayed.err)

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
