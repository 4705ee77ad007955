#!/usr/bin/env python3
"""Code in the program that is not instrumented: its atomic operations are no points, so the verdict says that it holds for what Tarry controls only, and names the code."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TARRY = os.environ["TARRY"]
CONTROLLED = "what Tarry controls (see the notes)"

ADDS = "#include <atomic>\nextern std::atomic<int> x;\nvoid add() { int v = x; x = v + 1; }\n"
MAIN = """#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> x{0};
void add();
int main() {
  std::thread a(add), b(add);
  a.join(), b.join();
  assert(x == 2);
}
"""
LOCKED = ADDS.replace("#include <atomic>", "#include <atomic>\n#include <mutex>\nstatic std::mutex m;").replace("{ int", "{ std::lock_guard<std::mutex> l(m); int")
EMPTY = "void nothing() {}\n"
DATA = "extern const int number; const int number = 1;\n"
OPEN_MP = """#include <assert.h>
int main(void) {
  int n = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    n++;
  }
  assert(n == 2);
}
"""

# Loses updates, and no access of it is seen.
ASSEMBLY = """#pragma once
static inline int look(int* p) { int v; __asm__ __volatile__("movl %1, %0" : "=r"(v) : "m"(*p) : "memory"); return v; }
static inline void put(int* p, int v) { asm volatile("movl %1, %0" : "=m"(*p) : "r"(v) : "memory"); }
"""
ADDS_BY_ASSEMBLY = """#include <assert.h>
#include <pthread.h>
#include "operations.h"
static int n;
static void* add(void* unused) { put(&n, look(&n) + 1); return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0), pthread_create(&b, 0, add, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  assert(n <= 2);
}
"""

# Loses updates: what functions with the attribute access is not seen.
EXEMPT = """#include <assert.h>
#include <pthread.h>
#include "attributes.h"
static int n;
ATTRIBUTE static void add_one(void) { __atomic_store_n(&n, __atomic_load_n(&n, 0) + 1, 0); }
static void* add(void* unused) { add_one(); return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0), pthread_create(&b, 0, add, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  assert(n == 2);
}
"""

# The lock is held while its owner waits for a semaphore, so the other thread waits in a loop of assembly (or of builtins).
SPIN_LOCK = """#include <pthread.h>
#include <semaphore.h>
static int locked, n;
static sem_t go;
static void lock(void) {
#ifdef SEEN
  while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE)) {}
#else
  int was = 1;
  do { asm volatile("xchgl %0, %1" : "+r"(was), "+m"(locked) : : "memory"); } while (was);
#endif
}
static void unlock(void) { __atomic_store_n(&locked, 0, __ATOMIC_RELEASE); }
static void* owner(void* unused) { lock(), sem_wait(&go), n++, unlock(); return unused; }
static void* other(void* unused) { sem_post(&go), lock(), n++, unlock(); return unused; }
int main(void) {
  pthread_t a, b;
  sem_init(&go, 0, 0);
  pthread_create(&a, 0, owner, 0), pthread_create(&b, 0, other, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  return n != 2;
}
"""

# Whoever gets the lock adds; the other thread does not wait.
TRY_LOCK = """#include <pthread.h>
static int locked, n;
static void* add(void* unused) {
  int was = 1;
  asm volatile("xchgl %0, %1" : "+r"(was), "+m"(locked) : : "memory");
#ifdef UNLOCKED
  was = 0;
#endif
  if (!was) { n++; asm volatile("movl $0, %0" : "=m"(locked) : : "memory"); }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0), pthread_create(&b, 0, add, 0);
  pthread_join(a, 0), pthread_join(b, 0);
}
"""


class UnseenCode(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in {"add.cpp": ADDS, "locked.cpp": LOCKED, "main.cpp": MAIN, "empty.cpp": EMPTY, "data.cpp": DATA, "omp.c": OPEN_MP}.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    def run_here(self, *command):
        subprocess.run(command, cwd=self.folder, check=True, timeout=100)

    def plain(self, name):
        self.run_here("g++", "-std=c++20", "-O1", "-c", f"{name}.cpp", "-o", f"{name}.o")

    def tarry(self, *arguments):
        self.run_here(TARRY, "c++", "-std=c++20", "-O1", "-pthread", *arguments)

    def check(self, target, *options, **variables):
        # What the user asks AddressSanitizer for is for the tested program too: those who run this script ask for more than the tests count on.
        environment = {name: value for name, value in os.environ.items() if name != "ASAN_OPTIONS"} | variables
        ran = subprocess.run([TARRY, "check", target, "--json", "--no-progress", "--jobs", "1", *options], cwd=self.folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=200, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        answer = json.loads(ran.stdout)
        answer["exit"] = ran.returncode
        return answer

    def is_qualified(self, answer, words):
        self.assertEqual((answer["verdict"], answer["findings"]), ("verified", []), answer)
        self.assertIn(CONTROLLED, answer["assumes"])
        self.assertTrue(any(words in note for note in answer["notes"]), answer["notes"])

    def is_whole(self, answer):
        self.assertEqual((answer["verdict"], answer["findings"], answer.get("assumes", [])), ("verified", [], []), answer)

    def test_objects_and_archives(self):
        self.plain("add")
        self.run_here("ar", "rcs", "libadd.a", "add.o")
        self.tarry("-c", "main.cpp", "-o", "main.o")
        for inputs, words in ((["main.cpp", "add.o"], "not instrumented: add.o"), (["main.o", "./add.o"], "not instrumented: add.o"), (["main.o", "libadd.a"], "libadd.a(add.o)"), (["main.o", "-L.", "-ladd"], "libadd.a(add.o)")):
            with self.subTest(inputs):
                self.tarry(*inputs, "-o", "program")
                self.is_qualified(self.check("./program"), words)
        self.run_here("strip", "program")
        self.is_qualified(self.check("./program"), "libadd.a(add.o)")
        self.assertEqual(self.check("./program", "--fail-unless-verified")["exit"], 1)
        self.assertEqual(self.check("./program", "--fail-unless-verified", "--accept", "limits")["exit"], 0)
        self.is_qualified(self.check("main.cpp", "--ldflags", str(self.folder / "add.o")), "not instrumented: add.o")

    def test_libraries_of_the_program(self):
        self.plain("add")
        self.run_here("g++", "-std=c++20", "-fPIC", "-c", "add.cpp", "-o", "add.o")
        self.tarry("-shared", "-Wl,--unresolved-symbols=ignore-all", "add.o", "-o", "libshared.so")
        self.tarry("main.cpp", "-L.", "-lshared", f"-Wl,-rpath,{self.folder}", "-o", "program")
        answer = self.check("./program")
        self.assertTrue(any("not instrumented: add.o" in note for note in answer["notes"]), answer["notes"])

    def test_instrumented_objects(self):
        """Near misses: the same objects by 'tarry c++', without any access, with data only."""
        self.tarry("-c", "add.cpp", "-o", "add.o")
        self.tarry("-c", "locked.cpp", "-o", "locked.o")
        self.tarry("-c", "empty.cpp", "-o", "empty.o")
        self.plain("data")
        self.tarry("main.cpp", "add.o", "empty.o", "data.o", "-o", "program")
        self.assertEqual([finding["kind"] for finding in self.check("./program")["findings"]], ["assertion"])
        self.tarry("main.cpp", "locked.o", "empty.o", "data.o", "-o", "program")
        self.is_whole(self.check("./program"))

    def test_programs_that_are_not_instrumented(self):
        self.run_here("g++", "-std=c++20", "-O1", "-g", "-pthread", "main.cpp", "add.cpp", "-o", "plain")
        self.is_qualified(self.check("./plain"), "was not instrumented")

    def test_address_sanitizer(self):
        (self.folder / "whole.cpp").write_text(LOCKED.replace("extern ", "") + MAIN.replace("std::atomic<int> x{0};", ""), encoding="utf-8")
        self.is_qualified(self.check("whole.cpp", "--asan"), "with AddressSanitizer")
        self.is_whole(self.check("whole.cpp"))

    def test_races_that_are_ignored(self):
        """Racing accesses are no points if no search looks for races."""
        (self.folder / "races.cpp").write_text("#include <cassert>\n#include <thread>\nint x;\nint main() { auto f = [] { x = x + 1; }; std::thread a(f), b(f); a.join(), b.join(); assert(x <= 2); }\n", encoding="utf-8")
        self.is_qualified(self.check("races.cpp", "--races", "ignore"), "--races ignore")
        self.is_whole(self.check("races.cpp", "--races", "ignore", "--points", "all"))

    def test_inline_assembly(self):
        (self.folder / "headers").mkdir()
        (self.folder / "headers" / "operations.h").write_text(ASSEMBLY, encoding="utf-8")
        (self.folder / "counter.c").write_text(ADDS_BY_ASSEMBLY, encoding="utf-8")
        self.is_qualified(self.check("counter.c", "-I", "headers"), "counter.c(inline-assembly)")
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler):
                here = {**os.environ, "CC": compiler}
                for command in (["-c", "counter.c", "-o", "counter.o", "-I", "headers"], ["counter.o", "-o", "program", "-pthread"], ["counter.c", "-Iheaders", "-o", "at_once", "-pthread", "-Werror"]):
                    subprocess.run([TARRY, "cc", *command], cwd=self.folder, env=here, check=True, timeout=100)
                for program in ("./program", "./at_once"):
                    self.run_here("strip", program)
                    self.is_qualified(self.check(program), "counter.c(inline-assembly)")
        (self.folder / "headers" / "operations.h").write_text(ASSEMBLY.replace('__asm__ __volatile__("movl %1, %0" : "=r"(v) : "m"(*p) : "memory")', 'v = __atomic_load_n(p, 0); asm volatile("pause" ::: "memory")').replace('asm volatile("movl %1, %0" : "=m"(*p) : "r"(v) : "memory")', '__atomic_store_n(p, v, 0)'), encoding="utf-8")
        self.is_whole(self.check("counter.c", "-I", "headers"))

    def test_assembly_behind_a_macro(self):
        (self.folder / "operations.h").write_text("#define ASM asm volatile\n" + ASSEMBLY.replace("asm volatile(", "ASM(").replace("__asm__ __volatile__(", "ASM("), encoding="utf-8")
        (self.folder / "counter.c").write_text(ADDS_BY_ASSEMBLY, encoding="utf-8")
        self.is_qualified(self.check("counter.c"), "counter.c(inline-assembly)")

    def test_functions_that_are_exempt(self):
        (self.folder / "counter.c").write_text(EXEMPT, encoding="utf-8")
        for attribute in ('__attribute__((noinline, no_sanitize("thread")))', "__attribute__((noinline, no_sanitize_thread))"):
            (self.folder / "attributes.h").write_text(f"#define ATTRIBUTE {attribute}\n", encoding="utf-8")
            answer = self.check("counter.c")
            if not answer["findings"]:  # clang instruments the atomic operations of such functions
                self.is_qualified(answer, "counter.c(no_sanitize)")
            self.assertTrue(any("remove the attribute no_sanitize" in note for note in answer["notes"]), answer["notes"])
        (self.folder / "attributes.h").write_text("#define UNUSED __attribute__((no_sanitize_thread))\n#define ATTRIBUTE __attribute__((noinline))\n", encoding="utf-8")
        answer = self.check("counter.c")
        self.assertEqual([finding["kind"] for finding in answer["findings"]], ["assertion"])
        self.assertFalse(any("no_sanitize" in note for note in answer["notes"]), answer["notes"])

    def test_waiting_in_code_that_is_not_seen_is_a_limit(self):
        (self.folder / "spin.c").write_text(SPIN_LOCK, encoding="utf-8")
        self.assertEqual(self.check("spin.c", "--cflags", "-DSEEN")["verdict"], "verified")
        self.run_here("gcc", "-g", "-pthread", "-DSEEN", "spin.c", "-o", "uninstrumented")
        for target, words in (("spin.c", "spin.c(inline-assembly)"), ("./uninstrumented", "the program is not instrumented")):
            answer = self.check(target, "--step-timeout", "1s")
            self.assertEqual((answer["exit"], answer["verdict"], answer["findings"]), (0, "no-bug-found", []), answer)
            self.assertIn(f"it may wait for another thread in code that Tarry does not see ({words})", answer["verdict_text"])

    def test_what_assembly_may_order_is_no_race(self):
        """A lock of assembly is not seen, so accesses under it look like a race."""
        (self.folder / "once.c").write_text(TRY_LOCK, encoding="utf-8")
        answer = self.check("once.c")
        self.is_qualified(answer, "may order the accesses, so this is no finding")
        for more in (("--races", "error"), ("--cflags", "-DUNLOCKED"), ("--cflags", "-DUNLOCKED", "--races", "error")):
            found = {finding["kind"] for finding in self.check("once.c", *more)["findings"]}
            self.assertEqual(found, {"data-race"} if "error" in more else set(), more)
        (self.folder / "plain.c").write_text(TRY_LOCK.replace('asm volatile("xchgl %0, %1" : "+r"(was), "+m"(locked) : : "memory")', "was = 0").replace('asm volatile("movl $0, %0" : "=m"(locked) : : "memory")', "locked = 0"), encoding="utf-8")
        self.assertEqual({finding["kind"] for finding in self.check("plain.c")["findings"]}, {"data-race"})

    def test_open_mp(self):
        """Teams that the user lets wait in loops are no endless steps: one thread runs at a time."""
        for policy in ({}, {"OMP_WAIT_POLICY": "active"}, {"GOMP_SPINCOUNT": "infinity"}):
            for races in ((), ("--races", "ignore")):
                self.is_qualified(self.check("omp.c", "--cflags", "-fopenmp", "--ldflags", "-fopenmp", *races, **policy), "OpenMP")


if __name__ == "__main__":
    unittest.main()
