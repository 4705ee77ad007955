#!/usr/bin/env python3
"""Formulas of temporal logic over P programs, and specs that stay hot for ever, from the command line."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import CliTest  # noqa: E402

ROUND = """event again; event ask; event got;
machine Main {
  start state S { entry { send this, again; } on again do { announce ask; GOT send this, again; } }
}
spec Seen observes ask, got { start state None { on ask goto Asked; ignore got; } state Asked { on got goto None; ignore ask; } }
test t [main=Main]: assert Seen in { Main };
"""
TIMERS = """event fired; event asked; event answered;
machine Main {
  var t: machine;
  start state S {
    entry { announce asked; t = new Timer(this); }
    on fired do { announce asked; t = new Timer(this); }
  }
}
machine Timer { start state S { entry (m: machine) { send m, fired; raise halt; } } }
spec Answered observes asked, answered {
  start cold state Calm { on asked goto Waits; ignore answered; }
  hot state Waits { on answered goto Calm; ignore asked; }
}
test t [main=Main]: assert Answered in { Main, Timer };
"""


class Ltl(CliTest):
    def program(self, text):
        path = self.folder / "program.p"
        path.write_text(text, encoding="utf-8")
        return path

    def test_a_formula_that_holds_is_part_of_the_verdict(self):
        file = self.program(ROUND.replace("GOT", "announce got;"))
        shown = self.tarry("check", file, "--ltl", "G (ask -> F got)", expect=0).out
        self.assertIn("liveness of formula 'G (ask -> F got)' under weak fairness and fair choices", shown)
        self.assertEqual(shown.count("formula 'G (ask -> F got)'"), 1)

    def test_a_formula_that_does_not_is_a_loop_that_replays(self):
        file = self.program(ROUND.replace("GOT", ""))
        result = self.check_json(file, "--ltl", "G (ask -> F got)", expect=1)
        finding = result["findings"][0]
        self.assertEqual(finding["kind"], "liveness")
        self.assertEqual(finding["message"], "formula 'G (ask -> F got)' does not hold in an execution that goes on for ever")
        self.assertGreater(finding["loop"], 0)
        again = self.tarry("replay", finding["trace"], "--json", expect=1).json()
        self.assertEqual((again["verdict"], again["message"]), ("reproduced", finding["message"]))

    def test_several_formulas_are_joined(self):
        file = self.program(ROUND.replace("GOT", "announce got;"))
        shown = self.tarry("check", file, "--ltl", "G (ask -> F got)", "--ltl", "F ask", expect=0).out
        self.assertIn("liveness of formula '(G (ask -> F got)) && (F ask)'", shown)
        self.assertIn("note: the 2 formulas of --ltl were joined by &&: one verdict is about all of them", shown)
        self.assertNotIn("were joined", self.tarry("check", file, "--ltl", "F ask", expect=0).out)
        finding = self.check_json(file, "--ltl", "F ask", "--ltl", "F G got", expect=1)["findings"][0]
        self.assertEqual(self.tarry("replay", finding["trace"], "--json", expect=1).json()["verdict"], "reproduced")
        self.assertIn("expected a formula, found nothing", self.tarry("check", file, "--ltl", "", expect=2).err)

    def test_states_of_specs(self):
        self.check_json(self.program(ROUND.replace("GOT", "")), "--ltl", "F G Seen.Asked", expect=0)
        self.check_json(self.program(ROUND.replace("GOT", "announce got;")), "--ltl", "F G Seen.Asked", expect=1)

    def test_mistakes_are_named(self):
        file = self.program(ROUND.replace("GOT", ""))
        for formula, problem in (
            ("G (ask ->", "--ltl:1:10: expected a formula, found the end"),
            ("G X ask", "--ltl:1:3: 'X' cannot be used on a P program"),
            ("F asked", "--ltl:1:3: 'asked' is no event of the program"),
        ):
            self.assertIn(problem, self.tarry("check", file, "--ltl", formula, expect=2).err)
        model = os.path.join(os.environ["SOURCE_DIR"], "examples", "models", "philosophers.cpp")
        self.assertIn("--ltl:1:3: 'a' is no label of the model, which has none; give it a member 'void labels(", self.tarry("check", model, "--ltl", "F a", expect=2).err)

    def test_a_model_is_checked_by_its_labels(self):
        models = os.path.join(os.environ["SOURCE_DIR"], "examples", "models")
        ring = os.path.join(models, "lcr.cpp")
        result = self.check_json(ring, "-D", "N=3", "--ltl", "F done", expect=0)
        self.assertEqual(result["liveness"], {"properties": ["formula 'F done'"], "fairness": "weak", "choices": "fair"})
        self.assertIn("--ltl:1:3: 'dne' is no label of the model; its labels are 'done'", self.tarry("check", ring, "--ltl", "F dne", expect=2).err)
        german = (os.path.join(models, "german.cpp"), "-D", "N=2", "--ltl", "F G !waits")
        for search in ("fair-cycle", "map", "ndfs"):
            finding = self.check_json(*german, "--search", search, "--fairness", "none", expect=1)["findings"][0]
            self.assertEqual(finding["message"], "formula 'F G !waits' does not hold in an execution that goes on for ever")
            again = self.tarry("replay", finding["trace"], "--json", expect=1).json()
            self.assertEqual((again["verdict"], again["message"]), ("reproduced", finding["message"]))

    def test_a_model_whose_first_state_is_wrong_has_labels(self):
        self.write("first.cpp", """
#include <tarry/model.h>
struct First {
  struct State { tarry::Upto<1> c; TARRY_FIELDS(c) };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, tarry::Run&) { s.c = 1; }
  void invariant(const State& s, tarry::Run& run) { run.expect(s.c == START, "c is as it was"); }
  void labels(const State& s, tarry::Labels& labels) { labels.add("c", s.c == 1); }
};
TARRY_MODEL(First)
""")
        for start in ("0", "1"):  # it is wrong after a step, or at once
            finding = self.check_json("first.cpp", "-D", f"START={start}", "--ltl", "F c", expect=1)["findings"][0]
            self.assertEqual((finding["kind"], finding["steps"]), ("assertion", 1 - int(start)))

    def test_a_translation_keeps_the_limit_of_time(self):
        file = self.folder / "labels.cpp"
        file.write_text("""#include <tarry/model.h>
struct M {
  struct State { bool n; TARRY_FIELDS(n) };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, tarry::Run&) { s.n = !s.n; }
  void labels(const State& s, tarry::Labels& l) { for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) l.add(name, s.n); }
};
TARRY_MODEL(M)
""", encoding="utf-8")
        large = "!(" + " && ".join(f"(G F {name})" for name in "abcdefgh") + ")"
        report = self.check_json(file, "--ltl", large, "--time", "1ms", expect=0)
        self.assertEqual((report["verdict"], report["stopped_by"]), ("no-bug-found", "time"))
        self.assertIn("the search had to end while the formula was translated", report["notes"])
        self.assertEqual(self.check_json(file, "--ltl", large, "--time", "none", expect=1)["findings"][0]["kind"], "liveness")

    def test_a_loop_with_machines_that_are_created_in_it_replays(self):
        for points in ("needed", "p"):
            result = self.check_json(self.program(TIMERS), "--points", points, expect=1)
            finding = result["findings"][0]
            self.assertEqual(finding["message"], "spec 'Answered' stays hot in an execution that goes on for ever")
            again = self.tarry("replay", finding["trace"], "--json", expect=1).json()
            self.assertEqual((again["verdict"], again["message"]), ("reproduced", finding["message"]))
            shown = self.tarry("replay", finding["trace"], expect=1).out
            self.assertIn("Timer(3)", shown)


if __name__ == "__main__":
    unittest.main()
