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


if __name__ == "__main__":
    unittest.main()
