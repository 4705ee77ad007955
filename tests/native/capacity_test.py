#!/usr/bin/env python3
"""What there is only so much of: a clear message or a note in the verdict when it is used up, never silence."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TARRY = os.environ["TARRY"]

RACES = """#include <pthread.h>
static int words[COUNT];
static void* run(void* unused) {
%s  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""

SEMAPHORES = """#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
int main(void) {
  int opened = 0;
  for (int i = 0; i < 300; ++i) {
    char name[250];
    snprintf(name, sizeof name, "/%0200d", i);
    opened += sem_open(name, O_CREAT, 0600, 1) != SEM_FAILED;
  }
  printf("%d\\n", opened);
}
"""

LARGE_FILE = """#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static void* run(void* number) {
  char byte = 0;
  const int file = open("large", O_RDWR);
  assert(pread(file, &byte, 1, (off_t)(long)number) == 1 && byte == 'x');
  byte = 'y';
  assert(pwrite(file, &byte, 1, (off_t)(long)number) == 1);
  if (number) assert(ftruncate(file, 20000000) == 0);
  close(file);
  return number;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, (void*)0);
  pthread_create(&b, 0, run, (void*)16999999);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""


class Capacity(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def check(self, text, *options):
        source = self.folder / "program.c"
        source.write_text(text, encoding="utf-8")
        return subprocess.run([TARRY, "check", source, "--jobs", "1", "--time", "20s", *options], cwd=self.folder, capture_output=True, text=True, timeout=150, check=False)

    def races(self, count):
        lines = "".join(f"  words[{i}]++;\n" for i in range(count))
        return self.check(RACES.replace("COUNT", str(count)) % lines, "--races", "report", "-O", "0", "-s", "2")

    def test_more_racing_accesses_than_points(self):
        refused = self.races(4200)  # a read and a write each
        self.assertEqual(refused.returncode, 2, refused.stdout + refused.stderr)
        self.assertIn("more than 8,192 of its accesses race", refused.stderr)

    def test_named_semaphores(self):
        checked = self.check(SEMAPHORES, "--outcomes")
        self.assertIn("\n256\n", checked.stdout, checked.stderr)
        self.assertIn("more than 256 named semaphores", checked.stdout)

    def test_large_files_are_put_back(self):
        large = self.folder / "large"
        large.write_bytes(b"x" * 17_000_000)
        checked = self.check(LARGE_FILE, "--search", "dfs")
        self.assertIn("verified: all", checked.stdout, checked.stderr)
        self.assertNotIn("not undone", checked.stdout)
        self.assertEqual(large.read_bytes(), b"x" * 17_000_000)


if __name__ == "__main__":
    sys.exit(unittest.main())
