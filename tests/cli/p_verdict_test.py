#!/usr/bin/env python3
"""Verdicts about P programs say what was checked and what was left open."""

import os
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import CliTest  # noqa: E402

# Main pings for ever; nobody answers, so 'Answered' is hot from the first ping on.
ENDLESS = """
event ePing; event ePong; event eNever;
machine Main {
  start hot state Pinging {
    entry { send this, ePing; }
    on ePing do { send this, ePing; }
    ignore ePong;
  }
}
spec Answered observes ePing, ePong {
  start state Idle { on ePing goto Waiting; ignore ePong; }
  hot state Waiting { on ePong goto Idle; ignore ePing; }
}
spec Eventually observes ePong { start hot state Waiting { ignore ePong; } }
spec Calm observes ePong { start cold state Idle { ignore ePong; } }
"""
TESTS = """
test tcNone [main = Main]: { Main };
test tcCalm [main = Main]: assert Calm in { Main };
test tcOne [main = Main]: assert Answered, Calm in { Main };
test tcTwo [main = Main]: assert Answered, Eventually in { Main };
"""


class Checks(CliTest):
    """A verdict says which checks there were."""

    PROGRAM = """
event eGo: int;
fun Positive(n: int) { assert n > 0; }
fun Unused() { assert false; }
machine Main {
  start state S {
    entry { Positive(1); send new Other(), eGo, 1; }
  }
}
machine Other { start state S { on eGo do (n: int) { Positive(n); assert n < 9, "large"; } } }
machine Never { start state S { entry { assert false; } } }
spec Safe observes eGo { start state S { on eGo do (n: int) { assert n == 1; } } }
spec Forgotten observes eGo { start state S { ignore eGo; } }
"""

    def checks(self, tests, *options):
        self.write("checks.p", self.PROGRAM + tests)
        report = self.check_json("checks.p", *options, expect=0)
        return report["checks"], report["verdict_text"]

    def test_assertions_that_can_be_reached_and_specs_are_named(self):
        checks, words = self.checks("test tc [main = Main]: assert Safe, Forgotten in { Main, Other, Never };")
        self.assertEqual(checks, {"made": ["2 assertions", "spec 'Safe'", "spec 'Forgotten'"], "missing": []})
        self.assertTrue(words.endswith("; checks: 2 assertions, spec 'Safe', spec 'Forgotten'"), words)

    def test_a_test_without_a_spec_says_so(self):
        checks, words = self.checks("test tc [main = Main]: { Main, Other };", "--search", "dfs")
        self.assertEqual(checks, {"made": ["2 assertions"], "missing": ["no spec is attached to this test"]})
        self.assertTrue(words.endswith("; checks: 2 assertions; no spec is attached to this test"), words)

    def test_a_spec_of_no_test_is_named(self):
        checks, _ = self.checks("test tc [main = Main]: assert Safe in { Main, Other };")
        self.assertEqual(checks["missing"], ["spec 'Forgotten' is attached to no test"])
        checks, _ = self.checks("test tc [main = Main]: assert Safe in { Main, Other }; test td [main = Main]: assert Forgotten in { Main, Other };", "-tc", "tc")
        self.assertEqual(checks["missing"], [])

    def test_the_default_implementation_has_no_spec(self):
        checks, _ = self.checks("")
        self.assertEqual(checks["missing"], ["no spec is attached to this test"])


class Liveness(CliTest):
    """The default search decides whether a spec stays hot for ever; others say that they do not."""

    def setUp(self):
        super().setUp()
        self.write("endless.p", ENDLESS + TESTS)

    def check(self, test, *options, expect=0):
        return self.check_json("endless.p", "-tc", test, *options, expect=expect)

    def test_the_default_search_finds_the_loop(self):
        report = self.check("tcOne", expect=1)
        (finding,) = report["findings"]
        self.assertEqual((finding["kind"], finding["message"]), ("liveness", "spec 'Answered' stays hot in an execution that goes on for ever"))
        self.assertGreater(finding["loop"], 0)
        self.assertTrue(finding["why_fair"])

    def test_the_default_search_proves_that_there_is_none(self):
        self.write("answered.p", ENDLESS.replace("on ePing do { send this, ePing; }", "on ePing do { announce ePong; send this, ePing; }")
                   .replace("start state Idle", "start cold state Idle", 1) + TESTS)
        report = self.check_json("answered.p", "-tc", "tcOne", "--fail-unless-verified", expect=0)
        self.assertNotIn("undecided", report)
        self.assertEqual(report["liveness"], {"properties": ["spec 'Answered'"], "fairness": "weak", "choices": "fair"})
        self.assertRegex(report["verdict_text"], r"^verified: all \d+ reachable states explored; liveness of spec 'Answered' under weak fairness and fair choices; checks: ")
        self.assertNotIn("note: hot states", self.tarry("check", "answered.p", "-tc", "tcOne", expect=0).out)

    def test_the_verdict_line_says_that_liveness_is_not_decided(self):
        report = self.check("tcOne", "--search", "dfs")
        self.assertEqual((report["verdict"], report["complete"], report["undecided"]), ("verified", True, ["liveness of spec 'Answered'"]))
        self.assertRegex(report["verdict_text"],
                         r"^verified for safety: all \d+ reachable states explored; liveness of spec 'Answered' is not decided; checks: spec 'Answered', spec 'Calm'$")
        self.assertRegex(self.tarry("check", "endless.p", "-tc", "tcOne", "--search", "dfs", expect=0).out,
                         r"^tarry: verified for safety: all \d+ reachable states explored; liveness of spec 'Answered' is not decided; checks: ")

    def test_several_specs_are_all_named(self):
        report = self.check("tcTwo", "--search", "dfs")
        self.assertEqual(report["undecided"], ["liveness of spec 'Answered'", "liveness of spec 'Eventually'"])
        self.assertIn("; liveness of spec 'Answered' and liveness of spec 'Eventually' are not decided", report["verdict_text"])

    def test_only_specs_of_the_test_count_and_states_of_machines_do_not(self):
        for test in ("tcNone", "tcCalm"):
            report = self.check(test)
            self.assertNotIn("undecided", report)
            self.assertRegex(report["verdict_text"], r"^verified: all \d+ reachable states explored")

    def test_no_bug_found_claims_nothing(self):
        report = self.check("tcOne", "--search", "pct", "-s", "10", "-ms", "20")
        self.assertEqual(report["verdict"], "no-bug-found")
        self.assertNotIn("undecided", report)

    def test_specs_that_there_is_no_room_for_are_not_decided(self):
        specs = "".join(f"spec S{i} observes eAsk, eAnswer {{ start cold state Cold {{ on eAsk goto Hot; ignore eAnswer; }} "
                        "hot state Hot { on eAnswer goto Cold; ignore eAsk; } }\n" for i in range(34))
        self.write("many.p", "event eAsk; event eAnswer;\n" + specs + "machine Main { start state S { entry { send this, eAsk; } on eAsk do { send this, eAnswer; } "
                   "on eAnswer do { send this, eAsk; } } }\ntest t [main=Main]: assert " + ", ".join(f"S{i}" for i in range(34)) + " in {Main};\n")
        report = self.check_json("many.p", expect=0)
        self.assertEqual((report["verdict"], report["undecided"]), ("verified", ["liveness of spec 'S32'", "liveness of spec 'S33'"]))
        self.assertIn("liveness of spec 'S32' and liveness of spec 'S33' are not decided", report["verdict_text"])

    def test_fail_unless_verified_wants_liveness_too_unless_told_otherwise(self):
        run = self.tarry("check", "endless.p", "-tc", "tcOne", "--search", "dfs", "--fail-unless-verified", "--junit", "strict.xml", expect=1)
        self.assertIn("not everything is decided: verified for safety: ", run.err)
        self.assertIn("; to accept this, say --accept safety\n", run.err)
        (failure,) = xml.etree.ElementTree.parse(self.folder / "strict.xml").iter("failure")
        self.assertEqual(failure.get("type"), "not-verified")
        run = self.tarry("check", "endless.p", "-tc", "tcOne", "--search", "dfs", "--fail-unless-verified", "--accept", "safety", "--junit", "safety.xml", expect=0)
        self.assertEqual(list(xml.etree.ElementTree.parse(self.folder / "safety.xml").iter("failure")), [])
        self.tarry("check", "endless.p", "-tc", "tcCalm", "--fail-unless-verified", expect=0)
        bounded = ("-tc", "tcCalm", "--search", "pct", "-s", "10", "-ms", "20")
        self.tarry("check", "endless.p", *bounded, "--fail-unless-verified", "--accept", "safety", expect=1)
        self.refused("check", "endless.p", "--accept", "most", says="expected fair, safety, limits, or several of them")

    def test_a_summary_tells_the_two_apart(self):
        run = self.tarry("check", "endless.p", "--search", "dfs", expect=0)
        self.assertIn("tarry: 4 tests: 0 with a bug, 2 verified, 2 verified for safety, 0 without a bug found\n", run.out)
        self.assertRegex(run.out, r"\n  tcCalm  verified\n  tcOne   verified for safety\n")
        self.assertEqual(self.check_json("endless.p", "--search", "dfs", expect=0)["undecided"], ["liveness of spec 'Answered'"])  # of several: the worst


if __name__ == "__main__":
    unittest.main()
