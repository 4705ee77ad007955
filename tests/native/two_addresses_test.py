#!/usr/bin/env python3
"""Memory that a program sees under two addresses, or by calls on a file beside them: accesses are compared by address, so the verdict says what it
rests on. A program with one mapping is verified as any other."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TARRY = os.environ["TARRY"]

HEAD = """#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>
static pthread_t t, u;
static volatile int *p1, *p2;
static volatile int global;
static int file;
#define BOTH() pthread_create(&t, 0, a, 0), pthread_create(&u, 0, b, 0), pthread_join(t, 0), pthread_join(u, 0)
"""
TWO = "static void* a(void* p) { *p1 = *p1 + 1; return p; }\nstatic void* b(void* p) { *p2 = *p2 + 1; return p; }\n"
CALLS = "static void* a(void* p) { *p1 = *p1 + 1; return p; }\nstatic void* b(void* p) { int v; pread(file, &v, 4, %s); ++v; pwrite(file, &v, 4, %s); return p; }\n"
MEMFD = 'file = memfd_create("x", 0); ftruncate(file, 8192); '

ALIASES = {
    "a file mapped twice": TWO + "int main(void) { " + MEMFD + "p1 = mmap(0, 4096, 3, MAP_SHARED, file, 0); p2 = mmap(0, 4096, 3, MAP_SHARED, file, 0); BOTH(); }",
    "System V": TWO + "int main(void) { int id = shmget(IPC_PRIVATE, 4096, 0600); p1 = shmat(id, 0, 0); p2 = shmat(id, 0, 0); shmctl(id, IPC_RMID, 0); BOTH(); }",
    "mremap": TWO + "int main(void) { p1 = mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0); p2 = mremap((void*)p1, 0, 4096, 1); BOTH(); }",
    "calls on a mapped file": CALLS % (0, 0) + 'int main(void) { file = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600); ftruncate(file, 4096); p1 = mmap(0, 4096, 3, MAP_SHARED, file, 0); BOTH(); }',
    "/proc/self/mem": CALLS % ("(off_t)&global", "(off_t)&global") + 'int main(void) { file = open("/proc/self/mem", O_RDWR); p1 = &global; BOTH(); }',
}
# One mapping, by atomics; two of different parts; what main writes by calls before there are threads; a mapping that is gone.
PLAIN = {
    "one mapping": "int main(void) { " + MEMFD + "p1 = p2 = mmap(0, 4096, 3, MAP_SHARED, file, 0); BOTH(); }",
    "different parts": "int main(void) { " + MEMFD + "p1 = mmap(0, 4096, 3, MAP_SHARED, file, 0); p2 = mmap(0, 4096, 3, MAP_SHARED, file, 4096); BOTH(); }",
    "before threads": 'int main(void) { file = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600); ftruncate(file, 4096); p1 = p2 = mmap(0, 4096, 3, MAP_SHARED, file, 0); pwrite(file, "abcd", 4, 0); BOTH(); }',
    "one after the other": "int main(void) { " + MEMFD + "p1 = mmap(0, 4096, 3, MAP_SHARED, file, 0); munmap((void*)p1, 4096); p1 = p2 = mmap(0, 4096, 3, MAP_SHARED, file, 0); BOTH(); }",
}
ATOMIC = "static void* a(void* p) { __atomic_fetch_add((int*)p1, 1, 5); return p; }\nstatic void* b(void* p) { __atomic_fetch_add((int*)p2, 1, 5); return p; }\n"
WORDS = "memory that is accessed under one address only"


class TwoAddresses(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def check(self, text, *options):
        (self.folder / "program.c").write_text(HEAD + text, encoding="utf-8")
        subprocess.run([TARRY, "cc", "-g", "-O1", "-w", "program.c", "-o", "program", "-pthread"], cwd=self.folder, check=True, timeout=100)
        return subprocess.run([TARRY, "check", "./program", "--time", "30s", *options], cwd=self.folder, capture_output=True, text=True, timeout=100, check=False)

    def test_the_verdict_says_what_it_rests_on(self):
        for name, text in ALIASES.items():
            with self.subTest(name):
                report = json.loads(self.check(text, "--json").stdout)
                self.assertEqual((report["verdict"], report.get("assumes")), ("verified", [WORDS]), report)

    def test_in_words_and_for_those_who_demand_more(self):
        text = ALIASES["a file mapped twice"]
        done = self.check(text, "--fail-unless-verified", "--accept", "fair")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"tarry: verified for {WORDS}: all ", done.stdout)
        self.assertIn("say --accept limits", done.stderr)
        self.assertEqual(self.check(text, "--fail-unless-verified", "--accept", "limits").returncode, 0)

    def test_programs_without(self):
        for name, text in PLAIN.items():
            with self.subTest(name):
                report = json.loads(self.check(ATOMIC + text, "--json").stdout)
                self.assertEqual((report["verdict"], report.get("assumes")), ("verified", None), report)


if __name__ == "__main__":
    sys.exit(unittest.main())
