#!/usr/bin/env python3
"""State of libc that all threads share is seen: each function with its twin that has no such state."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import check, compiled  # noqa: E402

SOURCE = """#include <cassert>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>
const time_t early = 0, late = 1000000000;
[[maybe_unused]] unsigned seeds[2] = {1, 1};
int main() {
  BEFORE;
  std::thread other([] { OTHER; });
  FIRST;
  other.join();
}
"""
# Name: what fails, before, the other thread, main.
CASES = {
    "rand": (["assertion"], "srand(1); int wanted[2] = {rand(), rand()}; srand(1)", "rand()", "int a = rand(), b = rand(); assert(a == wanted[0] && b == wanted[1])"),
    "rand_r": ([], "", "rand_r(&seeds[0])", "int a = rand_r(&seeds[1]); assert(a >= 0)"),
    "setenv": (["assertion"], "setenv(\"X\", \"0\", 1)", "setenv(\"X\", \"1\", 1)", "char was = *getenv(\"X\"); assert(*getenv(\"X\") == was)"),
    "getenv": ([], "setenv(\"X\", \"0\", 1)", "getenv(\"X\")", "char was = *getenv(\"X\"); assert(*getenv(\"X\") == was)"),
    "localtime": (["assertion", "data-race"], "", "localtime(&late)", "assert(localtime(&early)->tm_year < 71)"),
    "gmtime": (["assertion", "data-race"], "", "gmtime(&late)", "assert(gmtime(&early)->tm_year == 70)"),
    "gmtime and localtime": (["assertion", "data-race"], "", "localtime(&late)", "assert(gmtime(&early)->tm_year == 70)"),
    "ctime": (["assertion", "data-race"], "", "ctime(&late)", "assert(strstr(ctime(&early), \"20\") == nullptr)"),
    "localtime_r": ([], "", "tm parts; localtime_r(&late, &parts)", "tm parts; assert(localtime_r(&early, &parts)->tm_year < 71)"),
}


class LibraryState(unittest.TestCase):
    def test_state_of_libc_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, (kinds, before, other, first) in CASES.items():
                with self.subTest(name):
                    source = pathlib.Path(folder) / (name.replace(" ", "_") + ".cpp")
                    source.write_text(SOURCE.replace("BEFORE", before).replace("OTHER", other).replace("FIRST", first))
                    answer = check(compiled(folder, source), "--time", "60s", "--explore")
                    self.assertEqual(sorted(set(answer["kinds"])), kinds, answer)
                    if not kinds:
                        self.assertEqual(answer["verdict"], "verified", answer)


if __name__ == "__main__":
    unittest.main()
