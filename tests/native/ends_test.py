#!/usr/bin/env python3
"""What runs when a program ends: handlers, destructors of static objects, of the program and of its libraries, in every execution as in a real exit."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TARRY = os.environ["TARRY"]

LIBRARY = """#include <stdio.h>
#include <stdlib.h>
static int touched;
static void handler(void) { puts("handler of the library"); }
void touch(void) { ++touched; atexit(handler); }
__attribute__((constructor)) static void first(void) { touched = 1; }
__attribute__((destructor)) static void last(void) { printf("library ends %d\\n", touched); }
"""

PROGRAM = """#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
extern "C" void touch();
static std::mutex mutex;
static int count;
struct Static {
  ~Static() { std::puts("static object"); }
} object;
__attribute__((destructor)) static void last() {
  std::lock_guard hold(mutex);
  std::printf("program ends %d\\n", count);
}
static void handler() { std::puts("handler"); }
int main() {
  std::atexit(handler);
  touch();
  auto add = [] { std::lock_guard hold(mutex); ++count; };
  std::thread a(add), b(add);
  a.join();
  b.join();
}
"""
ORDER = "handler of the library\nhandler\nstatic object\nprogram ends 2\nlibrary ends 2\n"

RACE = """#include <cassert>
#include <thread>
static int work;
__attribute__((destructor)) static void last() { assert(work == 0); }
int main() {
  std::thread([] { work = 1; work = 0; }).detach();
}
"""

BEHIND_HANDLERS = """#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
static std::atomic<int> over;
int main() {
  std::atexit([] { over = 1; });
  std::thread([] { assert(over == 0); }).detach();
}
"""

MANY = """#include <cstdio>
#include <cstdlib>
static int count;
static void handler() { ++count; }
static void last() { std::printf("%d\\n", count); }
int main() {
  std::atexit(last);
  for (int i = 0; i < 5000; ++i)
    if (std::atexit(handler) != 0) return 1;
}
"""

UNLOADED = """#include <dlfcn.h>
#include <cstdio>
#include <thread>
int main() {
  void* const library = dlopen("./liblast.so", RTLD_NOW);
  reinterpret_cast<void (*)()>(dlsym(library, "touch"))();
  std::thread([] {}).join();
  dlclose(library);
  std::puts("unloaded");
}
"""


class Ends(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "last.c").write_text(LIBRARY, encoding="utf-8")
        self.run_tool("cc", "-shared", "-fPIC", "-g", "last.c", "-o", "liblast.so")

    def run_tool(self, *arguments):
        done = subprocess.run([TARRY, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=100, check=False)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        return done.stdout

    def check(self, text, *link):
        (self.folder / "program.cpp").write_text(text, encoding="utf-8")
        self.run_tool("c++", "-std=c++20", "-g", "program.cpp", *link, "-o", "program", "-pthread")
        real = subprocess.run([self.folder / "program"], cwd=self.folder, capture_output=True, text=True, timeout=100, check=False)
        answer = json.loads(self.run_tool("check", "./program", "--search", "dfs", "--jobs", "1", "--json", "--outcomes"))
        return real.stdout, answer

    def test_destructors_of_program_and_library(self):
        real, answer = self.check(PROGRAM, "-L.", "-llast", "-Wl,-rpath,$ORIGIN")
        self.assertEqual(real, ORDER)
        self.assertEqual([one["output"] for one in answer["outcomes"]], [ORDER])
        self.assertGreater(answer["executions"], 1)
        self.assertEqual(answer["verdict"], "verified")

    def test_threads_that_still_run(self):
        answer = self.check(RACE)[1]
        self.assertIn("assertion", [finding["kind"] for finding in answer["findings"]])

    def test_threads_that_run_behind_the_last_handler(self):
        answer = self.check(BEHIND_HANDLERS)[1]
        self.assertEqual([finding["kind"] for finding in answer["findings"]], ["assertion"])

    def test_more_handlers_than_fit_at_first(self):
        real, answer = self.check(MANY)
        self.assertEqual((real, [one["output"] for one in answer["outcomes"]]), ("5000\n", ["5000\n"]))

    def test_library_that_is_unloaded(self):
        real, answer = self.check(UNLOADED)
        self.assertEqual(real, "library ends 2\nhandler of the library\nunloaded\n")
        self.assertEqual([one["output"] for one in answer["outcomes"]], [real])


if __name__ == "__main__":
    sys.exit(unittest.main())
