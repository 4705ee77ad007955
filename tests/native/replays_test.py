#!/usr/bin/env python3
"""A schedule goes with the accesses that were points when it was found: what lies behind a race replays, however the execution ended."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TARRY = os.environ["TARRY"]

PROGRAM = """#include <atomic>
#include <sched.h>
#include <thread>
volatile int between;
std::atomic<int> never;
int main() {
  std::thread other([] { between = 1; between = 0; });
  if (between == 1) for (;;) { %s }
  other.join();
}
"""
# Each is reached only if threads are switched at the accesses that race: an execution without end, of two kinds, and a step without.
ENDS = {"good-samaritan": "never.load();", "livelock": "sched_yield();", "nontermination": 'asm volatile("");'}


# It becomes another program at its end, or fails to.
BECOMES = """#include <cassert>
#include <thread>
#include <unistd.h>
int x;
int main() {
  std::thread other([] { ++x; });
  ++x;
  other.join();
  execl(WHAT, "other", nullptr);
  assert(!"became");
}
"""

READS = """#include <cstdio>
#include <thread>
int x;
int main() {
  if (std::fopen("data.txt", "r") == nullptr) return 0;
  std::thread other([] { ++x; });
  ++x;
  other.join();
}
"""

# Where the name of the source is long, it is a block of the heap, and the mutex is another one than where it is short.
NAMED = """#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
std::atomic<int> x;
int main() {
  std::string name = __FILE__;
  auto mutex = std::make_unique<std::mutex>();
  auto add = [&] { int v = x; mutex->lock(), mutex->unlock(); x = v + 1; };
  std::thread a(add), b(add);
  a.join(), b.join();
  assert(x == 2 || name.empty());
}
"""


def tarry(folder, *arguments):
    return subprocess.run([TARRY, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=300, check=False)


class Replays(unittest.TestCase):
    def test_behind_a_race(self):
        for kind, loop in ENDS.items():
            with self.subTest(kind), tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                (folder / "test.cpp").write_text(PROGRAM % loop, encoding="utf-8")
                answer = json.loads(tarry(folder, "check", "test.cpp", "--json", "--jobs", "1", "--races", "report", "--step-timeout", "1s", "--max-depth", "500", "--samaritan", "error").stdout)
                self.assertEqual([finding["kind"] for finding in answer["findings"]], [kind])
                again = tarry(folder, "replay", answer["findings"][0]["trace"])
                self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
                self.assertIn(kind + ":", again.stdout)

    def findings_that_replay(self, folder, source, *options, where=None):
        answer = json.loads(tarry(folder, "check", source, "--json", "--jobs", "1", *options).stdout)
        for finding in answer["findings"]:
            again = tarry(where or folder, "replay", folder / finding["trace"])
            self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
            self.assertIn(f"reproduced {finding['kind']}", again.stdout + again.stderr)
        return {finding["kind"] for finding in answer["findings"]}

    def test_a_program_that_becomes_another_one(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "becomes.cpp").write_text(BECOMES, encoding="utf-8")
            self.assertEqual(self.findings_that_replay(folder, "becomes.cpp", '-DWHAT="/bin/true"'), {"data-race"})
            self.assertEqual(self.findings_that_replay(folder, "becomes.cpp", '-DWHAT="/bin/false"', "--expect-exit", "0", "--races", "report"), {"assertion"})
            self.assertEqual(self.findings_that_replay(folder, "becomes.cpp", '-DWHAT="/nowhere"', "--races", "report"), {"assertion"})

    def test_in_another_folder(self):
        """The program runs where it ran, and its files have the names that they had."""
        with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as other:
            folder = pathlib.Path(name)
            (folder / "data.txt").write_text("data", encoding="utf-8")
            (folder / "reads.cpp").write_text(READS, encoding="utf-8")
            self.assertEqual(self.findings_that_replay(folder, "reads.cpp", where=other), {"data-race"})
            self.assertEqual(self.findings_that_replay(pathlib.Path(other), folder / "reads.cpp", "--folder", folder, where=folder), {"data-race"})

    def test_names_of_sources(self):
        """The program is the same one, however its source is named and wherever it is replayed."""
        with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as other:
            folder = pathlib.Path(name)
            (folder / "n.cpp").write_text(NAMED, encoding="utf-8")
            for given in ("n.cpp", "./n.cpp", folder / "n.cpp"):
                for where in (folder, other):
                    self.assertEqual(self.findings_that_replay(folder, given, where=where), {"assertion"})


if __name__ == "__main__":
    unittest.main()
