#!/usr/bin/env python3
"""Programs of many files, through the builds that they have: make with CC="tarry cc" CXX="tarry c++", and CMake with tarry-cc and tarry-c++.

Each is built in a copy of its folder, gives the output that a plain compiler's program gives (make check), and gives it under control,
whatever the schedule.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TARRY = os.environ["TARRY"]
PROGRAMS = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "native_programs"

LISTS = """
cmake_minimum_required(VERSION 3.20)
project(both C CXX)
set(CMAKE_CXX_STANDARD 20)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
add_library(account SHARED account.cpp)
add_executable(account_test account_test.cpp)
target_link_libraries(account_test PRIVATE account Threads::Threads)
file(GLOB sources jobgraph/*.c)
list(FILTER sources EXCLUDE REGEX "/main\\\\.c$")
add_library(graph STATIC ${sources})
target_compile_definitions(graph PUBLIC _POSIX_C_SOURCE=200809L)
add_executable(jobgraph jobgraph/main.c)
target_link_libraries(jobgraph PRIVATE graph Threads::Threads)
"""
ACCOUNT = {
    "account.h": "#include <mutex>\nclass Account {\n public:\n  int read();\n  void write(int value);\n\n private:\n  std::mutex mutex_;\n  int balance_ = 0;\n};\n",
    "account.cpp": """#include "account.h"
int Account::read() { std::lock_guard lock(mutex_); return balance_; }
void Account::write(int value) { std::lock_guard lock(mutex_); balance_ = value; }
""",
    "account_test.cpp": """#include "account.h"
#include <cstdlib>
#include <thread>
int main() {
  Account account;
  std::thread a([&] { account.write(account.read() + 1); }), b([&] { account.write(account.read() + 2); });
  a.join();
  b.join();
  if (account.read() != 3) std::abort();
}
""",
}


def run(folder, *command):
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True, timeout=280, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def check(folder, program, *options, arguments=()):
    command = [TARRY, "check", program, "--json", *options, "--", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=200, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise AssertionError(f"exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}") from None


class Programs(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def built(self, name):
        folder = self.folder / name
        shutil.copytree(PROGRAMS / name, folder)
        run(folder, "make", "-j2", f"CC={TARRY} cc", f"CXX={TARRY} c++", "check")
        return folder

    def same_on_every_schedule(self, program, expected, arguments, *options):
        """Whoever goes first, it ends with 0, writes this, and has no race."""
        answer = check(program.parent, program, "--search", "random-walk", "--expect-exit", "0", "--outcomes", *options, arguments=arguments)
        self.assertEqual(answer["findings"], [])
        self.assertEqual(answer["verdict"], "no-bug-found")
        self.assertEqual([one["output"] for one in answer["outcomes"]], [expected.read_text(encoding="utf-8")])
        self.assertEqual([note for note in answer["notes"] if "instrumented" in note], [])
        return answer

    def makefile(self, name, *tiny):
        folder = self.built(name)
        answer = self.same_on_every_schedule(folder / name, folder / "expected_tiny.txt", tiny, "-s", "20")
        self.assertEqual(answer["executions"], 20)
        self.assertGreater(answer["depth"], 50)  # it is under control
        self.same_on_every_schedule(folder / name, folder / "expected.txt", (), "-s", "4", "--jobs", "1")  # two workers may learn points in all of them
        return folder

    def test_jobgraph(self):
        self.makefile("jobgraph", "2", "2")

    def test_kvstore(self):
        folder = self.makefile("kvstore", "1", "1")
        self.same_on_every_schedule(folder / "kvstore", folder / "expected_tiny.txt", ("1", "1", "pipe"), "-s", "20")

    def test_pipeline(self):
        self.makefile("pipeline", "1", "2")

    @unittest.skipUnless(shutil.which("cmake"), "no cmake")
    def test_cmake(self):
        beside = pathlib.Path(TARRY).parent
        source, build = self.folder / "source", self.folder / "build"
        shutil.copytree(PROGRAMS / "jobgraph", source / "jobgraph")
        (source / "CMakeLists.txt").write_text(LISTS, encoding="utf-8")
        for name, text in ACCOUNT.items():
            (source / name).write_text(text, encoding="utf-8")
        compilers = [f"-DCMAKE_C_COMPILER={beside / 'tarry-cc'}", f"-DCMAKE_CXX_COMPILER={beside / 'tarry-c++'}"]
        run(self.folder, "cmake", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=RelWithDebInfo", *compilers)
        run(self.folder, "cmake", "--build", build, "-j2")
        self.same_on_every_schedule(build / "jobgraph", source / "jobgraph" / "expected_tiny.txt", ("2", "2"), "-s", "20")
        # What the library does is seen, too: lines of it are in the trace.
        answer = check(build, build / "account_test")
        self.assertEqual([finding["kind"] for finding in answer["findings"]], ["crash"])
        self.assertIn("account.cpp", run_replay(build, answer["findings"][0]["trace"]))


def run_replay(folder, trace):
    return subprocess.run([TARRY, "replay", trace, "-v"], cwd=folder, capture_output=True, text=True, timeout=60, check=False).stdout


if __name__ == "__main__":
    sys.exit(unittest.main())
