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


# Main makes one worker through each of two makers. The search meets them in another order than they are made in the failing execution, so that a replay
# numbers them differently. Work ends every execution.
P_PROGRAM = """
event eWork: int;
fun Work(number: int): int;
machine Main { start state S { entry { var s: Server; s = new Server(); new Maker((server = s, n = 1)); new Maker((server = s, n = 2)); } } }
machine Maker { start state S { entry (p: (server: Server, n: int)) { new Worker((server = p.server, n = p.n)); } } }
machine Worker { start state S { entry (p: (server: Server, n: int)) { send p.server, eWork, Work(p.n); } } }
machine Server { var last: int; start state S { on eWork do (n: int) { assert !(last == 20 && n == 10), "the second one was first"; last = n; } } }
test tcWork [main = Main]: { Main, Maker, Worker, Server };
"""

P_FOREIGN = r"""
#include <tarry/foreign.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
std::int64_t work(std::int64_t number) {
  if (FILE* file = fopen("%s", "a")) { fprintf(file, "%%d\n", static_cast<int>(getpid())); fclose(file); }
  if (number == 1 && getenv("CRASHES") != nullptr) abort();
  return number * 10;
}
TARRY_FOREIGN("Work", work)
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

    def test_p_programs(self):
        calls = self.folder / "calls"
        self.write("work.p", P_PROGRAM)
        self.write("work.cpp", P_FOREIGN % calls)
        for form in ([], ["--json"], ["-v"], ["--p-trace", "all"]):
            with self.subTest(form=form):
                calls.write_bytes(b"")
                self.tarry("check", "work.p", "--jobs", "1", "--search", "bfs", "--junit", "out.xml", *form, expect=1)
                self.assertIn("<failure", (self.folder / "out.xml").read_text())
                by_process = {}
                for pid in calls.read_text().split():
                    by_process[pid] = by_process.get(pid, 0) + 1
                # Two steps call. The search runs each of them once, also to number the machines of its finding; the process that confirms takes each
                # of them once, and tells it once.
                self.assertEqual(list(by_process.values()), [2, 4])


if __name__ == "__main__":
    unittest.main()
