"""What the tests of the command line share: a folder of their own, runs of the tool, and tiny models."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

TARRY = os.environ["TARRY"]
MODELS = pathlib.Path(os.environ["SOURCE_DIR"], "examples", "models")
PHILOSOPHERS = str(MODELS / "philosophers.cpp")
if "BUILD_DIR" in os.environ:  # compiled models are kept from run to run, but not among the user's own
    os.environ["XDG_CACHE_HOME"] = os.path.join(os.environ["BUILD_DIR"], "test-cache")

# A sanitizer has memory of its own, several times what the program has.
SANITIZED = os.path.basename(os.environ.get("BUILD_DIR", "")) in ("asan", "tsan")

# Two processes of three steps each; in one state out of many, HOW decides what the second one does. It is given by -D, or by the environment
# (broken_by), so that one compilation does for many runs.
BROKEN = r"""
#include <tarry/model.h>
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>
enum { kFine, kSegv, kAbort, kOverflow, kExit, kExitNow, kQuickExit, kThrow, kEndless, kAssert, kDivide, kKilled, kSleeps, kPrints,
       kTerminate, kExpect, kLoadCrash = 20, kLoadExit, kStartAbort = 30, kStartThrow, kNames = 40, kForgets = 50, kTwoFaced };
#ifndef HOW
static const int HOW = atoi(getenv("HOW"));
#endif
static int recurse(volatile int* x) { volatile int a[64]; a[0] = *x; int r = recurse(a); return r + a[0]; }
static int calls = 0;
struct Loaded { Loaded() { if (HOW == kLoadCrash) raise(SIGSEGV); if (HOW == kLoadExit) exit(3); } } loaded;
struct Broken {
  struct State { tarry::Upto<3> pc[2]; TARRY_FIELDS(pc) };
  static constexpr int processes = 2;
  State initial() {
    if (HOW == kStartAbort) abort();
    if (HOW == kStartThrow) throw std::runtime_error("no start");
    return {};
  }
  void step(State& s, int p, tarry::Run& run) {
    if (s.pc[p] == 3) return run.ended();
    if (HOW == kForgets && p == 1 && ++calls == 9) abort();
    if (HOW == kTwoFaced && p == 1) s.pc[0] = ++calls % 3;
    int value = 0;
    if (p == 1 && s.pc[1] == 1) value = run.choose(3);
    s.pc[p]++;
    run.label("step {} value {}", s.pc[p], value);
    if (p == 1 && s.pc[0] == 2 && s.pc[1] == 2 && value == 1) break_down(s, run);
  }
  void break_down(State& s, tarry::Run& run) {
    volatile int zero = 0;
    switch (HOW) {
      case kSegv: *(volatile int*)0 = 1; break;
      case kAbort: abort();
      case kOverflow: recurse(&zero); break;
      case kExit: exit(5);
      case kExitNow: _exit(6);
      case kQuickExit: quick_exit(7);
      case kThrow: throw std::runtime_error("oh no");
      case kEndless: for (volatile int i = 0;; i = i + 1) {}
      case kAssert: assert(s.pc[0] == 1); break;
      case kDivide: zero = 17 / zero; break;
      case kKilled: raise(SIGKILL); break;
      case kSleeps: pause(); break;
      case kPrints: printf("hello from the model\n"); break;
      case kTerminate: std::terminate();
      case kExpect: run.expect(false, "never {}", 7); break;
    }
  }
  std::string process_name(int p) { if (HOW == kNames) abort(); return p == 0 ? "alice" : "bob"; }
};
TARRY_MODEL(Broken)
"""


def broken_by(how):
    """The environment that has BROKEN, compiled without HOW, do this."""
    number = -1
    for name, equals in re.findall(r"\b(k[A-Z]\w*)(?: = (\d+))?", re.search(r"enum \{(.*?)\}", BROKEN, re.DOTALL)[1]):
        number = int(equals) if equals else number + 1
        if name == how:
            return {"HOW": str(number)}
    raise KeyError(how)


class Run:
    """One finished run of the tool."""

    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.args = done.args

    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"{self.args}\nexit code {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def search_of(process):
    """Waits until the tool has compiled the model and searches it; the process id of the search."""
    before = None
    for _ in range(300):
        time.sleep(0.3)
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            children = file.read().split()
        try:
            ours = [c for c in children if os.path.basename(os.readlink(f"/proc/{c}/exe")) == os.path.basename(TARRY)]
        except FileNotFoundError:
            continue  # a compiler that has just ended
        if ours and ours == before:  # and not a compiler that is just being started
            return int(ours[0])
        before = ours
    raise AssertionError("the search did not start")


# A thread program whose assertion fails in some schedules: two threads add to what they have read before.
LOST_UPDATE = r"""
#include <cassert>
#include <mutex>
#include <thread>
static std::mutex mutex;
static int total;
static void add() {
  int copy;
  { std::lock_guard lock(mutex); copy = total; }
  { std::lock_guard lock(mutex); total = copy + 1; }
}
int main() {
  std::thread other(add);
  add();
  other.join();
  assert(total == 2);
}
"""


# The tests of a script have this folder one after the other. So a model that several of them write, by one name and with one text, is compiled once.
FOLDER = tempfile.TemporaryDirectory()


class CliTest(unittest.TestCase):
    """Runs in a folder that is empty before and afterwards."""

    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(FOLDER.name)
        self.addCleanup(self.empty)

    def empty(self):
        self.folder.chmod(0o700)  # whatever a test has made of it
        for path in self.folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                for folder, _, _ in os.walk(path):
                    os.chmod(folder, 0o700)
                shutil.rmtree(path)
            else:
                path.unlink()

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def tarry(self, *args, expect=None, env=None, cwd=None):
        done = subprocess.run([TARRY, *map(str, args)], cwd=cwd or self.folder, capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})}, check=False)
        run = Run(done)
        if expect is not None:
            self.assertEqual(run.code, expect, str(run))
        return run

    def check_json(self, *args, expect, env=None):
        return self.tarry("check", *args, "--json", expect=expect, env=env).json()

    def refused(self, *args, says):
        """Exit code 2, nothing on standard output, and one error that has these words in it."""
        run = self.tarry(*args, expect=2)
        self.assertEqual(run.out, "", str(run))
        self.assertIn("error: ", run.err, str(run))
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, run.err, str(run))
        return run
