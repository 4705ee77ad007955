#!/usr/bin/env python3
"""Programs that write where they should not: a finding or a clear message, never "verified", and Tarry lives on."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TARRY = os.environ["TARRY"]

PROGRAM = """#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Destroys memory of the checker: every mapping that can be written to and whose line in the list of mappings has WHERE in it. */
static inline void wild(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512], *from[64];
  unsigned long size[64];
  int count = 0;
  while (count < 64 && fgets(line, sizeof line, maps)) {
    unsigned long start, end;
    if (strstr(line, WHERE) == 0 || strstr(line, " rw") == 0 || sscanf(line, "%lx-%lx", &start, &end) != 2) continue;
    from[count] = (char*)start;
    size[count++] = end - start < 1 << 20 ? end - start : 1 << 20;
  }
  fclose(maps);
  for (int i = 0; i < count; ++i) WRITES;
}
static char small[16];
static void* run(void* block) {
  (void)small;
  WILD;
  return block;
}
int main(void) {
  pthread_t thread;
  void* block = malloc(16);
  pthread_create(&thread, 0, run, block);
  pthread_join(thread, 0);
}
"""

BY_LIBRARY = "memfrob(from[i], size[i])"  # of libc, and its accesses are known
BY_ASSEMBLY = 'do { void* at = from[i]; unsigned long n = size[i]; __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(65) : "memory"); } while (0)'
BY_PROGRAM = "for (unsigned long k = 0; k < size[i]; k += 8) *(volatile long*)(from[i] + k) = FILL"
BY_ATOMICS = "__atomic_fetch_add((long*)from[i], FILL, __ATOMIC_SEQ_CST)"
PLACES = ("500000000000-", "libtarry_rt", "memfd:tarry")  # the engine's heap, the runtime's data, what is shared with the tool


class Wild(unittest.TestCase):
    def check(self, wild="wild()", where="-", writes="", fill="0", options=()):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "program.c"
            source.write_text(PROGRAM, encoding="utf-8")
            macros = [f"-DWILD={wild}", f'-DWHERE="{where}"', f"-DWRITES={writes}", f"-DFILL={fill}"]
            return subprocess.run([TARRY, "check", source, *macros, "--jobs", "1", "--time", "5s", "--step-timeout", "2s", *options], cwd=folder, capture_output=True, text=True, timeout=120, check=False)

    def test_overruns_of_a_block_meet_nothing(self):
        for options in ((), ("--fresh",)):
            for wild in ("memset(block, 65, 1 << 20)", "for (long i = 0; i < 1 << 20; ++i) ((volatile char*)block)[i] = 65", "memset(block, 65, (size_t)-1 / 4)"):
                with self.subTest(wild, options=options):
                    checked = self.check(wild, options=options)
                    self.assertEqual(checked.returncode, 1, checked.stdout + checked.stderr)
                    self.assertIn("found crash", checked.stdout)
                    self.assertIn("SIGSEGV", checked.stdout)

    def test_wild_pointers_of_the_program_are_found(self):
        for where in PLACES:
            for writes in (BY_PROGRAM, BY_ATOMICS, BY_LIBRARY):
                with self.subTest(where, writes=writes):
                    checked = self.check(where=where, writes=writes)
                    self.assertEqual(checked.returncode, 1, checked.stdout + checked.stderr)
                    self.assertIn("found memory", checked.stdout)
                    self.assertIn("a write through a wild pointer", checked.stdout)

    def test_destruction_that_is_not_seen_is_told(self):
        for where in PLACES:
            with self.subTest(where):
                checked = self.check(where=where, writes=BY_ASSEMBLY)
                said = checked.stdout + checked.stderr
                self.assertIn(checked.returncode, (1, 2, 70), said)
                self.assertTrue("the program has destroyed" in checked.stderr or "the program crashed" in checked.stdout, said)
                self.assertNotIn("verified", said)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
