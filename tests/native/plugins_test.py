#!/usr/bin/env python3
"""Libraries that are loaded while the program runs: their races are found, are points from then on, and have names, in whatever order
two threads load two of them."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TARRY = os.environ["TARRY"]

PLUGIN = """#include <atomic>
namespace { int hits = 0; }
extern "C" int hit() { return hits = hits + 1; }
"""

HOST = """#include <dlfcn.h>
#include <cassert>
#include <thread>
int main() {
  int a[2] = {0, 0}, b[2] = {0, 0};
  auto load = [](const char* name) { return reinterpret_cast<int (*)()>(dlsym(dlopen(name, RTLD_NOW), "hit")); };
  std::thread one([&] { a[0] = load("./one.so")(); b[0] = load("./two.so")(); });
  std::thread two([&] { b[1] = load("./two.so")(); a[1] = load("./one.so")(); });
  one.join();
  two.join();
  assert(a[0] + a[1] == 3);
  assert(b[0] + b[1] == 3);
}
"""


class Plugins(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) if hasattr(self, "enterContext") else self.made()
        for name in ("one", "two"):
            (self.folder / f"{name}.cpp").write_text(PLUGIN, encoding="utf-8")
            self.ran("c++", "-g", "-O1", "-shared", "-fPIC", f"{name}.cpp", "-o", f"{name}.so")
        (self.folder / "host.cpp").write_text(HOST, encoding="utf-8")
        self.ran("c++", "-g", "-O1", "host.cpp", "-o", "host")

    def made(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def ran(self, *arguments, code=0):
        ran = subprocess.run([TARRY, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout

    def test_races_in_plugins_are_points_and_have_names(self):
        for jobs in ("1", "2"):
            answer = json.loads(self.ran("check", "./host", "--jobs", jobs, "--json", code=1))
            kinds = {finding["kind"] for finding in answer["findings"]}
            self.assertEqual(kinds, {"data-race", "assertion"}, answer["findings"])
            races = [finding["message"] for finding in answer["findings"] if finding["kind"] == "data-race"]
            self.assertTrue(all("on hits" in race and ("one.cpp:3" in race or "two.cpp:3" in race) for race in races), races)
            for finding in answer["findings"]:
                shown = [self.ran("replay", finding["trace"], code=1) for _ in range(2)]
                self.assertEqual(shown[0], shown[1])
                self.assertIn(finding["kind"], shown[0])

    def test_a_plugin_that_is_not_instrumented_is_named(self):
        subprocess.run([os.environ.get("CXX", "c++"), "-shared", "-fPIC", "two.cpp", "-o", "two.so"], cwd=self.folder, check=True)
        answer = json.loads(self.ran("check", "./host", "--json", code=1))
        self.assertTrue(any("not instrumented" in note and "two.so" in note and "one.so" not in note for note in answer["notes"]), answer["notes"])


if __name__ == "__main__":
    unittest.main()
