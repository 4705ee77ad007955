#!/usr/bin/env python3
"""Polls that give up: fairness must not keep them from it. "Verified" without more is said only if fairness removed no choice."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import HERE, TARRY, check, ways  # noqa: E402
from harness import compiled_ahead as compiled  # noqa: E402

POLLS = HERE / "polls.cpp"

# One takes the other's lock before it has its own, gives it back and tries again: endless, with effects.
RETRY = """#include <mutex>
#include <thread>
std::mutex m, n;
int main() {
  std::thread other([] { m.lock(); n.lock(); n.unlock(); m.unlock(); });
  while (true) {
    n.lock();
    if (m.try_lock()) break;
    n.unlock();
    std::this_thread::yield();
  }
  m.unlock();
  n.unlock();
  other.join();
}
"""


class Polls(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def both(self, *flags, options=("--time", "120s"), assumes=None, **how):
        """The bug is found, and what is fixed is verified, without an assumption about schedules."""
        found = check(compiled(self.folder.name, POLLS, *flags, **how), *options)
        self.assertEqual(found["kinds"], ["assertion"], (flags, how))
        fixed = check(compiled(self.folder.name, POLLS, *flags, "-DFIXED=1", **how), *options)
        self.assertEqual((fixed["verdict"], fixed["kinds"], fixed.get("assumes")), ("verified", [], assumes), (flags, how))

    def test_the_four_ways(self):
        for how in range(4):
            for compiler, level in ways(how):
                with self.subTest(compiler=compiler, level=level, how=how):
                    clocks = ["at most 1 long delay before clocks are read"] if how == 2 else None
                    self.both(f"-DHOW={how}", assumes=clocks, compiler=compiler, level=level)

    def test_polls_of_any_length(self):
        for times in (3, 8, 17, 100):
            with self.subTest(times=times):
                self.both("-DHOW=0", f"-DN={times}")
        for times in (3, 8):
            with self.subTest(times=times, locks=True):
                self.both("-DHOW=1", f"-DN={times}")

    def test_two_workers(self):
        program = compiled(self.folder.name, POLLS, "-DHOW=0", "-DN=8")
        self.assertEqual(check(program, jobs=2)["kinds"], ["assertion"])
        fixed = check(compiled(self.folder.name, POLLS, "-DHOW=0", "-DN=8", "-DFIXED=1"), jobs=2)
        self.assertEqual((fixed["verdict"], fixed.get("assumes")), ("verified", None))

    def test_with_a_number_of_its_own_the_verdict_says_so(self):
        program = compiled(self.folder.name, POLLS, "-DHOW=0", "-DN=17")
        answer = check(program, "--fair-scheduling=1")
        self.assertEqual((answer["verdict"], answer["assumes"]), ("verified", ["fair schedules, K=1"]))
        self.assertIn("verified for fair schedules, K=1", answer["verdict_text"])

    def test_endless_loops_with_effects(self):
        source = pathlib.Path(self.folder.name) / "retry.cpp"
        source.write_text(RETRY, encoding="utf-8")
        program = compiled(self.folder.name, source)
        for jobs in (1, 2):
            answer = check(program, jobs=jobs)
            self.assertEqual((answer["verdict"], answer["assumes"]), ("verified", ["fair schedules, K=8"]))
        command = [TARRY, "check", program, "--fail-unless-verified"]
        refused = subprocess.run(command, capture_output=True, text=True, cwd=self.folder.name, check=False)
        self.assertEqual(refused.returncode, 1, refused.stdout)
        self.assertIn("the verdict assumes fair schedules, K=8", refused.stderr)
        accepted = subprocess.run([*command, "--accept", "fair"], capture_output=True, text=True, cwd=self.folder.name, check=False)
        self.assertEqual(accepted.returncode, 0, accepted.stdout + accepted.stderr)


if __name__ == "__main__":
    unittest.main()
