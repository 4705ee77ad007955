#!/usr/bin/env python3
"""Every search of the engine on thread programs: the same verdicts, whatever way they are walked; with every explorer, with one worker and two,
with and without fairness, cache and points at every access."""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TARRY = os.environ["TARRY"]
EXAMPLES = pathlib.Path(os.environ["SOURCE_DIR"], "examples", "threads")
os.environ["XDG_CACHE_HOME"] = os.path.join(os.environ["BUILD_DIR"], "test-cache")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from registry import explorers, searches  # noqa: E402


class Searches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def check(self, example, *options):
        command = [TARRY, "check", str(EXAMPLES / example), "--json", "--no-progress", "--time", "120s", *options]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False)
        self.assertIn(done.returncode, (0, 1), " ".join(command) + "\n" + done.stdout + done.stderr)
        answer = json.loads(done.stdout)
        return answer["verdict"], {finding["kind"] for finding in answer["findings"]}

    def both(self, expected, *options):
        with self.subTest(options=options):
            self.assertEqual(self.check("account/account_test.cpp", *options), (expected, set()))
            self.assertEqual(self.check("account/account_bug_test.cpp", *options), ("bug", {"assertion"}))

    def test_complete_searches_verify(self):
        for search, jobs in itertools.product(searches(complete=True, threads=True, takes_explorer=False), "12"):
            self.both("verified", "--search", search, "--jobs", jobs)

    def test_delays_with_every_explorer(self):
        for explorer in explorers():
            for search in searches(complete=True, threads=True, takes_explorer=True):
                self.both("verified", "--search", search, "--explorer", explorer)
            for search in searches(complete=False, threads=True, takes_explorer=True):
                self.both("no-bug-found", "--search", search, "--explorer", explorer, "-s", "300")

    def test_samplers_find_the_bug(self):
        for search in searches(complete=False, threads=True, takes_explorer=False):
            if search != "lockstep":  # a few executions, always the same: they need not have this bug
                self.both("no-bug-found", "--search", search, "-s", "500")

    def test_ways_to_run(self):
        for options in (["--fair-scheduling=off"], ["--fair-scheduling=3"], ["--cache", "none"], ["--fresh"]):
            self.both("verified", "--search", "dfs", *options)
        self.both("verified", "--search", "dfs", "--points", "all")

    def test_a_search_that_needs_states_is_refused(self):
        done = subprocess.run([TARRY, "check", str(EXAMPLES / "account/account_test.cpp"), "--search", "ses-ss"], capture_output=True, text=True, cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("captured states", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
