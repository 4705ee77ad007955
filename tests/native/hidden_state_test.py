#!/usr/bin/env python3
"""Loops that look as if they only looked, and come to their end by what libc or the processor remembers: no awaits. Their twins, which do wait, are."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import check, compiled  # noqa: E402

# `more` is what a round of the loop does beside looking at x, until it is false.
SOURCE = """#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <x86intrin.h>
std::atomic<int> x;
std::FILE* file;
char text[] = "aaa", nothing[] = "\\n\\n\\n", room[3], line[8];
int main() {
  BEFORE;
  std::thread other([] { x = 1; });
  while (!x && (MORE)) { }
  CLAIM;
  other.join();
}
"""

READS = "file = fmemopen(text, 3, \"r\")"
# What is done before, what a round does. Each of these loops ends although nobody sets x.
ENDS = {
    "a character": (READS, "fgetc(file) == 'a'"),
    "a line": ("file = fmemopen(nothing, 3, \"r\")", "fgets(line, sizeof line, file) != NULL"),
    "a block": (READS, "fread(line, 1, 1, file) == 1"),
    "output": ("file = fmemopen(room, 3, \"w\"); setvbuf(file, NULL, _IONBF, 0)", "fputc('a', file) != EOF"),
    "a random number": ("srandom(1)", "random() % 4 != 0"),
    "a token": ("strtok(text, \"b\")", "strtok(NULL, \"b\") != NULL"),
}
WAITS = {"a length": ("", "strlen(text) == 3"), "nothing": ("", "1")}


class HiddenState(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def answer(self, before, more, claim, **how):
        source = pathlib.Path(self.folder.name) / "program.cpp"
        source.write_text(SOURCE.replace("BEFORE", before).replace("MORE", more).replace("CLAIM", claim))
        program = compiled(self.folder.name, source, **how)
        return check(program, "--time", "60s")

    def test_loops_that_end_are_no_awaits(self):
        for name, (before, more) in ENDS.items():
            with self.subTest(name):
                self.assertEqual(self.answer(before, more, "assert(x)")["kinds"], ["assertion"], name)
                answer = self.answer(before, more, "")
                self.assertEqual((answer["verdict"], answer["kinds"]), ("verified", []), name)

    def test_loops_that_wait_are_awaits(self):
        for name, (before, more) in WAITS.items():
            for level in ("-O0", "-O2"):
                with self.subTest(name, level=level):
                    answer = self.answer(before, more, "assert(x)", level=level)
                    self.assertEqual((answer["verdict"], answer["kinds"], answer.get("assumes")), ("verified", [], None), name)

    def test_the_time_stamp_ends_a_loop(self):
        for rest in ("", "std::this_thread::yield(), "):
            answer = self.answer("unsigned long long start = __rdtsc()", rest + "__rdtsc() - start < 200000", "")
            self.assertEqual(answer["kinds"], [], answer)


if __name__ == "__main__":
    unittest.main()
