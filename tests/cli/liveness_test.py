#!/usr/bin/env python3
"""Liveness of models, from the command line: verdicts, lassos, replay, and what is refused."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import CliTest  # noqa: E402

# A client asks, a server grants or loses the request and tries again; with BUG, somebody may drop it.
MODEL = """
#include <tarry/model.h>
struct Req {
  struct State { bool asked, granted; TARRY_FIELDS(asked, granted) };
  static constexpr int processes = 3;
  State initial() { return {}; }
  void step(State& s, int p, tarry::Run& run) {
    if (p == 2) {
      if (!BUG || !s.asked) return run.idle();
      s.asked = false;
      return run.label("drops the request");
    }
    if (p == 0) {
      if (s.asked) return run.idle();
      s.asked = true, s.granted = false;
      return run.label("asks");
    }
    if (!s.asked) return run.idle();
    if (run.flip()) return run.label("loses it");
    s.asked = false, s.granted = true;
    run.label("grants");
  }
  void liveness(const State& s, tarry::Liveness& live) { live.leads_to("requests are granted", s.asked, s.granted); }
};
TARRY_MODEL(Req)
"""
UNDER = "liveness of 'requests are granted' under {} fairness and {} choices"


class Liveness(CliTest):
    def setUp(self):
        super().setUp()
        self.write("req.cpp", MODEL)

    def test_the_default_search_decides_it_and_says_under_which_assumptions(self):
        report = self.check_json("req.cpp", "-DBUG=0", expect=0)
        self.assertEqual((report["verdict"], report["liveness"]), ("verified", {"properties": ["'requests are granted'"], "fairness": "weak", "choices": "fair"}))
        self.assertEqual(report["verdict_text"], "verified: all 3 reachable states explored; " + UNDER.format("weak", "fair"))
        self.assertNotIn("undecided", report)
        self.assertIn("'requests are granted' holds because data choices are fair: the choice of process 1 at 'loses it' could go against it for ever; --choices demonic shows how", report["notes"])
        self.tarry("check", "req.cpp", "-DBUG=0", "--fail-unless-verified", expect=0)
        strong = self.check_json("req.cpp", "-DBUG=0", "--fairness", "strong", expect=0)
        self.assertIn(UNDER.format("strong", "fair"), strong["verdict_text"])

    def test_searches_for_cycles_take_weak_fairness_and_refuse_strong(self):
        """The server loses the request for ever, which only a choice against it can."""
        for search in ("map", "ndfs", "iterative-ndfs"):
            plain = self.check_json("req.cpp", "-DBUG=0", "--search", search, expect=1)["findings"][0]
            self.assertEqual(plain["why_fair"], ["the loop need not be fair (--fairness none --choices demonic)"])
            weak = self.check_json("req.cpp", "-DBUG=0", "--search", search, "--fairness", "weak", expect=1)["findings"][0]
            self.assertEqual(weak["why_fair"], ["the loop is weakly fair: in it process 1 runs; no other process can run in it", "its data choices go against the program for ever (--choices demonic)"])
            self.assertEqual(self.tarry("replay", weak["trace"], "--json", expect=1).json()["verdict"], "reproduced")
            self.assertIn(f"search '{search}' knows no strong fairness", self.tarry("check", "req.cpp", "-DBUG=0", "--search", search, "--fairness", "strong", expect=2).err)

    def test_a_violation_is_a_lasso_that_can_be_replayed(self):
        run = self.tarry("check", "req.cpp", "-DBUG=1", "--trace", "lasso.tarry", expect=1)
        for text in ("\nthe loop, which can go on for ever:\n> 2  process 2  drops the request",
                     "\nthe loop is weakly fair: in it process 0, process 2 run; process 1 cannot run after step 2\n",
                     "\nliveness: 'requests are granted' is owed and never met in an execution that goes on for ever\n"):
            self.assertIn(text, run.out)
        again = self.tarry("replay", "lasso.tarry", expect=1)
        self.assertIn("\nthe loop, which can go on for ever:\n> 2  process 2", again.out)
        self.assertIn("tarry: reproduced liveness after 3 steps\n", again.out)
        (finding,) = self.check_json("req.cpp", "-DBUG=1", expect=1)["findings"]
        self.assertEqual((finding["kind"], finding["steps"], finding["loop"]), ("liveness", 3, 2))

    def test_demonic_choices_go_against_the_program(self):
        (finding,) = self.check_json("req.cpp", "-DBUG=0", "--choices", "demonic", expect=1)["findings"]
        self.assertEqual((finding["steps"], finding["loop"]), (2, 2))
        self.assertIn("its data choices go against the program for ever (--choices demonic)", finding["why_fair"])

    def test_every_search_for_cycles_finds_it_and_says_what_counts(self):
        for search in ("fair-cycle", "map", "ndfs", "iterative-ndfs"):
            (finding,) = self.check_json("req.cpp", "-DBUG=1", "--search", search, expect=1)["findings"]
            self.assertEqual(finding["kind"], "liveness", search)
            self.assertGreater(finding["loop"], 0, search)
        run = self.tarry("check", "req.cpp", "-DBUG=1", "--search", "map", "--trace", "map.tarry", expect=1)
        self.assertIn("the loop need not be fair (--fairness none --choices demonic)\n", run.out)
        self.tarry("replay", "map.tarry", expect=1)

    def test_weak_fairness_by_copies_is_refused_for_many_processes_before_anything_is_explored(self):
        self.write("many.cpp", """#include <tarry/model.h>
struct Many {
  struct State { tarry::Upto<3> x; TARRY_FIELDS(x) };
  static constexpr int processes = 256;
  State initial() { return {}; }
  void step(State& s, int p, tarry::Run& run) { if (p > 1) return run.idle(); s.x = (s.x + 1) % 4; run.label("to {}", s.x); }
  void liveness(const State& s, tarry::Liveness& live) { live.infinitely_often("a", s.x == 1); }
};
TARRY_MODEL(Many)
""")
        for search in ("map", "ndfs", "iterative-ndfs"):
            report = self.check_json("many.cpp", "--search", search, "--fairness", "weak", expect=0)
            self.assertEqual((report["verdict"], report["states"]), ("no-bug-found", 0), search)
            self.assertIn("weak fairness by copies is for at most 255 processes, and the program may have more (--search fair-cycle has no such limit)", report["verdict_text"])
            self.assertEqual(self.check_json("many.cpp", "--search", search, expect=0)["verdict"], "verified", search)
        self.assertEqual(self.check_json("many.cpp", "--search", "fair-cycle", expect=0)["verdict"], "verified")

    def test_the_share_of_refinement_is_told(self):
        """In words and in JSON, whenever something was hot."""
        self.write("ends.cpp", """#include <tarry/model.h>
struct Ends {
  struct State { tarry::Upto<3> x; TARRY_FIELDS(x) };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, tarry::Run& run) { if (s.x == 3) return run.idle(); s.x = s.x + 1; run.label("to {}", s.x); }
  void liveness(const State& s, tarry::Liveness& live) { live.eventually("three", s.x == 3); }
};
TARRY_MODEL(Ends)
""")
        share = r"refinement took \d+ % of the time, in \d+ rounds?"
        self.assertRegex("\n".join(self.check_json("ends.cpp", "--search", "map", expect=0)["notes"]), share)
        run = self.tarry("check", "ends.cpp", "--search", "map", expect=0)
        self.assertRegex(run.out + run.err, share)

    def test_a_loop_that_violates_two_properties_is_told_by_the_one_that_was_found(self):
        self.write("two.cpp", """#include <tarry/model.h>
struct Counter {
  struct State { tarry::Upto<2> x; TARRY_FIELDS(x) };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, tarry::Run& run) { if (s.x < 2) s.x = s.x + 1; run.label("to {}", s.x); }
  void liveness(const State& s, tarry::Liveness& live) {
    live.infinitely_often("a", s.x == 1);
    live.infinitely_often("b", false);
  }
};
TARRY_MODEL(Counter)
""")
        for search in ("fair-cycle", "map", "ndfs", "iterative-ndfs"):
            with self.subTest(search):
                (finding,) = self.check_json("two.cpp", "--search", search, "--trace", search + ".tarry", expect=1)["findings"]
                self.assertEqual(finding["kind"], "liveness", finding)
                self.assertIn(finding["message"], self.tarry("replay", search + ".tarry", expect=1).out)

    def test_other_searches_leave_it_open(self):
        report = self.check_json("req.cpp", "-DBUG=1", "--search", "bfs", expect=0)
        self.assertEqual((report["verdict"], report["undecided"]), ("verified", ["liveness of 'requests are granted'"]))
        self.assertTrue(report["verdict_text"].startswith("verified for safety: "))
        lossy = self.check_json("req.cpp", "-DBUG=0", "--store", "bitstate", expect=0)
        self.assertNotIn("liveness", lossy)
        cut = self.check_json("req.cpp", "-DBUG=0", "--max-depth", "1", expect=0)
        self.assertEqual(cut["verdict"], "no-bug-found")

    def test_what_is_not_proven_for_it_is_refused(self):
        for options, why in ((("--store", "bitstate"), "needs --store exact"), (("--when-full", "replace"), "needs --when-full stop")):
            for search in ("fair-cycle", "map"):
                self.assertIn(f"search '{search}' {why}: ", self.tarry("check", "req.cpp", "-DBUG=0", "--search", search, *options, expect=2).err)
        for search in ("map", "ndfs"):
            self.assertIn(f"search '{search}' does not support --choices; these do: fair-cycle, portfolio", self.tarry("check", "req.cpp", "-DBUG=0", "--search", search, "--choices", "fair", expect=2).err)
        self.assertIn("search 'bfs' does not support --fairness", self.tarry("check", "req.cpp", "-DBUG=0", "--search", "bfs", "--fairness", "weak", expect=2).err)
        self.assertIn("search 'fair-cycle' does not support --cache", self.tarry("check", "req.cpp", "-DBUG=0", "--search", "fair-cycle", "--cache", "none", expect=2).err)


if __name__ == "__main__":
    unittest.main()
