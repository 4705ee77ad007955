#!/usr/bin/env python3
"""What steps work on is named as in the source: globals, locals of other threads' frames, members, elements, memory by where it was allocated."""

import json
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


RACES = """\
#include <array>
#include <memory>
#include <thread>
#include <vector>
struct Box {
  int before = 0;
  int count = 0;
};
void raise(Box& box) { box.count++; }
void lower(Box& box) { box.count--; }
void grow(std::vector<int>& all) {
  all.push_back(1);
}
int main() {
  Box box;
  std::array<int, 3> values{};
  const std::unique_ptr<Box> block(new Box);
  std::vector<int> all(1);
  all.reserve(4);
  std::thread t([&] {
    raise(box);
    lower(*block);
    values[2] = 1;
    grow(all);
  });
  raise(box);
  lower(*block);
  values[2] = 2;
  grow(all);
  t.join();
}
"""


class Races(unittest.TestCase):
    def test_the_first_message_of_a_race_names_what_and_who(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "races.cpp").write_text(RACES, encoding="utf-8")
            for how, field in (("error", "findings"), ("report", "notes")):
                ran = subprocess.run([TARRY, "check", "races.cpp", "-O", "0", "--search", "preemption-bounded", "--jobs", "1", "--json", "--races", how], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
                told = [one["message"] if field == "findings" else one for one in json.loads(ran.stdout)[field]]
                races = [text for text in told if text.startswith("data race")]
                self.assertEqual({re.match(r"data race on (.*?): a (?:read|write) by (?:main|thread 1) at races\.cpp:\d+ and a (?:read|write) by (?:main|thread 1) at races\.cpp:\d+ are not ordered", text)[1] for text in races if "all" not in text.split(":")[0]},
                                 {"box.count", "block 1 of races.cpp:17 +4", "values[2]", "block 1 of races.cpp:19 +4"}, races)
                self.assertTrue(any(re.search(r"on all\b.* at races\.cpp:12 and .* at races\.cpp:12 ", text) for text in races), races)  # push_back: where it is called, not a header


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
            self.assertIn("thread 3 waits for a condition variable (never)", ran.stdout)  # in the message, too

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
