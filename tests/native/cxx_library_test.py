#!/usr/bin/env python3
"""What functions of the C++ library, and of libatomic, access for the program is seen, or the verdict names the function. With both compilers, with and without optimization."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from ways import ALL, IN_TURN  # noqa: E402

TARRY = os.environ["TARRY"]

# One thread writes, another one looks, by a function that is not instrumented. With "locked" both hold a mutex.
SOURCE = """
#include <atomic>
#include <charconv>
#include <exception>
#include <filesystem>
#include <functional>
#include <locale>
#include <memory_resource>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>

struct Base { virtual ~Base() = default; };
struct Derived : Base {};
struct Other { virtual ~Other() = default; };
struct Both : Derived, Other {};
alignas(Both) unsigned char room[sizeof(Both)];
Base* object = new (room) Both;
char text[32] = "abcdefgh 12345678";
char number[32] = "1.25";
std::unordered_set<std::string> words = {"a word that is long enough for the heap"};
std::string* word = const_cast<std::string*>(&*words.begin());
std::pmr::unsynchronized_pool_resource pool;
std::pmr::memory_resource* const by_pointer = &pool;
std::locale place;
std::thread worker;
std::filesystem::path path = "/usr/lib";
std::runtime_error error("one");
struct Large { long a[3]; };
std::atomic<Large> large;
Large operand{};
std::atomic<int> small{1};
int expected;
std::mutex mutex;
std::size_t sink;
void* volatile block;

void write(const std::string& how) {
  if (how == "cast" || how == "cross cast") object = new (room) Both;
  else if (how == "hash") text[3] = 'z';
  else if (how == "set") (*word)[0] = 'b';
  else if (how == "pool" || how == "pool by pointer") block = by_pointer->allocate(16);
  else if (how == "locale") place = std::locale::classic();
  else if (how == "join") { worker = std::thread([] {}); worker.join(); }
  else if (how == "error") error = std::runtime_error("two");
  else if (how == "expected, read" || how == "expected, written") expected = 3;
  else if (how.rfind("large", 0) == 0) operand.a[2] = 4;
  else if (how == "from_chars" || how == "to_chars") number[2] = '7';
  else if (how == "path" || how == "file") path = "/usr/bin";
  else if (how == "changed path") path /= "include";
}

void look(const std::string& how) {
  if (how == "cast") sink = dynamic_cast<Derived*>(object) != nullptr && dynamic_cast<Both*>(object) != nullptr;
  else if (how == "cross cast") sink = dynamic_cast<Other*>(object) != nullptr;
  else if (how == "hash") sink = std::hash<std::string_view>()(std::string_view(text, 16));
  else if (how == "set") sink = words.count("a word that is long enough for the heap");
  else if (how == "pool") block = pool.allocate(16);
  else if (how == "pool by pointer") block = by_pointer->allocate(16);
  else if (how == "locale") { const std::locale other = place; sink = sizeof(other); }
  else if (how == "join") sink = worker.joinable();
  else if (how == "error") sink = error.what()[0];
  else if (how == "expected, read") { expected = 1; small.compare_exchange_strong(expected, 2); }
  else if (how == "expected, written") small.compare_exchange_strong(expected, 2);
  else if (how == "large, stored") large.store(operand);
  else if (how == "large, loaded") operand = large.load();
  else if (how == "large, exchanged") operand = large.exchange(operand);
  else if (how == "large, compared") large.compare_exchange_strong(operand, Large{});
  else if (how == "from_chars") { double value; std::from_chars(number, number + 4, value); sink = static_cast<std::size_t>(value); }
  else if (how == "to_chars") std::to_chars(number, number + 32, 3.5);
  else if (how == "path") sink = path.has_filename();
  else if (how == "changed path") sink = path.parent_path().native().size();
  else if (how == "file") { std::error_code problem; sink = std::filesystem::exists(path, problem); }
}

// What belongs to one thread, or is handed over in order, is no matter of others.
void keep_to_itself() {
  const std::filesystem::path own = "/usr/lib/x";
  std::string name = own.filename().string();
  char digits[32];
  std::to_chars(digits, digits + 32, 1.5);
  double value;
  std::from_chars(digits, digits + 3, value);
  try {
    throw std::out_of_range(name);
  } catch (const std::exception& problem) {
    name += problem.what();
  }
  std::unordered_set<std::string> some = {name, "b", "c"};
  sink = some.count(name) + std::hash<std::string>()(name);
  std::pmr::monotonic_buffer_resource buffer(digits, sizeof(digits));
  block = buffer.allocate(8);
}

int main(int, char** argv) {
  const std::string how = argv[1];
  if (how == "own") {
    std::thread a([] { const std::lock_guard<std::mutex> held(mutex); keep_to_itself(); }), b([] { const std::lock_guard<std::mutex> held(mutex); keep_to_itself(); });
    a.join(), b.join();
    path = "/usr/bin";  // nothing else runs any more
    return 0;
  }
  const bool locked = argv[2] != nullptr;
  const auto guarded = [&](void (*act)(const std::string&)) {
    std::unique_lock<std::mutex> held(mutex, std::defer_lock);
    if (locked) held.lock();
    act(how);
  };
  std::thread a([&] { guarded(write); }), b([&] { guarded(look); });
  a.join(), b.join();
}
"""
SEEN = ("cast", "cross cast", "hash", "set", "pool", "pool by pointer", "locale", "join", "error", "expected, read", "expected, written", "large, stored", "large, loaded", "large, exchanged",
        "large, compared", "to_chars", "path", "changed path")
NAMED = {"from_chars": "std::from_chars", "file": "std::filesystem::status"}

# glibc unlocks a spin lock by a plain store, so another thread may find it locked although the thread that unlocked it has read on.
SPIN = """
#include <pthread.h>
static pthread_spinlock_t lock;
static void* try_it(void* unused) { if (pthread_spin_trylock(&lock) == 0) pthread_spin_unlock(&lock); return unused; }
int main(int count, char** unused) {
  (void)unused;
  pthread_spin_init(&lock, 0);
  pthread_t other;
  if (count > 1) pthread_spin_lock(&lock);
  pthread_create(&other, 0, try_it, 0);
  if (count > 1) pthread_spin_unlock(&lock);
  pthread_join(other, 0);
}
"""

NUMBERS = """
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char out[32];
  struct in6_addr six;
  assert(strfromd(out, sizeof(out), "%.1f", 2.5) == 3 && strcmp(out, "2.5") == 0);
  assert(strfromf(out, 16, "%.1f", 1.5f) == 3 && strfroml(out, 16, "%.1f", 1.5L) == 3);
  assert(inet_pton(AF_INET6, "::1", &six) == 1);
}
"""


class CxxLibrary(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, *arguments):
        done = subprocess.run([TARRY, "check", *arguments[:1], "--json", "--jobs", "1", *arguments[1:]], cwd=self.folder, capture_output=True, text=True, timeout=100, check=False)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        return json.loads(done.stdout)

    def assertPlainlyVerified(self, answer):
        self.assertEqual((answer["verdict"], answer.get("assumes", [])), ("verified", []), answer)

    def test_accesses_are_seen_or_named(self):
        (self.folder / "library.cpp").write_text(SOURCE, encoding="utf-8")
        ways = [way for way in IN_TURN if subprocess.run(["which", way[0]], capture_output=True, check=False).returncode == 0]
        for turn, (compiler, level) in enumerate(ways):
            program = f"./library{turn}"
            subprocess.run([TARRY, "c++", "-std=c++20", level, "-g", "library.cpp", "-o", program, "-pthread", "-latomic"], cwd=self.folder, env={**os.environ, "CXX": compiler}, check=True, timeout=100)
            for number, how in enumerate(SEEN):
                if not ALL and number % 4 == turn % 4:
                    continue
                with self.subTest(compiler=compiler, level=level, how=how):
                    self.assertIn("data-race", {finding["kind"] for finding in self.check(program, "--", how)["findings"]})
                    if number % 2 == turn % 2 and how != "to_chars":  # which is seen in part: the twin names it
                        self.assertPlainlyVerified(self.check(program, "--", how, "locked"))
            for how, name in NAMED.items():
                with self.subTest(compiler=compiler, level=level, how=how):
                    answer = self.check(program, "--", how)
                    self.assertEqual((answer["verdict"], answer.get("assumes", [])), ("verified", ["what Tarry controls (see the notes)"]), answer)
                    self.assertTrue(any("not seen" in note and name in note for note in answer["notes"]), answer["notes"])
            with self.subTest(compiler=compiler, level=level, how="own"):
                self.assertPlainlyVerified(self.check(program, "--", "own"))

    def test_a_spin_lock_that_is_found_locked(self):
        (self.folder / "spin.c").write_text(SPIN, encoding="utf-8")
        self.assertEqual(self.check("spin.c", "--", "locked").get("under"), "sequential consistency")
        self.assertIsNone(self.check("spin.c").get("under"))

    def test_functions_with_a_size_as_second_argument(self):
        (self.folder / "numbers.c").write_text(NUMBERS, encoding="utf-8")
        self.assertPlainlyVerified(self.check("numbers.c"))


if __name__ == "__main__":
    unittest.main()
