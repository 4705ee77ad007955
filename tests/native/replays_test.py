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


if __name__ == "__main__":
    unittest.main()
