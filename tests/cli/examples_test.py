#!/usr/bin/env python3
"""Every row of examples/models/expected.tsv: the exact number of states and transitions, or the kind of the bug.

examples_test.py [--row NUMBER]
"""
# rows: examples/models/expected.tsv

import csv
import os
import pathlib
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import MODELS, CliTest  # noqa: E402

# Each of these in turn counts the states. The default search gives the verdict.
SEARCHES = [["--search", "dfs", "--jobs", "1"], ["--search", "bfs", "--jobs", "2"], ["--search", "ses", "--explorer", "round-robin"],
            ["--search", "preemption-bounded"], ["--search", "ses"]]  # fmt: skip
MANY = 200_000  # states; the default search takes too long for so many
with open(pathlib.Path(MODELS, "expected.tsv"), encoding="utf-8") as table:
    ROWS = list(csv.DictReader((line for line in table if not line.startswith("#")), delimiter="\t"))
CHOSEN = range(len(ROWS))


class Examples(CliTest):
    def test_rows(self):
        self.assertTrue(ROWS)
        for number in CHOSEN:
            row = ROWS[number]
            big = row["states"] != "-" and int(row["states"]) > MANY
            for options in [*([] if big else [[]]), SEARCHES[number % len(SEARCHES)]]:
                with self.subTest(row["file"], defines=row["defines"], options=options):
                    self.check(row, options)

    def check(self, row, options):
        defines = [word for define in row["defines"].split() if define != "-" for word in ("-D", define)]
        run = self.tarry("check", MODELS / row["file"], "--json", *options, *defines)
        self.assertIn(run.code, (0, 1), str(run))
        result = run.json()
        self.assertEqual(result["findings"][0]["kind"] if result["findings"] else result["verdict"], row["verdict"])
        if row["states"] != "-":
            self.assertEqual((result["states"], result["transitions"]), (int(row["states"]), int(row["transitions"])))


if __name__ == "__main__":
    if "--row" in sys.argv:
        at = sys.argv.index("--row")
        CHOSEN = [int(sys.argv[at + 1]) - 1]
        del sys.argv[at : at + 2]
    unittest.main()
