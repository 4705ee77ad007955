#!/usr/bin/env python3
"""What comes after a search: long executions and many machines are told in time that is in what is shown, and Ctrl-C ends it."""

import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from common import TARRY, CliTest, search_of  # noqa: E402
from processes import children_of, wait_until, waits  # noqa: E402

# Each machine makes the next one.
CHAIN = """
machine Main { start state S { entry { new Link(1); } } }
machine Link { var number: int; start state S { entry (n: int) { number = n; if (n == %d) { assert false, "the end of the chain"; } new Link(n + 1); } } }
"""
# Two machines hand a ball to each other.
BALL = """
event eBall: int;
machine Main { var other: Player; start state S { entry { other = new Player(this); send other, eBall, 0; } on eBall do (n: int) { send other, eBall, n + 1; } } }
machine Player {
  var other: machine;
  start state S { entry (m: machine) { other = m; } on eBall do (n: int) { assert n < %d; send other, eBall, n + 1; } }
}
"""
# One process, whose steps take a while; the last one fails.
SLOW = r"""
#include <tarry/model.h>
#include <unistd.h>
struct Slow {
  struct State { tarry::Upto<40> at; TARRY_FIELDS(at) };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, tarry::Run& run) {
    usleep(50000);
    s.at++;
    run.expect(s.at < 40, "the end");
  }
};
TARRY_MODEL(Slow)
"""


class LongTraces(CliTest):
    def both_ends(self, steps, out):
        self.assertRegex(out, r"\n +1  a\.p:\d+ ")
        self.assertRegex(out, r"\n  \.\.\. [\d,]+ steps are left out here \([\d,]+ to [\d,]+\); --verbose shows them\n")
        self.assertRegex(out, rf"\n[ >!] +{steps - 1:,}  ")
        self.assertLess(out.count("\n"), 200)

    def test_many_machines(self):
        self.write("a.p", CHAIN % 1500)
        run = self.tarry("check", "a.p", "--search", "dfs", "--jobs", "1", "--trace", "chain.tarry", expect=1)
        self.both_ends(1501, run.out)
        self.assertIn("assertion: assertion failed: the end of the chain", run.out)
        report = self.check_json("a.p", "--search", "dfs", "--jobs", "1", expect=1)
        self.assertLess(report["seconds"] - report["search_seconds"], 10 + 3 * report["search_seconds"])
        again = self.tarry("replay", "chain.tarry", expect=1)
        self.assertGreater(again.out.count("\n"), 1500)  # all of it
        self.assertNotIn("left out", again.out)
        told = self.tarry("replay", "chain.tarry", "--json", expect=1).json()
        self.assertEqual(len(told["schedule"]), told["steps"])
        self.assertEqual(told["schedule"][10]["changes"]["Link(11).number"], "0 -> 10")
        self.assertEqual({name.split(".")[0] for name in told["schedule"][10]["changes"]}, {"Link(11)", "Link(12)"})

    def test_many_steps(self):
        self.write("a.p", BALL % 20000)
        run = self.tarry("check", "a.p", "--search", "dfs", "--jobs", "1", "--trace", "ball.tarry", expect=1)
        self.assertIn("steps are left out here", run.out)
        self.assertLess(run.out.count("\n"), 200)
        self.assertGreater(os.path.getsize(self.folder / "ball.tarry"), 20000)  # the whole schedule
        shown = self.tarry("replay", "ball.tarry", expect=1).out
        self.assertGreater(shown.count("\n"), 20000)

    def test_times_are_those_of_the_whole_command(self):
        self.write("slow.cpp", SLOW)
        started = time.monotonic()
        report = self.check_json("slow.cpp", "--search", "dfs", "--jobs", "1", expect=1)
        whole = time.monotonic() - started
        self.assertGreater(report["search_seconds"], 2)
        self.assertGreater(report["seconds"], report["search_seconds"] + 2)  # the schedule is run again
        self.assertLess(report["seconds"], whole)
        self.assertGreater(report["seconds"], whole - 1.5)
        run = self.tarry("check", "slow.cpp", "--search", "dfs", "--jobs", "1", expect=1)
        self.assertRegex(run.out, r"in [\d.]+ s \([\d.]+ s of it searching\) with ")

    def test_ctrl_c_ends_the_rerun_and_the_finding_is_kept(self):
        self.write("slow.cpp", SLOW)
        self.tarry("check", "slow.cpp", "--search", "dfs", "--jobs", "1", "--max-depth", "1", expect=0)  # compiled
        process = subprocess.Popen([TARRY, "check", "slow.cpp", "--search", "dfs", "--jobs", "1", "--trace", "slow.tarry"], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        search = search_of(process)
        rerun = wait_until(lambda: [child for child in children_of(process.pid) if child != search], "a process for the rerun")[0]
        wait_until(lambda: waits(rerun) >= 3, "some steps of the rerun, each of which sleeps; it takes two seconds")
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        out, err = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - began, 1.4, out + err)
        self.assertEqual(process.returncode, 1, out + err)
        self.assertIn("note: the finding could not be confirmed: interrupted", out)
        self.assertIn("found assertion after 40 steps", out)
        self.tarry("replay", "slow.tarry", expect=1)


if __name__ == "__main__":
    unittest.main()
