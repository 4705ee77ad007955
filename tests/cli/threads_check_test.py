#!/usr/bin/env python3
"""tarry check and tarry replay on programs with threads: verdicts, traces, options, everything that can be wrong."""

import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from common import LOST_UPDATE, MODELS, TARRY, CliTest  # noqa: E402
from processes import wait_for_workers  # noqa: E402

CORRECT = LOST_UPDATE.replace("{ std::lock_guard lock(mutex); copy = total; }\n  { std::lock_guard lock(mutex); total = copy + 1; }",
                              "std::lock_guard lock(mutex); copy = total; total = copy + 1;")
DEADLOCK = r"""
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void* other(void* unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&a);
  printf("main has a\n");
  fflush(stdout);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return pthread_join(thread, NULL);
}
"""
RACE = r"""
#include <thread>
static int shared_value;
static void writer() { shared_value = 1; }
int main() { std::thread t(writer); int copy = shared_value; t.join(); return copy < 0; }
"""
ARGUMENTS = r"""
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int n, char** words) {
  char text[16] = "";
  if (fgets(text, sizeof text, stdin) == NULL) text[0] = 0;
  assert(n == 3 && strcmp(words[1], "-x") == 0 && strcmp(words[2], "two words") == 0);
  assert(strcmp(text, INPUT) == 0);
  assert(getenv("TARRY_SESSION") == NULL);
  return 3;
}
"""
ENDLESS = "int main() { for (volatile int i = 0;; i = i + 1) {} }\n"


class ThreadsTest(CliTest):
    def check(self, *args, expect, **more):
        return self.tarry("check", "--no-progress", *args, expect=expect, **more)


class Verdicts(ThreadsTest):
    def test_a_lost_update_is_found_shown_and_replayed(self):
        self.write("lost.cpp", LOST_UPDATE)
        run = self.check("lost.cpp", expect=1)
        self.assertRegex(run.out, r"^tarry: found assertion after \d+ steps")
        self.assertIn("assertion: assertion 'total == 2' failed (lost.cpp:16)", run.out)
        self.assertRegex(run.out, r"thread 1 +lost\.cpp:\d+ +lock mutex")
        trace = "tarry-out/lost-assertion-1.tarry"
        for _ in range(2):
            again = self.tarry("replay", trace, expect=1)
            self.assertRegex(again.out, r"tarry: reproduced assertion after \d+ steps")
        steps = self.tarry("replay", trace, "--json", expect=1).json()["schedule"]
        self.assertTrue(any(step.get("location", "").startswith("lost.cpp:") for step in steps))

    def test_the_repaired_program_is_verified(self):
        self.write("right.cpp", CORRECT)
        run = self.check("right.cpp", expect=0)
        self.assertRegex(run.out, r"^tarry: verified: all [\d,]+ executions? explored")

    def test_what_was_tried_at_random_is_told_apart(self):
        self.write("many.cpp", '#include <atomic>\n#include <thread>\nstd::atomic<int> x[3];\nvoid work(int i) { for (int k = 0; k < 5; ++k) x[(i + k) % 3]++; }\n'
                               'int main() { std::thread a(work, 0), b(work, 1), c(work, 2); a.join(); b.join(); c.join(); }\n')
        alone = self.check_json("many.cpp", "--search", "dpor", "--jobs", "1", expect=0)
        self.assertGreater(alone["executions"], 1000)  # so the others of the portfolio get their turn
        for jobs in ("1", "2"):
            told = self.check_json("many.cpp", "--jobs", jobs, expect=0)
            self.assertEqual(told["executions"], alone["executions"])
            self.assertGreater(told["samples"], 0)
        self.assertIn(f"verified: all {alone['executions']:,} executions explored", self.check("many.cpp", expect=0).out)

    def test_an_explorer_of_ones_own(self):
        self.write("lost.cpp", LOST_UPDATE)
        self.write("right.cpp", CORRECT)
        self.write("dead.c", DEADLOCK)  # a C program: it has no standard library of C++ but the explorer's
        mine = str(MODELS.parent / "explorers" / "youngest_first.cpp")
        for jobs in ("1", "2"):
            how = ("--search", "ses", "--explorer", mine, "--jobs", jobs)
            told = self.check_json("lost.cpp", *how, expect=1)
            self.assertEqual((told["findings"][0]["kind"], told["explorer"]), ("assertion", "YoungestFirst"))
            self.tarry("replay", told["findings"][0]["trace"], expect=1)
            self.assertEqual(self.check_json("right.cpp", *how, expect=0)["verdict"], "verified")
            self.assertEqual(self.check_json("dead.c", *how, expect=1)["findings"][0]["kind"], "deadlock")
        self.write("none.cpp", "int main() {}\n")
        self.refused("check", "right.cpp", "--search", "ses", "--explorer", "none.cpp", says="does not export 'tarry_explorer_v1'")

    def test_json_and_junit(self):
        self.write("lost.cpp", LOST_UPDATE)
        told = self.check_json("lost.cpp", "--junit", "junit.xml", expect=1)
        self.assertEqual(told["verdict"], "bug")
        self.assertEqual(told["findings"][0]["kind"], "assertion")
        self.assertEqual(told["findings"][0]["location"], "lost.cpp:16")
        self.assertGreater(told["executions"], 0)
        self.assertIn("failure", (self.folder / "junit.xml").read_text())

    def test_a_deadlock_says_who_waits_for_what(self):
        self.write("dead.c", DEADLOCK)
        run = self.check("dead.c", expect=1)
        self.assertIn("found deadlock", run.out)
        self.assertIn("| main has a", run.out)
        self.assertIn("threads at the end:", run.out)
        self.assertRegex(run.out, r"other at dead\.c:7")
        self.assertRegex(run.out, r"main at dead\.c:18")

    def test_races(self):
        self.write("race.cpp", RACE)
        run = self.check("race.cpp", expect=1)
        self.assertIn("found data-race", run.out)
        self.assertIn("race.cpp:4", run.out)
        self.check("race.cpp", "--races", "ignore", expect=0)
        self.check("race.cpp", "--races", "report", expect=0)
        self.write("known", "# of old\nrace:writer\n")
        run = self.check("race.cpp", "--suppressions", "known", expect=0)
        self.assertIn("suppressed by --suppressions", run.out)

    def test_a_trace_of_a_changed_program_is_refused(self):
        self.write("lost.cpp", LOST_UPDATE)
        self.check("lost.cpp", expect=1)
        self.write("lost.cpp", LOST_UPDATE.replace("total == 2", "total == 2 && true"))
        self.refused("replay", "tarry-out/lost-assertion-1.tarry", says="the program has changed since")

    def test_a_step_that_never_ends(self):
        self.write("endless.cpp", ENDLESS)
        run = self.check("endless.cpp", "--step-timeout", "1s", "--jobs", "1", expect=1)
        self.assertIn("found nontermination", run.out)


class Programs(ThreadsTest):
    def test_several_files_in_two_languages(self):
        self.write("main.cpp", '#include "part.h"\n#include <cassert>\n#include <thread>\nint main() { std::thread t([] { part(1); }); t.join(); assert(part(0) == VALUE); }\n')
        (self.folder / "inc").mkdir()
        self.write("inc/part.h", '#ifdef __cplusplus\nextern "C"\n#endif\nint part(int);\n')
        self.write("part.c", '#include "part.h"\n#include <math.h>\nstatic int sum;\nint part(int n) { sum += n; return (int)floor(sum + n * 0.5); }\n')
        self.check("main.cpp", "part.c", "-I", "inc", "-l", "m", "-DVALUE=1", "-O2", "-std=c++17", "--cflags", "-Wall -Wextra", expect=0)
        self.check("main.cpp", "part.c", "-Iinc", "-lm", "-D", "VALUE=2", expect=1)
        self.refused("check", "main.cpp", "-Iinc", "-DVALUE=1", says="undefined reference")

    def test_relative_paths_among_options_are_those_of_the_check(self):
        (self.folder / "inc").mkdir()
        (self.folder / "lib").mkdir()
        self.write("inc/limit.h", "#define LIMIT 2\n")
        self.write("inc/forced.h", "#define FORCED 1\n")
        self.write("part.c", "int part(void) { return 0; }\n")
        self.write("known", "race:nobody\n")
        subprocess.run("gcc -c part.c && ar rc lib/libpart.a part.o", shell=True, cwd=self.folder, check=True)
        self.write("lost.cpp", '#include "limit.h"\nextern "C" int part();\n' + LOST_UPDATE.replace("total == 2", "total == LIMIT + part() && FORCED"))
        for options in (["--cflags", "-Iinc -include inc/forced.h", "--ldflags", "-Llib -lpart"], ["-I", "inc", "-L", "lib", "-lpart", "--cflags", "-include inc/forced.h"],
                        ["-Iinc", "--cflags=-include inc/forced.h", "lib/libpart.a", "--suppressions", "known", "--input", "known"]):
            trace = self.check_json("lost.cpp", *options, expect=1)["findings"][0]["trace"]
            self.assertIn("reproduced assertion", self.tarry("replay", str(self.folder / trace), expect=1, cwd="/").out)
            self.assertIn("reproduced assertion", self.tarry("replay", trace, expect=1).out)

    def test_executables(self):
        self.write("lost.cpp", LOST_UPDATE)
        self.tarry("c++", "lost.cpp", "-o", "lost", expect=0)
        self.assertIn("found assertion", self.check("./lost", expect=1).out)
        self.assertIn("reproduced assertion", self.tarry("replay", "tarry-out/lost-assertion-1.tarry", expect=1).out)
        subprocess.run(["g++", "-g", "-pthread", "lost.cpp", "-o", "plain"], cwd=self.folder, check=True)
        run = self.check("./plain", expect=1)
        self.assertIn("found assertion", run.out)
        self.assertIn("was not instrumented, so it was checked at its synchronisation calls only", run.out)
        self.assertEqual(run.out.count("data races go unseen"), 1)  # told once, of the program itself

    def test_a_static_standard_library_is_told(self):
        told = "the standard library of C++ is linked into the program statically"
        self.write("throws.cpp", "int main() { try { throw 1; } catch (int) { } }\n")
        self.tarry("c++", "throws.cpp", "-o", "shared", expect=0)
        self.tarry("c++", "throws.cpp", "-nostdlib++", "-Wl,-Bstatic", "-lstdc++", "-Wl,-Bdynamic", "-o", "static", expect=0, env={"TARRY_CXX": "clang++"})
        self.assertNotIn(told, self.check("./shared", expect=0).out)
        self.assertIn(told, self.check("./static", expect=0).out)
        self.assertNotIn(told, self.check("./static", "--races", "ignore", expect=0).out)

    def test_arguments_input_and_environment_are_the_users(self):
        self.write("args.c", ARGUMENTS)
        (self.folder / "input").write_text("hello")
        with open(self.folder / "input", encoding="ascii") as text:
            done = subprocess.run([TARRY, "check", "args.c", '-DINPUT="hello"', "--expect-exit", "3", "--", "-x", "two words"], cwd=self.folder, stdin=text, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        run = self.check("args.c", '-DINPUT=""', "--expect-exit", "0", "--", "-x", "two words", expect=1)
        self.assertIn("3", run.out)

    def test_address_sanitizer(self):
        self.write("heap.cpp", "#include <thread>\nint main() { int* p = new int[4]; int i = 4; std::thread t([&] { p[i] = 1; }); t.join(); delete[] p; }\n")
        run = self.check("heap.cpp", "--asan", expect=1)
        self.assertIn("AddressSanitizer", run.out)

    def test_weak_atomics_of_libatomic_are_told(self):
        self.write("wide.cpp", "#include <atomic>\n#include <thread>\nstruct Three { long a, b, c; };\nstd::atomic<Three> shared;\n"
                               "int main() { std::thread t([] { shared.store({1, 2, 3}, std::memory_order_relaxed); }); (void)shared.load(); t.join(); }\n")
        for races in ("error", "ignore"):
            self.assertIn("verified under sequential consistency", self.check("wide.cpp", "--races", races, expect=0).out)

    def test_situations_that_were_met(self):
        self.write("meet.cpp", '#include <atomic>\n#include <thread>\n#include <tarry/test.h>\nint main() { std::atomic<int> n{0}; std::thread t([&] { n = 1; }); tarry::cover(n ? "after" : "before");'
                               ' t.join(); if (n == 2) tarry::cover("never"); for (char c = \'a\'; c <= \'z\'; ++c) { const char text[2] = {c, 0}; tarry::cover(text); } }\n')
        answer = self.check_json("meet.cpp", expect=0)
        self.assertEqual(answer["covered"], sorted([*"abcdefghijklmnopqrstuvwxyz", "after", "before"]))
        shown = [line for line in self.check("meet.cpp", expect=0).out.splitlines() if "covered" in line]
        self.assertEqual((shown[:2], shown[-1], len(shown)), (["tarry: covered: a", "tarry: covered: after"], "tarry: covered: 8 more (--json lists all)", 21))

    @unittest.skipUnless(os.path.exists("/usr/include/gtest/gtest.h"), "needs GoogleTest")
    def test_google_test(self):
        self.write("suite.cpp", '#include <gtest/gtest.h>\n#include <thread>\n#include <atomic>\nTEST(Sum, Right) { std::atomic<int> n{0}; std::thread t([&] { n++; }); n++; t.join(); EXPECT_EQ(n, 2); }\n'
                   'TEST(Sum, Wrong) { std::atomic<int> n{0}; auto add = [&] { n = n + 1; }; std::thread t(add); add(); t.join(); EXPECT_EQ(n, 2); }\n')
        self.tarry("c++", "suite.cpp", "-lgtest", "-lgtest_main", "-o", "suite", expect=0)
        self.assertEqual(self.tarry("check", "./suite", "--list-tests", expect=0).out, "2 tests\nSum.Right\nSum.Wrong\n")
        run = self.check("./suite", expect=1)
        self.assertIn("tarry: 2 tests: 1 with a bug", run.out)
        self.assertIn("tarry replay tarry-out/Sum.Wrong-assertion-1.tarry", run.out)
        self.assertNotIn("threads at the end", run.out)  # it failed by its exit code: no thread is left to be shown
        self.assertIn("assertion: Expected equality of these values: n / Which is: 1 / 2 (suite.cpp:5)", run.out)
        trace = run.out[run.out.index("Sum.Wrong"):]
        for noise in ("call once", "static", "testing::", "RUN  ", "FAILED TEST", "GetInstance"):
            self.assertNotIn(noise, trace)
        self.assertRegex(trace, r"main +suite\.cpp:5 +load n +1\n")
        self.assertIn("| suite.cpp:5: Failure", trace)
        self.assertRegex(trace, r"\(\d+ steps of the test framework are left out; --verbose shows them\)")
        whole = self.tarry("replay", "tarry-out/Sum.Wrong-assertion-1.tarry", "-v", expect=1).out
        self.assertIn("[ RUN      ] Sum.Wrong", whole)
        self.assertIn("initialize static testing::internal::", whole)
        self.assertNotIn("with a bug", self.check("./suite", "-tc", "Sum.R", expect=0).out)


class Wrong(ThreadsTest):
    def test_refusals(self):
        self.write("a.c", "int main(void) { return 0; }\n")
        self.refused("check", "a.c", "--search", "ses-ss", says=["search 'ses-ss' cannot be used on programs with threads", "use 'ses'"])
        self.refused("check", "a.c", "--races", "maybe", says="--races=maybe is not right: expected error, report, ignore")
        self.refused("check", "a.c", "--fair-scheduling=often", says="--fair-scheduling=often is not right")
        self.refused("check", "a.c", "--points", "p", says="--points p is for P programs")
        self.refused("check", "a.c", "--suppressions", "gone", says="gone: error: cannot be read")
        self.refused("check", "a.c", "b.txt", says="b.txt: error: is neither a source")
        self.refused("check", "a.c", "--expect-exit", "300", says="an exit code from 0 to 255")
        self.write("bad.c", "int main(void) { return }\n")
        self.refused("check", "bad.c", says="bad.c:1:")
        self.write("none.c", "int x;\n")
        self.refused("check", "none.c", says="there is no main function")

    def test_executables_that_cannot_be_checked(self):
        self.write("a.c", "int main(void) { return 0; }\n")
        subprocess.run(["gcc", "a.c", "-static", "-o", "static"], cwd=self.folder, check=True)
        self.refused("check", "./static", says="is linked statically")
        subprocess.run(["gcc", "-c", "a.c"], cwd=self.folder, check=True)
        self.refused("check", "a.o", says="is not linked yet")
        subprocess.run(["gcc", "a.c", "-fsanitize=thread", "-o", "tsan"], cwd=self.folder, check=True)
        self.refused("check", "./tsan", says="ThreadSanitizer's own runtime")
        subprocess.run(["gcc", "a.c", "-o", "plain"], cwd=self.folder, check=True)
        self.refused("check", "./plain", "-O2", says="is compiled already")
        self.refused("check", "./plain", "words", says="arguments after '--'")

    def test_options_of_threads_are_for_threads(self):
        self.write("a.p", "machine Main { start state S { } }\ntest t [main = Main]: { Main };\n")
        self.refused("check", "a.p", "--races", "ignore", says="--races is for programs with threads")
        self.refused("check", "a.p", "--", "x", says="takes no arguments")


class Interrupted(ThreadsTest):
    def test_ctrl_c_ends_with_a_summary(self):
        self.write("long.cpp", LOST_UPDATE.replace("assert(total == 2);", "").replace("std::thread other(add);", "std::thread o1(add), o2(add), o3(add), other(add);\n  o1.join(); o2.join(); o3.join();"))
        process = subprocess.Popen([TARRY, "check", "long.cpp", "--time", "none", "--cache", "none", "--search", "dfs"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.assertTrue(wait_for_workers(process))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, out + err)
        self.assertIn("interrupted", out)


if __name__ == "__main__":
    unittest.main()
