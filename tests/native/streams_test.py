#!/usr/bin/env python3
"""The lock of a stream is a recursive mutex: it excludes, it orders memory, and a thread can try to take it. Each program that is right has a near miss."""

import itertools
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import COMPILERS, check, compiled, ways  # noqa: E402

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int n; static FILE* f;
"""
TWICE = "int main(void) { PREPARE pthread_t t; pthread_create(&t, 0, A, 0); A(0); pthread_join(t, 0); assert(n == 2 || n == 0); return 0; }\n"
BESIDE = "int main(void) { PREPARE pthread_t t; pthread_create(&t, 0, A, 0); B(); pthread_join(t, 0); return 0; }\n"
FILE_OF_TWO = 'f = tmpfile(); fputs("abc", f); rewind(f); getc(f);'

# By name: the threads, main, what main does first, the findings; at -O0 and -O2.
PROGRAMS = {
    "a lock": ("static void* A(void* q) { flockfile(stdout); n++; funlockfile(stdout); return 0; }", TWICE, "", []),
    "taken twice": ("static void* A(void* q) { flockfile(stdout); flockfile(stdout); funlockfile(stdout); n++; funlockfile(stdout); return 0; }", TWICE, "", []),
    "tried": ("static void* A(void* q) { while (ftrylockfile(stdout)) ; n++; funlockfile(stdout); return 0; }", TWICE, "", []),
    "given back too early": ("static void* A(void* q) { flockfile(stdout); funlockfile(stdout); n++; return 0; }", TWICE, "", ["data-race"]),
    "two streams": ("static void* A(void* q) { FILE* g = q ? stdout : stderr; flockfile(g); n++; funlockfile(g); return 0; }", TWICE.replace("A, 0", "A, &n"), "", ["data-race"]),
    "tried, not taken": ("static void* A(void* q) { int no = ftrylockfile(stdout); n++; if (!no) funlockfile(stdout); return 0; }", TWICE, "", ["data-race"]),
    "letters written": ("static void* A(void* q) { flockfile(stdout); putchar_unlocked('a'); putchar_unlocked('b'); funlockfile(stdout); return 0; }", TWICE, "", []),
    "letters read": ("static void* A(void* q) { flockfile(f); if (getc_unlocked(f) != EOF) n++; funlockfile(f); return 0; }", TWICE, FILE_OF_TWO, []),
    "a call orders": ("static void* A(void* q) { n = 1; fputs(\"x\", f); return 0; } static void B(void) { flockfile(f); if (ftell(f) == 1) assert(n == 1); funlockfile(f); }", BESIDE, "f = tmpfile();", []),
    "a call orders nothing behind it": ("static void* A(void* q) { fputs(\"x\", f); n = 1; return 0; } static void B(void) { flockfile(f); if (ftell(f) == 1) n += 2; funlockfile(f); }", BESIDE, "f = tmpfile();",
                                        ["data-race"]),
    "a print hides no race": ("static void* A(void* q) { puts(\"x\"); n++; puts(\"y\"); return 0; }", TWICE, "", ["data-race"]),
    "a circle": ("static void* A(void* q) { flockfile(stdout); flockfile(stderr); funlockfile(stderr); funlockfile(stdout); return 0; } "
                 "static void B(void) { flockfile(stderr); flockfile(stdout); funlockfile(stdout); funlockfile(stderr); }", BESIDE, "", ["deadlock"]),
    "never given back": ("static void* A(void* q) { while (ftrylockfile(stdout)) ; return 0; }", TWICE, "", ["deadlock", "livelock"]),
}
# Where the compiler inlines them. (-O0 calls functions, whose accesses to the stream are not told.)
INLINED = {
    "letters read without the lock": ("static void* A(void* q) { getc_unlocked(f); return 0; }", TWICE, FILE_OF_TWO, ["data-race"]),
    "letters written without the lock": ("static void* A(void* q) { putchar_unlocked('a'); return 0; }", TWICE, "setvbuf(stdout, 0, _IOFBF, 1000);", ["data-race"]),
}


class Streams(unittest.TestCase):
    def test_programs(self):
        cases = [(case, *way) for turn, case in enumerate(PROGRAMS.items()) for way in ways(turn)]
        cases += [(case, compiler, "-O2") for case, compiler in itertools.product(INLINED.items(), COMPILERS)]
        for (name, (threads, main, first, wanted)), compiler, level in cases:
            with self.subTest(name, compiler=compiler, level=level), tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder) / "program.cpp"
                source.write_text(HEAD + threads + "\n" + main.replace("PREPARE", first), encoding="utf-8")
                answer = check(compiled(folder, source, "-w", compiler=compiler, level=level), "--time", "60s")
                if len(wanted) < 2:
                    self.assertEqual(answer["kinds"][:1], wanted, answer)
                else:
                    self.assertIn(answer["kinds"][0], wanted, answer)
                if not wanted:
                    self.assertEqual(answer["verdict"], "verified", answer)


if __name__ == "__main__":
    unittest.main()
