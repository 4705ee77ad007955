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

TIMERS = """#include <signal.h>
#include <stdio.h>
#include <time.h>
int main(void) {
  struct sigevent none = {.sigev_notify = SIGEV_NONE};
  timer_t timer;
  int made = 0;
  for (int i = 0; i < COUNT; ++i) made += timer_create(CLOCK_MONOTONIC, &none, &timer) == 0;
  printf("%d\\n", made);
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

OUTPUT = """#include <string.h>
#include <unistd.h>
int main(void) {
  static char text[1 << 20];
  memset(text, 'x', sizeof text);
  for (int i = 0; i < COUNT; ++i)
    if (write(1, text, sizeof text) != sizeof text) return 1;
}
"""

BLOCKS = """#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int count = 0;
  while (malloc(SIZE) != NULL) ++count;
  printf("%d\\n", count);
}
"""

MAPPINGS = """#include <stddef.h>
#include <sys/mman.h>
__attribute__((constructor)) static void map(void) {
  char* const pages = mmap(NULL, 2 * COUNT * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < COUNT; ++i) mprotect(pages + i * 2 * 4096, 4096, PROT_READ | PROT_WRITE);
}
int main(void) { return 0; }
"""

CALLS = """#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
  unsigned word = 0;
  const long result = CALL;
  printf("%ld %s\\n", result, errno == ENOSYS ? "ENOSYS" : "another");
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
        return subprocess.run([TARRY, "check", source, "--jobs", "1", "--time", "100s", *options], cwd=self.folder, capture_output=True, text=True, timeout=150, check=False)

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

    def test_timers(self):
        told = "the program has more than 255 timers"
        for count in (255, 256):
            checked = self.check(TIMERS.replace("COUNT", str(count)), "--outcomes")
            self.assertIn("\n255\n", checked.stdout, checked.stderr)
            self.assertEqual(told in checked.stdout, count > 255)

    def test_output(self):
        told = "the program writes more than 64 MiB in one execution"
        for count, kept in ((64, 64), (65, 64)):
            checked = self.check(OUTPUT.replace("COUNT", str(count)), "--outcomes")
            self.assertEqual(checked.returncode, 0, checked.stderr)
            before, after = checked.stdout.index("xx"), checked.stdout.rindex("xx") + 2
            self.assertEqual(after - before, kept << 20)
            self.assertEqual(told in checked.stdout[:before] + checked.stdout[after:], count > kept)

    def test_blocks(self):
        for size, count, told in (("(size_t)9 << 30", 0, "asks for a block of more than 8 GiB: it was refused"), ("(size_t)4 << 30", 3, "allocates more than Tarry has room for (16 GiB in one execution")):
            checked = self.check(BLOCKS.replace("SIZE", size), "--outcomes")
            self.assertIn(f"\n{count}\n", checked.stdout, checked.stderr)
            self.assertIn(told, checked.stdout)

    def test_pieces_of_memory(self):
        checked = self.check(MAPPINGS.replace("COUNT", "4000"))
        self.assertIn("verified", checked.stdout, checked.stderr)
        checked = self.check(MAPPINGS.replace("COUNT", "4100"))
        self.assertEqual(checked.returncode, 2, checked.stdout)
        self.assertIn("it has more than 4,096 pieces of memory at the start of main", checked.stderr)

    def test_unknown_futexes(self):
        for call, told in (("syscall(SYS_futex, &word, 99, 0, 0, 0, 0)", "calls futex with an operation that Tarry does not know"), ("syscall(454, &word, 1, 1, 0)", "futex_wake, futex_wait or futex_requeue of Linux 6.7")):
            checked = self.check(CALLS.replace("CALL", call), "--outcomes")
            self.assertIn("\n-1 ENOSYS\n", checked.stdout, checked.stderr)
            self.assertIn(told, checked.stdout)

    def test_large_files_are_put_back(self):
        large = self.folder / "large"
        large.write_bytes(b"x" * 17_000_000)
        checked = self.check(LARGE_FILE, "--search", "dfs")
        self.assertIn("verified: all", checked.stdout, checked.stderr)
        self.assertNotIn("not undone", checked.stdout)
        self.assertEqual(large.read_bytes(), b"x" * 17_000_000)


if __name__ == "__main__":
    sys.exit(unittest.main())
