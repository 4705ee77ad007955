#!/usr/bin/env python3
"""--outcomes lists everything that executions can write: threads that write meet there, by whatever function. And streams of the program's own are seen by
others without it."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TARRY = os.environ["TARRY"]

WRITERS = """
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <unistd.h>
void put(int how, char letter) {
  switch (how) {
    case 0: if (write(1, &letter, 1) != 1) abort(); break;
    case 1: printf("%c", letter); break;
    case 2: putchar(letter); break;
    case 3: fwrite(&letter, 1, 1, stdout); break;
    case 4: { const char text[] = {letter, 0}; fputs(text, stdout); break; }
    case 5: std::cout << letter; break;
    case 6: { const char text[] = {letter, 0}; puts(text); break; }
  }
}
int main(int, char** argv) {
  const int how = atoi(argv[1]);
  std::thread other([how] { put(how, 'B'); });
  put(how, 'A');
  other.join();
}
"""

# In which order two threads wrote to a stream can be asked by the program itself.
STREAM = """
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <thread>
int main() {
  char* text = nullptr;
  size_t size = 0;
  FILE* const stream = open_memstream(&text, &size);
  std::thread other([stream] { fprintf(stream, "b"); });
  fprintf(stream, "a");
  other.join();
  fclose(stream);
  assert(text[0] == FIRST || text[0] == 'a');
}
"""


class Outcomes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, text, *options, arguments=()):
        (self.folder / "program.cpp").write_text(text, encoding="utf-8")
        ran = subprocess.run([TARRY, "check", "program.cpp", "--json", *options, "--", *arguments], cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        return json.loads(ran.stdout)

    def test_both_orders_are_listed(self):
        for how in range(7):
            for jobs in ("1", "2"):
                answer = self.check(WRITERS, "--outcomes", "--jobs", jobs, arguments=[str(how)])
                self.assertEqual(answer["verdict"], "verified")
                self.assertEqual({outcome["output"].replace("\n", "") for outcome in answer["outcomes"]}, {"AB", "BA"}, how)

    def test_output_makes_no_points_for_those_who_do_not_ask(self):
        self.assertEqual(self.check(WRITERS, "--search", "dfs", "--jobs", "1", arguments=["0"])["executions"], self.check(WRITERS, "--search", "dfs", "--jobs", "1", arguments=["9"])["executions"])

    def test_descriptors_have_the_same_numbers_in_every_process(self):
        text = "#include <cstdio>\n#include <thread>\n#include <unistd.h>\nint main() { std::thread([] {}).join(); int ends[2]; if (pipe(ends) != 0) return 1; printf(\"%d %d\", ends[0], ends[1]); }\n"
        for jobs in ("1", "2"):
            self.assertEqual([outcome["output"] for outcome in self.check(text, "--outcomes", "--jobs", jobs)["outcomes"]], ["3 4"], jobs)

    def test_streams_of_the_program(self):
        for jobs in ("1", "2"):
            found = self.check(STREAM.replace("FIRST", "'a'"), "--jobs", jobs)
            self.assertEqual([finding["kind"] for finding in found["findings"]], ["assertion"])
            self.assertEqual(self.check(STREAM.replace("FIRST", "'b'"), "--jobs", jobs)["verdict"], "verified")


if __name__ == "__main__":
    unittest.main()
