#!/usr/bin/env python3
"""Handlers of the program's own for crashes: a write barrier by mprotect works as it does without Tarry, with several threads in it at once, also where
the runtime makes the access for the program. Signals that stop a process are no end."""

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
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static pthread_t t, u;
static char* page;
static atomic_int faults;
static void open_page(int s, siginfo_t* i, void* c) { atomic_fetch_add(&faults, 1); mprotect(page, 4096, PROT_READ | PROT_WRITE); }
static void set(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {0};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, 0);
}
#define BOTH(f, g) pthread_create(&t, 0, f, 0), pthread_create(&u, 0, g, 0), pthread_join(t, 0), pthread_join(u, 0)
"""
BARRIER = HEAD + """
static void* a(void* p) { %s; return p; }
static void* b(void* p) { %s; return p; }
int main(void) {
  page = mmap(0, 4096, %s, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  set(open_page);
  BOTH(a, b);
  assert(page[64] == 1 && page[2000] == 1 && faults >= 1 && faults <= 2);
}
"""
FINE = {
    "plain writes": BARRIER % ("page[64] = 1", "page[2000] = 1", "PROT_READ"),
    "atomic writes": BARRIER % ("atomic_store((atomic_int*)(page + 64), 1)", "atomic_store((atomic_int*)(page + 2000), 1)", "PROT_NONE"),
    "functions of libc": BARRIER % ("memset(page + 64, 1, 600)", "memcpy(page + 2000, \"\\1\\1\", 2)", "PROT_NONE"),
    "a jump out of the handler": HEAD + """
static sigjmp_buf out;
static void leave(int s, siginfo_t* i, void* c) { siglongjmp(out, 1); }
static int deep(int n) { volatile char room[512]; room[0] = (char)n; return n == 0 ? *(volatile int*)8 : deep(n - 1) + room[0]; }
int main(void) {
  set(leave);
  for (volatile int i = 0; i < 3; ++i)
    if (sigsetjmp(out, 1) == 0) { deep(i * 3); assert(0); }
}
""",
    "stopped": HEAD + "static void* a(void* p) { raise(SIGSTOP); pthread_kill(pthread_self(), SIGTSTP); return p; }\nint main(void) { pthread_create(&t, 0, a, 0); pthread_join(t, 0); }\n",
}
CRASHES = {
    "no handler": BARRIER.replace("  set(open_page);\n", "") % ("page[64] = 1", "page[2000] = 1", "PROT_READ"),
    "a crash in the handler": HEAD + "static void worse(int s, siginfo_t* i, void* c) { *(volatile int*)16 = 1; }\nint main(void) { set(worse); *(volatile int*)8 = 1; }\n",
    "another end": HEAD + "static void* a(void* p) { raise(SIGUSR1); return p; }\nint main(void) { pthread_create(&t, 0, a, 0); pthread_join(t, 0); }\n",
}


class OwnHandlers(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def check(self, text):
        (self.folder / "program.c").write_text(text, encoding="utf-8")
        subprocess.run([TARRY, "cc", "-g", "-O1", "-w", "program.c", "-o", "program", "-pthread"], cwd=self.folder, check=True, timeout=100)
        done = subprocess.run([TARRY, "check", "./program", "--json", "--time", "30s", "--races", "ignore"], cwd=self.folder, capture_output=True, text=True, timeout=100, check=False)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_what_works_without_tarry(self):
        for name, text in FINE.items():
            with self.subTest(name):
                report = self.check(text)
                self.assertEqual((report["verdict"], report["findings"]), ("verified", []), report)

    def test_what_crashes_without_tarry(self):
        for name, text in CRASHES.items():
            with self.subTest(name):
                report = self.check(text)
                self.assertEqual([finding["kind"] for finding in report["findings"]], ["crash"], report)
                self.assertFalse([note for note in report["notes"] if "could not be confirmed" in note], report)


if __name__ == "__main__":
    sys.exit(unittest.main())
