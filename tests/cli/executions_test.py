#!/usr/bin/env python3
"""A finding is executed twice: the search finds it, one more process confirms it. What is printed, written as a trace, JSON and JUnit comes from that one.

Each process that loads the program under test leaves a byte in a file before its first step.
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import BROKEN, LOST_UPDATE, CliTest  # noqa: E402

COUNTS = r"""
#include <cstdio>
namespace { struct Counted { Counted() { if (FILE* file = fopen("%s", "a")) { fputc('x', file); fclose(file); } } } counted; }
"""


class Executions(CliTest):
    def processes_of(self, source, *options):
        """How many processes load the program in one check that finds a bug."""
        log = self.folder / "processes"
        log.write_bytes(b"")
        self.write("program.cpp", source + COUNTS % log)
        self.tarry("check", "program.cpp", "--jobs", "1", "--junit", "out.xml", *options, expect=1)
        self.assertIn("<failure", (self.folder / "out.xml").read_text())
        return len(log.read_bytes())

    def test_models(self):
        for how in ("kExpect", "kThrow", "kSegv", "kAssert", "kExit"):
            for form in ([], ["--json"], ["-v"]):
                with self.subTest(how=how, form=form):
                    self.assertEqual(self.processes_of(BROKEN, "-D", f"HOW={how}", *form), 2)

    def test_threads(self):
        for form in ([], ["--json"], ["-v"]):
            with self.subTest(form=form):
                self.assertEqual(self.processes_of(LOST_UPDATE, *form), 2)


if __name__ == "__main__":
    unittest.main()
