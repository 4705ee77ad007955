#!/usr/bin/env python3
"""Libraries that are loaded while the program runs: their races are found, are points from then on, and have names, in whatever order
two threads load two of them; what is unloaded and loaded again is new."""

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

LOCKED = "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n;\n" + \
    "int plug(void) { pthread_mutex_lock(&m); int r = ++n; pthread_mutex_unlock(&m); return r; }\n"
RACING = "static int n;\nint plug(void) { return ++n; }\n"
BUILT = """#include <stdlib.h>
static int ready, *block;
__attribute__((constructor)) static void begin(void) { ready = 1; block = malloc(sizeof *block); *block = 7; }
__attribute__((destructor)) static void end(void) { ready = 0; free(block); }
int plug(void) { return ready + *block; }
"""

HEAD = """#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
typedef int (*Plug)(void);
static Plug f;
static int common;
"""
EACH = HEAD + """static void* use(void* unused) {
  void* const handle = dlopen("./plug.so", RTLD_NOW);
  assert(handle);
  BEHIND
  assert(((Plug)dlsym(handle, "plug"))() >= 1);
  dlclose(handle);
  return unused;
}
int main() {
  void* const kept = KEPT;
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  use(0);
  pthread_join(thread, 0);
  if (kept) dlclose(kept);
}
"""
ONCE = HEAD + """static void* use(void* unused) { f(); return unused; }
int main() {
  void* const handle = dlopen("./plug.so", RTLD_NOW);
  f = (Plug)dlsym(handle, "plug");
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  EARLY
  f();
  pthread_join(thread, 0);
  LATE
}
"""
BY_NAME = """#include <assert.h>
#include <dlfcn.h>
int main() {
  void* const handle = dlopen("plug.so", RTLD_NOW);
  assert(handle && dlopen("plug.so", RTLD_NOW) == handle && !dlopen("none.so", RTLD_NOW));
  assert(((int (*)(void))dlsym(handle, "plug"))() == 1);
  assert(!dlclose(handle) && !dlclose(handle) && !dlopen("./plug.so", RTLD_NOW | RTLD_NOLOAD));
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

    def checked(self, plugin, host, *options):
        (self.folder / "plug.c").write_text(plugin, encoding="utf-8")
        (self.folder / "user.c").write_text(host, encoding="utf-8")
        self.ran("cc", "-g", "-O1", "-shared", "-fPIC", "plug.c", "-o", "plug.so")
        self.ran("cc", "-g", "-O1", "user.c", "-o", "user", "-ldl", "-lpthread", *options)
        ran = subprocess.run([TARRY, "check", "./user", "--json"], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)
        answer = json.loads(ran.stdout)
        self.assertFalse([note for note in answer["notes"] if "not be confirmed" in note], answer["notes"])
        return answer["verdict"], {finding["kind"]: finding["message"] for finding in answer["findings"]}

    def test_a_library_that_is_loaded_again_is_new(self):
        for plugin in (LOCKED, BUILT):
            for kept in ("0", 'dlopen("./plug.so", RTLD_NOW)'):
                self.assertEqual(self.checked(plugin, EACH.replace("KEPT", kept).replace("BEHIND", "")), ("verified", {}), (plugin, kept))

    def test_races_in_and_beside_it_are_found(self):
        for kept in ("0", 'dlopen("./plug.so", RTLD_NOW)'):
            verdict, found = self.checked(RACING, EACH.replace("KEPT", kept).replace("BEHIND", ""))
            self.assertEqual((verdict, list(found)), ("bug", ["data-race"]), found)
            self.assertIn("on n", found["data-race"])
        for plugin in (LOCKED, BUILT):
            verdict, found = self.checked(plugin, EACH.replace("KEPT", "0").replace("BEHIND", "++common;"))
            self.assertEqual((verdict, list(found)), ("bug", ["data-race"]), found)
            self.assertIn("on common", found["data-race"])

    def test_a_library_that_two_threads_call(self):
        for plugin, kinds in ((LOCKED, []), (BUILT, []), (RACING, ["data-race"])):
            verdict, found = self.checked(plugin, ONCE.replace("EARLY", "").replace("LATE", "dlclose(handle);"))
            self.assertEqual((verdict, list(found)), ("bug" if kinds else "verified", kinds), found)

    def test_uses_of_a_library_that_was_unloaded_are_told(self):
        for plugin in (LOCKED, RACING):
            verdict, found = self.checked(plugin, ONCE.replace("EARLY", "dlclose(handle); pthread_join(thread, 0); return 0;").replace("LATE", ""))
            self.assertEqual(verdict, "bug", found)
            self.assertTrue(set(found) <= {"memory", "crash"} and all("unloaded" in told or "unmap" in told for told in found.values()), found)

    def test_names_without_a_folder_are_looked_for_where_the_program_says(self):
        for tags in ("--enable-new-dtags", "--disable-new-dtags"):
            self.assertEqual(self.checked(LOCKED, BY_NAME, f"-Wl,{tags},-rpath,$ORIGIN"), ("verified", {}), tags)


if __name__ == "__main__":
    unittest.main()
