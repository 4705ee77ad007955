"""A front end of one file that touches nothing in src/ (graph_target.cc): its targets, options, findings and traces work as those of the others do."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(os.environ["BUILD_DIR"], "bin", "tarry_with_graph")
GRAPH = """left  start    waiting
right start    ready
left  ready    both
right waiting  both
right both     start
"""


class Graphs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "a.graph").write_text(GRAPH)

    def run_tool(self, *arguments):
        return subprocess.run([TOOL, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120)

    def test_all_states_are_explored(self):
        for search in ("portfolio", "dfs", "bfs", "ses"):
            done = self.run_tool("check", "a.graph", "--search", search, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual((report["verdict"], report["states"]), ("verified", 4), search)

    def test_its_own_option_finds_a_bug_that_replays(self):
        done = self.run_tool("check", "a.graph", "--bad", "both", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        finding = json.loads(done.stdout)["findings"][0]
        self.assertEqual((finding["kind"], finding["message"], finding["steps"]), ("assertion", "state 'both' is reached", 2))
        again = self.run_tool("replay", finding["trace"])
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn("reproduced assertion after 2 steps", again.stdout)
        self.assertIn("to both", again.stdout)
        (self.folder / "a.graph").write_text(GRAPH + "left both start\n")
        changed = self.run_tool("replay", finding["trace"])
        self.assertEqual(changed.returncode, 2)
        self.assertIn("the program has changed", changed.stderr)

    def test_a_form_of_reports_is_one_file(self):
        done = self.run_tool("check", "a.graph", "--bad", "both", "--csv", "out.csv", "--junit", "out.xml")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual((self.folder / "out.csv").read_text(), "target,verdict,kind,steps\na.graph,bug,assertion,2\n")
        self.assertIn("found assertion", done.stdout)
        self.assertIn("to both", (self.folder / "out.xml").read_text())
        self.assertIn("--csv FILE", self.run_tool("check", "--help-all").stdout)

    def test_options_are_for_their_front_end(self):
        (self.folder / "a.p").write_text("machine Main { start state S { } }\n")
        for arguments, says in (
            (["a.p", "--bad", "x"], "--bad is for graphs, and 'a.p' is none"),
            (["a.graph", "--races", "ignore"], "--races is for programs with threads, and 'a.graph' is none"),
            (["a.graph", "--ltl", "G x"], "--ltl is for P programs and C++ models, and 'a.graph' is neither"),
            (["a.graph", "--search", "dpor"], "search 'dpor' is for programs with threads"),
            (["a.graph", "--", "x"], "takes no arguments"),
            (["a.graph", "--list-tests"], "--list-tests is for"),
        ):
            done = self.run_tool("check", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(says, done.stderr)

    def test_help_and_errors_know_it(self):
        text = self.run_tool("check", "--help-all").stdout
        self.assertIn("--bad STATE", text)
        self.assertIn("Graphs:", text)
        self.assertIn("a .graph file", " ".join(text.split()))
        (self.folder / "b.graph").write_text("left start\n")
        done = self.run_tool("check", "b.graph")
        self.assertEqual((done.returncode, done.stderr), (2, "b.graph:1: error: process 'left' goes from 'start', but it is not said where to\n"))

    def test_the_tool_without_it_refuses_its_traces(self):
        trace = json.loads(self.run_tool("check", "a.graph", "--bad", "both", "--json").stdout)["findings"][0]["trace"]
        done = subprocess.run([os.environ["TARRY"], "replay", trace], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a front end that this tarry does not have: 'graph'", done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
