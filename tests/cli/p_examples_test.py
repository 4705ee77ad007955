#!/usr/bin/env python3
"""Every row of examples/p/expected.tsv: the exact number of states and transitions, or the kind of the bug and a trace that replays."""
import csv
import os
import pathlib
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import CliTest  # noqa: E402

EXAMPLES = pathlib.Path(os.environ["SOURCE_DIR"], "examples", "p")
PROJECTS = sorted(path.parent.name for path in EXAMPLES.glob("*/*.pproj"))
with open(EXAMPLES / "expected.tsv", encoding="utf-8") as table:
    ROWS = list(csv.DictReader((line for line in table if not line.startswith("#")), delimiter="\t"))


class Examples(CliTest):
    def check(self, row, *options):
        """One run, with the verdict that the row wants. A bug that never ends is found by what decides liveness, the default."""
        endless = row["kind"] == "endless"
        if endless and options:
            row = {**row, "verdict": "verified", "kind": "-"}
        elif endless:
            row = {**row, "kind": "liveness"}
        bug = row["verdict"] == "bug"
        result = self.check_json(EXAMPLES / row["project"], "-tc", row["test"], *options, expect=1 if bug else 0)
        what = f"{row['project']} {row['test']} {' '.join(options)}"
        self.assertEqual((result["test"], result["verdict"]), (row["test"], row["verdict"]), what)
        self.assertEqual([finding["kind"] for finding in result["findings"]], [row["kind"]] if bug else [], what)
        return result, what

    def test_every_test_has_its_row(self):
        self.assertEqual(len(PROJECTS), 15)
        for project in PROJECTS:
            listed = self.tarry("check", EXAMPLES / project, "--list-tests", expect=0).out.split("\n")[1:]
            self.assertEqual([test for test in listed if test], [row["test"] for row in ROWS if row["project"] == project])
        self.assertEqual({row["project"] for row in ROWS}, set(PROJECTS))

    def test_tests_named_for_a_bug_have_one_and_the_others_have_none(self):
        for row in ROWS:
            self.assertEqual(row["verdict"], "bug" if row["test"].startswith("tcBug") else "verified", row)
            self.assertEqual(row["kind"] == "endless", row["states"] != "-" and row["verdict"] == "bug", row)
            self.assertEqual(row["kind"] == "-", row["verdict"] == "verified", row)

    def test_without_any_option_each_is_decided_and_each_bug_replays(self):
        for row in ROWS:
            result, what = self.check(row)
            if row["verdict"] == "verified":
                self.assertTrue(result["complete"], what)
                self.assertEqual(result.get("undecided", []), [], what)
                continue
            self.assertEqual("loop" in result["findings"][0], row["kind"] == "endless", what)
            trace = result["findings"][0]["trace"]
            self.assertTrue((self.folder / trace).is_file(), what)
            again = self.tarry("replay", trace, "--json", expect=1).json()
            self.assertEqual(again["verdict"], "reproduced", what)
            for part in ("kind", "message", "location"):
                self.assertEqual(again[part], result["findings"][0][part], what)

    def test_depth_first_counts(self):
        for row in ROWS:
            result, what = self.check(row, "--search", "dfs", "--jobs", "1")
            if row["states"] != "-":
                self.assertEqual((result["states"], result["transitions"]), (int(row["states"]), int(row["transitions"])), what)

    def test_depth_first_counts_at_all_points_of_p(self):
        for row in ROWS:
            if row["states_p"] == "too-large":
                continue
            result, what = self.check(row, "--search", "dfs", "--jobs", "1", "--points", "p")
            if row["states_p"] != "-":
                self.assertEqual(result["states"], int(row["states_p"]), what)

    def test_breadth_first_and_in_strata_there_are_the_same_states(self):
        for row in ROWS:
            if row["states"] == "-":
                continue
            for explorer in ("run-to-completion", "round-robin"):
                result, what = self.check(row, "--search", "ses", "--explorer", explorer, "--jobs", "1")
                self.assertEqual((result["complete"], result["states"]), (True, int(row["states"])), what)
            result, what = self.check(row, "--search", "bfs", "--jobs", "1")
            self.assertEqual(result["states"], int(row["states"]), what)


if __name__ == "__main__":
    unittest.main()
