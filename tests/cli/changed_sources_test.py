#!/usr/bin/env python3
"""Sources that are written while they are compiled: what is checked and kept is one version of them, the last, or it is an error."""

import os
import unittest

from common import CliTest

# Calls the compiler, and writes to a header when it compiles (not when it links or is asked for its version): the first TIMES times.
COMPILER = """#!/bin/sh
case " $* " in *" -MF "*)
  n=$(cat {folder}/times)
  if [ "$n" -lt {times} ]; then
    echo $((n + 1)) > {folder}/times
    g++ "$@" || exit
    echo "inline constexpr int kWanted = $((n + 1));" > {folder}/wanted.h
    exit
  fi ;;
esac
exec g++ "$@"
"""

THREADS = """#include <cassert>
#include <thread>
#include "wanted.h"
int main() {
  std::thread t([] {});
  t.join();
  assert(kWanted == 1);
}
"""

MODEL = """#include <tarry/model.h>
#include "wanted.h"
struct Wants {
  struct State { tarry::Upto<1> done; TARRY_FIELDS(done) };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int, tarry::Run& run) {
    if (s.done == 1) return run.ended();
    s.done = 1;
    run.expect(kWanted == 1, "kWanted == 1");
  }
};
TARRY_MODEL(Wants)
"""


class ChangedSources(CliTest):
    def compiler(self, times):
        """Each call has a name of its own, so that nothing is found in the cache that another one has made."""
        name = self.folder / f"compiler{times}"
        name.write_text(COMPILER.format(folder=self.folder, times=times))
        name.chmod(0o755)
        self.write("times", "0\n")
        self.write("wanted.h", "inline constexpr int kWanted = 0;\n")
        return {**os.environ, "TARRY_CXX": str(name), "CXX": str(name)}

    def test_a_version_that_was_only_there_for_a_moment_is_not_checked(self):
        for kind, source in (("threads", THREADS), ("model", MODEL)):
            with self.subTest(kind=kind):
                self.write(f"{kind}.cpp", source)
                run = self.tarry("check", f"{kind}.cpp", env=self.compiler(times=1), expect=0)
                self.assertIn("verified", run.out, str(run))
                self.assertEqual((self.folder / "times").read_text(), "1\n")

    def test_sources_that_never_hold_still_are_an_error(self):
        for kind, source in (("threads", THREADS), ("model", MODEL)):
            with self.subTest(kind=kind):
                self.write(f"{kind}.cpp", source)
                run = self.tarry("check", f"{kind}.cpp", env=self.compiler(times=99), expect=2)
                self.assertIn(f"{kind}.cpp: error: changes while it is compiled; run tarry again when it is written", run.err, str(run))


if __name__ == "__main__":
    unittest.main()
