#!/usr/bin/env python3
"""What steps work on is named as in the source: globals, locals of other threads' frames, members, elements, memory by where it was allocated."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TARRY = os.environ["TARRY"]

PROGRAM = """\
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
struct Box {
  int before = 0;
  std::mutex mutex;
  std::atomic<int> counts[3] = {};
};
Box shared;
void work(Box& box, Box* other) {
  std::atomic<int> own{0};
  own.fetch_add(1);
  box.mutex.lock();
  box.counts[2].fetch_add(1);
  shared.counts[0].fetch_add(1);
  other->counts[1].fetch_add(1);
  box.mutex.unlock();
}
int main() {
  Box box;
  const std::unique_ptr<Box> first(new Box);
  const std::unique_ptr<Box> second(new Box);
  std::thread a(work, std::ref(box), first.get());
  std::thread b(work, std::ref(box), second.get());
  a.join();
  b.join();
  {
    std::mutex inner;
    std::condition_variable never;
    std::thread c([&] {
      std::unique_lock lock(inner);
      never.wait(lock);
    });
    c.join();
  }
}
"""

# Of both threads, in any order of the threads: (operation, what on).
STEPS = sorted(
    2 * [("lock", "box.mutex"), ("read-modify-write", "box.counts[2]"), ("read-modify-write", "shared.counts[0]"), ("unlock", "box.mutex")]
    + [("read-modify-write", "own"), ("read-modify-write", "own (2)")]
    + [("read-modify-write", "block 1 of names.cpp:24 +52"), ("read-modify-write", "block 1 of names.cpp:25 +52")]
    + [("lock", "inner"), ("join", "thread 1"), ("join", "thread 2")]
)


def steps_in(text):
    """(operation, object) of the numbered lines, without values."""
    found = []
    for line in text.splitlines():
        step = re.match(r"[>! ] *\d+  (?:main|thread \d)\s+names\.cpp:\d+\s+(read-modify-write|lock|unlock|join) (.*?)(?:\s\s+.*)?$", line)
        if step:
            found.append((step[1], step[2]))
    return sorted(found)


class Names(unittest.TestCase):
    def check(self, compiler, level):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "names.cpp").write_text(PROGRAM, encoding="utf-8")
            environment = {**os.environ, "CXX": compiler}
            subprocess.run([TARRY, "c++", "-std=c++20", "-g", level, "-o", "names", "names.cpp", "-pthread"], cwd=folder, env=environment, check=True)
            ran = subprocess.run([TARRY, "check", "./names", "--search", "dfs", "--no-progress"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
            self.assertEqual(steps_in(ran.stdout), STEPS, ran.stdout)
            self.assertIn("thread 3 waits for a condition variable: never", ran.stdout)

    def test_with_gcc(self):
        for level in ("-O0", "-O1", "-O2"):
            with self.subTest(level):
                self.check("g++", level)

    @unittest.skipIf(shutil.which("clang++") is None, "clang++ is not here")
    def test_with_clang(self):
        for level in ("-O0", "-O2"):
            with self.subTest(level):
                self.check("clang++", level)


if __name__ == "__main__":
    unittest.main()
