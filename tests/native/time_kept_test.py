#!/usr/bin/env python3
"""--time and Ctrl-C are kept whatever the tested program does in a step: computes, writes, ignores signals, takes memory, waits."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from processes import wait_for_workers  # noqa: E402

TARRY = os.environ["TARRY"]

HEAD = """#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
"""
MAIN = """
int main(void) {
  %s
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
}
"""
COMPUTES = HEAD + "static void* run(void* p) { for (volatile unsigned long i = 0;; ++i) if (i == ~0ul) return p; }" + MAIN % ""
IGNORES = HEAD + "static void* run(void* p) { for (volatile long i = 0;; ++i) if (i < 0) return p; }" + MAIN % """
  signal(SIGTERM, SIG_IGN); signal(SIGINT, SIG_IGN);
  sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0);"""
WRITES = HEAD + 'static void* run(void* p) { for (;;) if (puts("endless") < 0) return p; }' + MAIN % ""
ALLOCATES = HEAD + "static void* run(void* p) { for (;;) { char* m = malloc(1 << 22); if (!m) return p; memset(m, 1, 1 << 22); } }" + MAIN % ""
# In a process of its own.
FORKS = HEAD + "static void* run(void* p) { for (volatile unsigned long i = 0;; ++i) if (i == ~0ul) return p; }" + MAIN % "if (fork() == 0) _exit(0); wait(0);"
# A race is found, and then a step is long.
RACES = HEAD + """static int racy;
static void* run(void* p) { ++racy; return p; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0); pthread_create(&u, 0, run, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  for (volatile unsigned long i = 0;; ++i) if (i == ~0ul) return 0;
}
"""
BEFORE_MAIN = "#include <unistd.h>\n__attribute__((constructor)) static void first(void) { for (volatile unsigned long i = 0;; ++i) if (i == ~0ul) return; }\nint main(void) { return 0; }\n"
SHORT = HEAD + "static void* run(void* p) { return p; }" + MAIN % ""


class TimeKept(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def build(self, text):
        (self.folder / "program.c").write_text(text, encoding="utf-8")
        subprocess.run([TARRY, "cc", "-g", "-O1", "program.c", "-o", "program", "-pthread"], cwd=self.folder, check=True, timeout=100)

    def start(self, *options):
        return subprocess.Popen([TARRY, "check", "./program", *options], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)

    def ends(self, text, says, *options, code=0, within=20.0, limit="1s"):
        """`within`: --time is 1 s, a worker has one second to end; the rest is for a machine that others use, too."""
        self.build(text)
        began = time.monotonic()
        process = self.start("--time", limit, *options)
        out = process.communicate(timeout=100)[0]
        took = time.monotonic() - began
        self.assertEqual(process.returncode, code, out)
        self.assertIn(says, out)
        self.assertLess(took, within, out)

    def test_a_step_that_computes(self):
        self.ends(COMPUTES, "no bug found; ")
        self.ends(COMPUTES, "stopped by --time 1s", "--jobs", "2")

    def test_a_program_that_ignores_signals(self):
        self.ends(IGNORES, "stopped by --time 1s")

    def test_endless_output(self):
        self.ends(WRITES, "stopped")  # by the time, or by the limit of output

    def test_memory_that_grows(self):
        self.ends(ALLOCATES, "stopped by --", "--memory", "200M")

    def test_an_execution_in_a_process_of_its_own(self):
        self.ends(FORKS, "stopped by --time 1s")

    def test_a_program_that_does_not_come_to_its_main_function(self):
        self.ends(BEFORE_MAIN, "stopped by --time 1s")

    def test_what_was_found_before_is_told(self):
        self.ends(RACES, "found data-race", code=1, within=60.0, limit="5s")  # run again, which is called off after 15 s

    def test_ctrl_c(self):
        for text in (COMPUTES, IGNORES, WRITES):
            self.build(text)
            process = self.start("--time", "none", "--step-timeout", "1h")
            wait_for_workers(process)
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            out = process.communicate(timeout=100)[0]
            self.assertLess(time.monotonic() - began, 15.0, out)
            if text is not WRITES or "interrupted" in out:  # its limit of output may come first
                self.assertEqual(process.returncode, 130, out)
                self.assertIn("interrupted", out)

    def test_a_program_that_ends_is_verified_as_ever(self):
        self.ends(SHORT, "verified: all ", within=90.0, limit="60s")


if __name__ == "__main__":
    sys.exit(unittest.main())
