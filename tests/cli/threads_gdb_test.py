#!/usr/bin/env python3
"""tarry replay --gdb stops where it failed, in the thread that did, for every kind of finding."""

import os
import shutil
import subprocess
import unittest

from common import LOST_UPDATE, TARRY, CliTest

# Kind, options of the check, the program, and what gdb shows at once: the function, and the text of the line that it is in.
FAILURES = {
    "assertion": ([], LOST_UPDATE, "main ()", "assert(total == 2)"),
    "data-race": ([], """#include <thread>
static int shared;
static void writer() {
  shared = 1;  // the one that comes second
}
int main() {
  std::thread t(writer);
  int copy = shared;  // or this one
  t.join();
  return copy < 0;
}
""", None, None),
    "crash": ([], """#include <atomic>
#include <thread>
std::atomic<int*> where{nullptr};
void reader() {
  *where.load() = 1;  // here
}
int main() { int n = 0; std::thread t(reader); where = &n; t.join(); }
""", "reader ()", "*where.load() = 1"),
    "exception": ([], """#include <stdexcept>
#include <thread>
void thrower() {
  throw std::runtime_error("no");  // here
}
int main() { std::thread t(thrower); t.join(); }
""", "thrower ()", "throw std::runtime_error"),
    "deadlock": ([], """#include <mutex>
#include <thread>
std::mutex a, b;
void other() {
  std::lock_guard one(b);
  std::lock_guard two(a);  // waits
}
int main() {
  std::thread t(other);
  a.lock();
  b.lock();  // waits
  b.unlock(), a.unlock(), t.join();
}
""", None, "waits"),
    "livelock": (["--max-depth", "300"], """#include <atomic>
#include <sched.h>
#include <thread>
std::atomic<int> flag;
void waiter() {
  while (flag == 0)
    sched_yield();
}
int main() { std::thread t(waiter); t.join(); }
""", "waiter ()", None),
    "good-samaritan": (["--samaritan", "error"], """#include <atomic>
#include <thread>
std::atomic<int> flag;
void waiter() {
  while (flag == 0) {  // spins
  }
}
int main() { std::thread t(waiter); flag = 1; t.join(); }
""", "waiter ()", "spins"),
    "memory": ([], """#include <atomic>
#include <thread>
std::atomic<bool> done{false};
int main() {
  int* block = new int(0);
  std::thread t([&] {
    while (!done) std::this_thread::yield();
    *block = 1;  // too late
  });
  delete block;
  done = true;
  t.join();
}
""", "operator() (", "too late"),
    "misuse": ([], """#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void* other(void* unused) {
  pthread_mutex_unlock(&mutex);  // not its own
  return unused;
}
int main() {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, nullptr, other, nullptr);
  pthread_join(t, nullptr);
}
""", "other (", "not its own"),
    "nontermination": (["--step-timeout", "2s"], """#include <thread>
volatile int n;
void stuck() {
  int local = 1;
  volatile int* at = &local;
  while (*at) {  // for ever
  }
}
int main() { std::thread t(stuck); t.join(); }
""", "stuck ()", "for ever"),
}
GOOGLE_TEST = """#include <atomic>
#include <gtest/gtest.h>
#include <thread>
TEST(Sum, Wrong) {
  std::atomic<int> n{0};
  auto add = [&] { n = n + 1; };
  std::thread t(add);
  add();
  t.join();
  EXPECT_EQ(n, 2);
}
"""


@unittest.skipUnless(shutil.which("gdb"), "needs gdb")
class Gdb(CliTest):
    def debug(self, trace, *commands):
        text = "".join(command + "\n" for command in (*commands, "kill", "quit"))
        done = subprocess.run([TARRY, "replay", trace, "--gdb"], cwd=self.folder, input=text, capture_output=True, text=True, timeout=120, check=False)
        self.assertIn("SIGTRAP", done.stdout, done.stdout + done.stderr)
        return done.stdout

    def failing(self, kind, name="bug.cpp"):
        options, source, function, line = FAILURES[kind]
        self.write(name, source)
        told = self.check_json(name, *options, expect=1)
        trace = next(finding["trace"] for finding in told["findings"] if finding["kind"] == kind)
        return trace, function, line

    def test_every_kind_stops_where_it_failed(self):
        for kind in FAILURES:
            with self.subTest(kind):
                trace, function, line = self.failing(kind, f"{kind.replace('-', '_')}.cpp")
                shown = self.debug(trace, "echo where\\n", "bt 1", "tarry threads")
                here = shown[:shown.index("where\n")].rsplit("SIGTRAP", 1)[1]  # what is shown without being asked for
                if function:
                    self.assertIn(function, here, shown)
                if line:
                    self.assertIn(line, here, shown)
                self.assertNotIn("libtarry_rt", shown[shown.index("where\n"):])

    def test_a_race_stops_at_the_second_access_in_its_thread(self):
        self.write("race.cpp", FAILURES["data-race"][1])
        for finding in self.check_json("race.cpp", expect=1)["findings"]:
            self.assertRegex(finding["message"], r"data race on shared: a (read|write) by (main|thread 1) at race\.cpp:\d+ and a (read|write) by (main|thread 1) at race\.cpp:\d+")
            later = finding["message"].split(" at race.cpp:")[0].rsplit(" by ")[-1]
            shown = self.debug(finding["trace"], "echo where\\n", "tarry threads")
            here, threads = shown[shown.rindex("SIGTRAP"):].split("where\n")
            self.assertIn("writer ()" if later == "thread 1" else "main ()", here)
            self.assertIn("comes second" if later == "thread 1" else "or this one", here)
            self.assertIn(("thread 1" if later == "thread 1" else "thread 0 (main)") + ": running", threads)

    def test_threads_of_a_deadlock(self):
        trace, _, _ = self.failing("deadlock")
        shown = self.debug(trace, "tarry threads", "tarry thread 0", "echo again\\n", "tarry failure")
        self.assertRegex(shown, r"other.*bug\.cpp:6")
        self.assertRegex(shown, r"main.*bug\.cpp:11")
        self.assertIn("waits", shown[shown.index("again\n"):])

    @unittest.skipUnless(os.path.exists("/usr/include/gtest/gtest.h"), "needs GoogleTest")
    def test_google_test_stops_at_the_expectation(self):
        self.write("suite.cpp", GOOGLE_TEST)
        told = self.check_json("suite.cpp", "-lgtest", "-lgtest_main", expect=1)
        shown = self.debug(told["findings"][0]["trace"], "tarry threads")
        self.assertIn("EXPECT_EQ(n, 2);", shown)
        self.assertIn("thread 0 (main): running", shown)


if __name__ == "__main__":
    unittest.main()
