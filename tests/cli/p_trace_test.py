#!/usr/bin/env python3
"""What is written and shown of P programs: charts, P's own traces and schedules, coverage, all bugs of a run, errors only."""
import json
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import PHILOSOPHERS, CliTest  # noqa: E402

EXAMPLES = pathlib.Path(os.environ["SOURCE_DIR"], "examples", "p")

RELAY = """
event eAsk: (from: Client, n: int);
event eAnswer: int;
machine Server {
  start state Serving { on eAsk do (ask: (from: Client, n: int)) { send ask.from, eAnswer, ask.n + 1; } }
}
machine Client {
  var got: int;
  start state Init { entry (server: Server) { send server, eAsk, (from = this, n = choose(3)); } on eAnswer goto Done; }
  state Done { entry (n: int) { got = n; assert n < 3, "too much"; } }
}
machine Main { start state Init { entry { new Client(new Server()); } } }
"""

TWO_BUGS = """
event e: int;
machine Main { start state S { entry { send this, e, choose(4); } on e do (n: int) { assert n != 1, "one"; assert n != 2, "two"; } } }
"""


class Chart(CliTest):
    def chart(self, *args, **env):
        self.write("relay.p", RELAY)
        return self.tarry("check", "relay.p", *args, expect=1, env={"LC_ALL": "C.UTF-8", **env}).out

    def test_machines_are_columns_and_events_arrows(self):
        out = self.chart()
        self.assertRegex(out, r"Main\(1\) +Server\(2\) +Client\(3\)")
        self.assertRegex(out, r"◀─+eAsk─+┤ <from:Client\(3\), n:2, >")
        self.assertRegex(out, r"├─+eAnswer─+▶")
        self.assertIn("● eAnswer [Done]", out)
        self.assertRegex(out, r"relay\.p:9 +[│┬]")
        self.assertRegex(out, r"\n✗ +relay\.p:10 +.*✗ assertion fails\n")
        self.assertIn("Client(3).got", out)
        self.assertNotIn("Server(2).inbox", out)  # only of the one that failed
        self.assertIn("assertion: assertion failed: too much (relay.p:10:", out)

    def test_verbose_has_all_values(self):
        self.assertIn("Server(2).inbox", self.chart("-v"))

    def test_ascii_where_the_locale_wants_it(self):
        out = self.chart(LC_ALL="C")
        self.assertRegex(out, r"<-+eAsk-+\+")
        self.assertTrue(out.isascii(), out)

    def test_a_list_where_columns_do_not_fit(self):
        out = self.chart(COLUMNS="50")
        self.assertRegex(out, r"Client\(3\) ──eAsk──▶ Server\(2\)")
        self.assertIn("Client(3) takes eAnswer [Done]", out)
        self.assertIn("Client(3) ✗ assertion fails", out)

    def test_replay_shows_the_same_chart(self):
        out = self.chart()
        trace = re.search(r"tarry replay (\S+)", out).group(1)
        again = self.tarry("replay", trace, expect=1, env={"LC_ALL": "C.UTF-8"}).out
        self.assertRegex(again, r"◀─+eAsk─+┤ <from:Client\(3\), n:2, >")


class Schedules(CliTest):
    def test_p_traces_are_written_beside_the_trace(self):
        self.write("relay.p", RELAY)
        self.tarry("check", "relay.p", "--p-trace", "all", expect=1)
        stem = next((self.folder / "tarry-out").glob("*.tarry")).with_suffix("")
        self.assertIn("<SendLog> 'Client(3)' in state 'Init' sent event 'eAsk with payload (<from:Client(3), n:2, >)' to 'Server(2)'.",
                      stem.with_suffix(".txt").read_text())
        types = [entry["type"] for entry in json.loads(stem.with_suffix(".trace.json").read_text())]
        self.assertIn("SendEvent", types)
        self.assertEqual(types[-2:], ["AssertionFailure", "StrategyDescription"])
        self.assertRegex(stem.with_suffix(".schedule").read_text(), r"\A--test-method:DefaultImpl\n\(0\)\n\(1\)\n")

    def test_one_form_is_one_file(self):
        self.write("relay.p", RELAY)
        self.tarry("check", "relay.p", "--p-trace=schedule", expect=1)
        self.assertEqual({p.suffix for p in (self.folder / "tarry-out").iterdir()}, {".tarry", ".schedule"})

    def test_every_bug_of_the_examples_comes_back_from_its_schedule(self):
        bugs = 0
        for project in sorted(p for p in EXAMPLES.iterdir() if p.is_dir()):
            found = self.tarry("check", project, "-tc", "tcBug", "--p-trace", "schedule", "--json", "-o", project.name, "--time", "60s")
            if found.code == 2:
                continue  # no test of that name
            for report in found.json() if isinstance(found.json(), list) else found.json().get("tests", [found.json()]):
                for finding in report["findings"]:
                    if "loop" in finding:
                        continue  # P's schedules have no loops
                    bugs += 1
                    file = pathlib.Path(finding["trace"]).with_suffix(".schedule")
                    again = self.tarry("replay", file, "--target", project, "--json", expect=1).json()
                    for key in ("kind", "message", "location"):
                        self.assertEqual(again[key], finding[key], f"{file}\n{found}")
                    self.assertEqual(again["verdict"], "bug")
        self.assertGreater(bugs, 3)

    def schedule(self, text):
        self.write("relay.p", RELAY)
        return self.write("by-hand.schedule", text)

    def test_a_schedule_without_a_bug(self):
        run = self.tarry("replay", self.schedule("(0)\n(1)\n"), "--target", "relay.p", expect=0)
        self.assertIn("tarry: the schedule ends without a bug after 1 steps", run.out)

    def test_a_schedule_that_the_program_does_not_follow(self):
        run = self.tarry("replay", self.schedule("(0)\n(1)\n(3)\n"), "--target", "relay.p", expect=70)
        self.assertIn("by-hand.schedule:3: error: the program goes another way: expected one of (1), found (3), which cannot run", run.err)
        run = self.tarry("replay", "by-hand.schedule", "--target", "relay.p", "--json", expect=70).json()
        self.assertEqual((run["verdict"], run["diverged_line"]), ("diverged", 3))

    def test_bad_input(self):
        self.refused("replay", self.schedule("(0)\nx\n"), "--target", "relay.p", says="by-hand.schedule:2:1: error: expected")
        self.refused("replay", self.schedule("(0)\n"), says="name the program with --target")
        self.refused("replay", self.schedule("(0)\n"), "--target", PHILOSOPHERS, says="needs a P program")
        self.refused("replay", self.schedule("(0)\n"), "--target", "relay.p", "-tc", "tcOther", says="the program has no test 'tcOther'")
        self.refused("replay", self.schedule("--test-method:tcOther\n(0)\n"), "--target", "relay.p", says="no test 'tcOther'")
        self.refused("replay", self.schedule("(0)\n"), "--target", EXAMPLES / "bank", says="which test it belongs to")
        self.refused("replay", "none.schedule", "--target", "relay.p", says="none.schedule: error: ")
        self.refused("check", PHILOSOPHERS, "--p-trace", "text", says="--p-trace is for P programs")
        self.refused("check", "relay.p", "--p-trace", "xml", says="expected text, json, schedule, all")

    def test_p_spells_out_the_full_name_of_the_test(self):
        self.tarry("replay", self.schedule("--test-method:PImplementation.DefaultImpl.Execute\n(0)\n"), "--target", "relay.p", expect=0)


class Coverage(CliTest):
    def test_files_per_test(self):
        self.write("relay.p", RELAY)
        run = self.tarry("check", "relay.p", "--coverage", "cover", expect=1)
        self.assertIn("cover/DefaultImpl.coverage.txt", run.out)
        text = (self.folder / "cover/DefaultImpl.coverage.txt").read_text()
        self.assertIn("from 1,000 random executions (seed 1) and the schedules of 1 finding\n", text)
        self.assertIn("everything that is declared was exercised", text)
        data = json.loads((self.folder / "cover/DefaultImpl.coverage.json").read_text())
        self.assertEqual(data["random_executions"], 1000)
        self.assertEqual(data["never_exercised"], [])
        self.refused("check", PHILOSOPHERS, "--coverage", "x", says="--coverage is for P programs")

    def test_what_cannot_be_written_is_told_by_the_exit_code(self):
        self.write("relay.p", RELAY)
        for target, code in (("relay.p", 1), (EXAMPLES / "ring", 2)):
            run = self.tarry("check", target, *(["-tc", "tcRing___n_3"] if code == 2 else []), "--coverage", "/proc/none", expect=code)
            self.assertEqual((run.out + run.err).count("the coverage was not written: "), 1, run.out + run.err)


class Explore(CliTest):
    def test_every_bug_once_with_how_often(self):
        self.write("two.p", TWO_BUGS)
        run = self.tarry("check", "two.p", "-s", "400", "--explore", expect=1)
        met = {int(n.replace(",", "")) for n in re.findall(r"met ([\d,]+) times", run.out)}
        self.assertEqual(run.out.count("assertion: assertion failed: one"), 1, str(run))
        self.assertEqual(run.out.count("assertion: assertion failed: two"), 1, str(run))
        self.assertTrue(all(50 < n < 150 for n in met), str(run))  # 100 each on average; more than 5 sigma
        data = self.check_json("two.p", "-s", "400", "--explore", expect=1)
        self.assertEqual([len(data["findings"]), sum(f["count"] for f in data["findings"]) > 100], [2, True])
        alone = self.check_json("two.p", "-s", "400", "--explore", "--jobs", "1", expect=1)
        short = lambda found: [(f["message"], f["count"], f["steps"]) for f in found["findings"]]
        self.assertEqual(short(data), short(alone))

    def test_is_refused_where_it_means_nothing(self):
        self.write("two.p", TWO_BUGS)
        self.refused("check", "two.p", "--explore", says=["--explore", "-s"])
        self.refused("check", "two.p", "--explore", "--search", "dfs", says=["--explore", "-s"])


class CheckSyntax(CliTest):
    def test_no_errors_in_one_line(self):
        self.write("relay.p", RELAY)
        self.assertEqual(self.tarry("p", "check-syntax", "relay.p", expect=0).out, "1 file, 3 machines, 1 test: no errors\n")
        self.assertRegex(self.tarry("p", "check-syntax", EXAMPLES / "bank", expect=0).out, r"^\d+ files, \d+ machines, \d+ tests: no errors\n$")

    def test_all_errors(self):
        self.write("wrong.p", "machine Main { start state S { entry { x = 1; y = 2; } } }")
        run = self.tarry("p", "check-syntax", "wrong.p", expect=2)
        self.assertEqual(run.err.count(": error: "), 2, str(run))
        run = self.tarry("p", "check-syntax", "wrong.p", "--strict-errors", expect=2)
        self.assertEqual(run.err.count(": error: "), 1, str(run))

    def test_commands(self):
        self.refused("p", says="tarry p check-syntax")
        self.refused("p", "check-syntax", says="nothing to compile")
        self.refused("p", "chek-syntax", "a.p", says="did you mean 'check-syntax'?")
        self.assertIn("check-syntax", self.tarry("p", "--help", expect=0).out)


if __name__ == "__main__":
    unittest.main()
