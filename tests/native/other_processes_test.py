#!/usr/bin/env python3
"""Processes that the program starts run by themselves: the verdict says so, and what differs because of them is no fault of the program."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TARRY = os.environ["TARRY"]

SOURCE = """#define _GNU_SOURCE
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  atomic_int* shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const pid_t child = fork();
  if (child == 0) {
    usleep(20000);
    *shared = 1;
    _exit(3);
  }
  int status, rounds = 0;
  BODY
}
"""
WAITS = {
    "asks for its end": "while (waitpid(child, &status, WNOHANG) == 0) ++rounds, usleep(1000); assert(WEXITSTATUS(status) == WANTED);",
    "looks at memory": "while (*shared == 0) ++rounds, sched_yield(); waitpid(child, &status, 0); assert(WEXITSTATUS(status) == WANTED);",
}

# A child passes on what a thread wrote to it. Main comes after that thread then.
PASSES_ON = """
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int here[2], back[2], x;
static char byte;
static void* sends(void* unused) {
  x = 5;
  if (write(here[1], "a", 1) != 1) return 0;
  return unused;
}
int main(void) {
  if (pipe(here) != 0 || pipe(back) != 0) return 1;
  const pid_t child = fork();
  if (child == 0) {
    char got;
    const int passed = read(here[0], &got, 1) == 1 && write(back[1], &got, 1) == 1;
    _exit(!passed);
  }
  pthread_t sender;
  pthread_create(&sender, 0, sends, 0);
  HOW
  const int seen = x;
  pthread_join(sender, 0);
  waitpid(child, 0, 0);
  return seen != 5;
}
"""


class OtherProcesses(unittest.TestCase):
    def check(self, folder, body):
        (folder / "program.c").write_text(SOURCE.replace("BODY", body), encoding="utf-8")
        done = subprocess.run([TARRY, "check", "program.c", "--time", "10s", "--jobs", "1", "--json"], cwd=folder, capture_output=True, text=True, timeout=100, check=False)
        return json.loads(done.stdout)

    def test_what_they_do_is_no_fault_of_the_program(self):
        with tempfile.TemporaryDirectory() as name:
            for what, body in WAITS.items():
                with self.subTest(what):
                    report = self.check(pathlib.Path(name), body.replace("WANTED", "3"))
                    self.assertEqual(report["findings"], [], report)
                    if report["verdict"] == "verified":  # which depends on how long the child takes
                        self.assertIn("what Tarry controls (see the notes)", report["assumes"])
                    report = self.check(pathlib.Path(name), body.replace("WANTED", "4"))
                    self.assertEqual([finding["kind"] for finding in report["findings"]], ["assertion"], report)

    def test_they_may_pass_on_what_they_get(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for how, races in (("if (read(back[0], &byte, 1) != 1) return 1;", False), ("waitpid(child, 0, 0);", False), ("while (waitpid(child, 0, WNOHANG) == 0) usleep(1000);", False), ("(void)byte;", True)):
                with self.subTest(how):
                    (folder / "program.c").write_text(PASSES_ON.replace("HOW", how), encoding="utf-8")
                    done = subprocess.run([TARRY, "check", "program.c", "--time", "10s", "--jobs", "1", "--json"], cwd=folder, capture_output=True, text=True, timeout=100, check=False)
                    report = json.loads(done.stdout)
                    self.assertEqual([finding["kind"] for finding in report["findings"]], ["data-race"] * races, report)
                    if races:
                        replayed = subprocess.run([TARRY, "replay", report["findings"][0]["trace"]], cwd=folder, capture_output=True, text=True, timeout=100, check=False)
                        self.assertEqual(replayed.returncode, 1, replayed.stdout + replayed.stderr)


if __name__ == "__main__":
    unittest.main()
