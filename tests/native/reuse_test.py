#!/usr/bin/env python3
"""Memory that was freed may be the next that is allocated: ABA is found where another thread has the address, and use after free still is. Programs
in which nobody has such an address need no execution more."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from ways import ways  # noqa: E402

TARRY = os.environ["TARRY"]

# Compare-exchange succeeds though the list was another in between, and brings back what was popped.
LIST = """
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <thread>
struct Node { int value; };
#if TAGGED
std::atomic<std::uint64_t> head;  // 48 bits of address, 16 of tag
std::uint64_t packed(Node* node, std::uint64_t tag) { return reinterpret_cast<std::uint64_t>(node) | tag << 48; }
Node* node_of(std::uint64_t word) { return reinterpret_cast<Node*>(word << 16 >> 16); }
#else
std::atomic<std::uint64_t> head;
std::uint64_t packed(Node* node, std::uint64_t) { return reinterpret_cast<std::uint64_t>(node); }
Node* node_of(std::uint64_t word) { return reinterpret_cast<Node*>(word); }
#endif
int main() {
  Node* const first = static_cast<Node*>(std::malloc(sizeof(Node)));
  head = packed(first, 0);
  bool changed = false;
  std::thread other([&] {                                    // takes the node, frees it, puts another
    std::uint64_t word = head.load();
    if (word != 0 && head.compare_exchange_strong(word, 0)) {
      std::free(node_of(word));
      changed = true;
      head.store(packed(static_cast<Node*>(std::malloc(sizeof(Node))), 1));
    }
  });
  std::uint64_t word = head.load();
  const bool mine = word != 0 && head.compare_exchange_strong(word, 0);   // and this one thinks that nothing happened
  other.join();
  if (mine && word == packed(first, 0)) assert(!changed);
}
"""

# Whose compare-exchange fails has the address, too.
FAILED = LIST.replace("  std::uint64_t word = head.load();\n  const bool mine", "  std::uint64_t word = 1;\n  head.compare_exchange_strong(word, 1);\n  const bool mine")

# The block is freed after the other one has looked, and before it allocates: nothing is in between in its code.
EARLY = """
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <thread>
std::atomic<std::uint64_t> head;
std::uint64_t fresh(std::uint64_t tag) { return reinterpret_cast<std::uint64_t>(std::malloc(24)) | tag << 48; }
int main() {
  head = fresh(0);
  std::thread other([] {
    head.load();
    head.store(fresh(TAGGED));
  });
  std::uint64_t word = head.load();
  const std::uint64_t taken = head.exchange(0);
  std::free(reinterpret_cast<void*>(taken << 16 >> 16));
  std::uint64_t expected = word;
  const bool again = head.compare_exchange_strong(expected, 0);
  other.join();
  assert(taken != word || !again);
}
"""

USE = """
#include <atomic>
#include <thread>
struct Node { int value; };
std::atomic<Node*> head;
int main() {
  head = new Node{1};
  std::thread other([] { Node* const seen = head.load(); if (seen != nullptr) seen->value = 2; });
  Node* const mine = head.exchange(nullptr);
  delete mine;
  Node* const next = new Node{3};
  other.join();
  return next->value == 0;
}
"""

# Four are freed and allocated again: more than two.
MANY = """
#include <atomic>
#include <thread>
std::atomic<int*> place;
int main() {
  place = new int(0);
  std::thread other([] { for (int i = 0; i < 4; i++) place.load(); });
  for (int i = 0; i < 4; i++) {
    int* const old = place.exchange(nullptr);
    delete old;
    place = new int(i);
  }
  other.join();
}
"""

# Blocks come and go, and only their owner has the address.
NONE = """
#include <mutex>
#include <thread>
#include <vector>
int main() {
  std::mutex lock;
  std::vector<int> all;
  const auto run = [&] { for (int i = 0; i < 2; i++) { std::lock_guard hold(lock); all.push_back(i); all.shrink_to_fit(); } };
  std::thread a(run), b(run);
  a.join();
  b.join();
}
"""


# Main has loaded the addresses of all blocks from atomics. A real allocator may use any of them again, the first that was freed, too.
BLOCKS = """
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
std::atomic<void*> blocks[9];
int main(int, char** argv) {
  const int count = std::atoi(argv[1]);
  for (int i = 0; i < count; ++i) blocks[i] = std::malloc(16);
  for (int i = 0; i < count; ++i)
    if (blocks[i] == nullptr) return 1;
  std::thread other([&] {
    void* const first = blocks[0];
    for (int i = 0; i < count; ++i) std::free(blocks[i]);
    void* const again = std::malloc(argv[2][0] == 'o' ? 200 : 16);
    if (argv[2][0] == 'c') assert(again != first);
    std::free(again);
  });
  other.join();
}
"""


class Reuse(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def build(self, text, compiler, option):
        (self.folder / "program.cpp").write_text(text, encoding="utf-8")
        subprocess.run([TARRY, "c++", "-std=c++20", option, "-g", "program.cpp", "-o", "program"], cwd=self.folder, env={**os.environ, "CXX": compiler}, check=True, capture_output=True)

    def check(self, *options):
        ran = subprocess.run([TARRY, "check", "./program", "--json", *options], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        return json.loads(ran.stdout)

    def kinds(self, *options):
        answer = self.check(*options)
        return answer["verdict"], {finding["kind"] for finding in answer["findings"]}

    def test_aba_is_found_and_tags_help(self):
        for compiler, option in ways(1):
            self.build(LIST.replace("TAGGED", "0"), compiler, option)
            self.assertEqual(self.kinds(), ("bug", {"assertion"}), (compiler, option))
            self.assertEqual(self.kinds("--reuses", "0"), ("verified", set()), (compiler, option))
            self.build(LIST.replace("TAGGED", "1"), compiler, option)
            self.assertEqual(self.kinds(), ("verified", set()), (compiler, option))

    def test_other_ways_to_it(self):
        """By a compare-exchange that failed; by an allocation that another thread comes ahead of."""
        for turn, text in enumerate((FAILED, EARLY)):
            for compiler, option in ways(turn):
                self.build(text.replace("TAGGED", "0"), compiler, option)
                self.assertEqual(self.kinds(), ("bug", {"assertion"}), (text, compiler, option))
                self.assertEqual(self.kinds("--reuses", "0"), ("verified", set()), (text, compiler, option))
                self.build(text.replace("TAGGED", "1"), compiler, option)
                self.assertEqual(self.kinds(), ("verified", set()), (text, compiler, option))

    def test_with_every_search_and_job(self):
        self.build(LIST.replace("TAGGED", "0"), "g++", "-O2")
        for options in (["--jobs", "1"], ["--jobs", "2"], ["--search", "dfs"], ["--search", "dfs", "--jobs", "2"]):
            self.assertEqual(self.kinds(*options), ("bug", {"assertion"}), options)
        self.build(LIST.replace("TAGGED", "1"), "g++", "-O2")
        self.assertEqual({self.check("--search", "dfs", "--jobs", jobs)["verdict"] for jobs in ("1", "2")}, {"verified"})

    def test_it_replays(self):
        self.build(LIST.replace("TAGGED", "0"), "g++", "-O2")
        trace = self.check()["findings"][0]["trace"]
        ran = subprocess.run([TARRY, "replay", trace], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        self.assertIn("!changed", ran.stdout)

    def test_use_after_free_is_found(self):
        for compiler, option in ways(0):
            self.build(USE, compiler, option)
            found = self.check("--search", "dfs")
            self.assertEqual({finding["kind"] for finding in found["findings"]}, {"memory"}, (compiler, option))

    def test_the_limit_is_told(self):
        self.build(MANY, "g++", "-O2")
        answer = self.check("--search", "dfs")
        self.assertEqual(answer["verdict"], "verified")
        self.assertTrue(any("--reuses N" in note for note in answer["notes"]), answer["notes"])
        self.assertFalse(any("--reuses N" in note for note in self.check("--search", "dfs", "--reuses", "9")["notes"]))

    def test_more_blocks_than_are_offered_are_told(self):
        self.build(BLOCKS, "g++", "-O2")
        told = lambda answer: any("more freed blocks again than Tarry offers" in note for note in answer["notes"])  # noqa: E731
        answer = self.check("--", "3", "compares")
        self.assertEqual(({finding["kind"] for finding in answer["findings"]}, told(answer)), ({"assertion"}, False), answer)
        for count in ("4", "9"):
            answer = self.check("--", count, "uses")
            self.assertEqual((answer["verdict"], told(answer)), ("verified", True), answer)
            self.assertIn("what Tarry controls (see the notes)", answer["assumes"])
            self.assertFalse(told(self.check("--", count, "other size")), count)
        self.assertFalse(told(self.check("--", "3", "uses")))

    def test_programs_without_it_have_no_choice(self):
        self.build(NONE, "g++", "-O2")
        counts = {self.check("--search", "dfs", "--jobs", "1", "--reuses", reuses)["executions"] for reuses in ("0", "2", "9")}
        self.assertEqual(len(counts), 1, counts)


if __name__ == "__main__":
    unittest.main()
