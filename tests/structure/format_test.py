#!/usr/bin/env python3
"""The tree is spaced and indented as .clang-format says (scripts/lint/format), and that check finds what it is for."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["SOURCE_DIR"])
LINT = ROOT / "scripts" / "lint" / "format"

CLEAN = """#include "a.h"
#include "b.h"

enum class Color { kRed, kGreen };  // one line, and a column
int twice(int x) { return x == 0 ? 0 : x < 0 ? -2 : 2; }
void many(int first,
          int second) {
  twice(first);   // aligned
  twice(second);  // by hand
}
"""

MISTAKES = {
    "a space is missing": ("x == 0", "x ==0"),
    "includes are out of order": ('#include "a.h"\n#include "b.h"', '#include "b.h"\n#include "a.h"'),
    "a statement is indented too far": ("  twice(first);   //", "    twice(first);   //"),
    "a pointer is bound to its name": ("int twice(int x)", "int *twice(int x)"),
}


class Format(unittest.TestCase):
    def lint(self, text):
        """Checks one file in a tree of its own."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "scripts" / "lint").mkdir(parents=True)
            shutil.copy(LINT, folder / "scripts" / "lint")
            shutil.copy(ROOT / ".clang-format", folder)
            (folder / "file.cc").write_text(text, encoding="utf-8")
            return subprocess.run([folder / "scripts/lint/format", folder / "file.cc"], capture_output=True, text=True, check=False)

    def test_the_tree(self):
        run = subprocess.run([LINT], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr + "correct it with scripts/lint/format --fix")

    def test_breaks_and_columns_are_the_authors(self):
        run = self.lint(CLEAN)
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_mistakes_are_found(self):
        for what, (good, bad) in MISTAKES.items():
            with self.subTest(what):
                self.assertIn(good, CLEAN)
                run = self.lint(CLEAN.replace(good, bad))
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertIn("file.cc:", run.stdout)


if __name__ == "__main__":
    if shutil.which("clang-format") is None:
        print("clang-format is not installed")
        sys.exit(77)
    unittest.main()
