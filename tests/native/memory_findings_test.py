#!/usr/bin/env python3
"""Stacks of threads that have ended, and uses after free: findings of kind `memory`, also if they are races; and traces that name nothing of Tarry's."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from ways import ways  # noqa: E402

TARRY = os.environ["TARRY"]

STACK = """
#include <atomic>
#include <thread>
std::atomic<int*> place;
std::atomic<bool> may_end{true};
int main(int count, char** arguments) {
  const bool in_time = count > 1 && arguments[1][0] == 'i';
  const bool reads = count > 2;
  std::thread owner([] { int local = 1; place = &local; while (!may_end) std::this_thread::yield(); });
  if (!in_time) owner.join();
  int* const local = in_time ? nullptr : place.load();
  if (local != nullptr) { if (reads) return *local == 7; *local = 2; }
  if (in_time) owner.join();
}
"""

# The owner waits until the other has written.
IN_TIME = """
#include <semaphore.h>
#include <atomic>
#include <thread>
int* place;
sem_t there, written;
int main() {
  sem_init(&there, 0, 0);
  sem_init(&written, 0, 0);
  std::thread owner([] { int local = 1; place = &local; sem_post(&there); sem_wait(&written); if (local != 2) __builtin_trap(); });
  sem_wait(&there);
  *place = 2;
  sem_post(&written);
  owner.join();
}
"""

THREAD_LOCAL = """
#include <thread>
thread_local int mine = 1;
int main() {
  int* place = nullptr;
  std::thread owner([&] { place = &mine; });
  owner.join();
  return *place == 7;
}
"""

# The kernel gives the second thread the addresses that the first gave back.
MAPPED_TWICE = """
#include <sys/mman.h>
#include <pthread.h>
#include <thread>
int there = 0;
int* common = &there;
void use() {
  int* const mine = (int*)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_mutex_t* const mutex = (pthread_mutex_t*)(mine + 64);
  pthread_mutex_init(mutex, nullptr);
  *mine = 1;
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  munmap(mine, 4096);
}
int main() {
  std::thread other(use);
  use();
  other.join();
}
"""

UNMAPPED = """
#include <sys/mman.h>
#include <pthread.h>
#include <thread>
int* place;
pthread_mutex_t* mutex;
int main() {
  char* const room = (char*)mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  place = (int*)room;  // the second page keeps it from growing where it is
  mutex = (pthread_mutex_t*)(place + 64);
  std::thread user([] { USE });
  ORDER
  UNMAP
  LATE
}
"""

USE = """
#include <thread>
int main() {
  int* block = new int(1);
  int seen = 0;
  std::thread reader([&] { seen = *block; });
  ORDER
  delete block;
  LATE
  return seen == 7;
}
"""

# Several uses of freed memory in one execution: each execution ends at its first, in the search as when it is run again.
TWO_USES = """
#include <cstdlib>
#include <stop_token>
#include <thread>
std::stop_source source;
int main() {
  std::thread a([] { std::stop_callback call(source.get_token(), [] {}); }), b([] { std::stop_callback call(source.get_token(), [] {}); });
#if WAITS
  a.join(), b.join();
#endif
  std::exit(0);
}
"""

OVERFLOW = """
#include <cstdlib>
#include <thread>
int main(int, char** argv) {
  int* p = new int[2]{};
  std::thread t([&] { volatile int v = p[std::atoi(argv[1])]; (void)v; });
  t.join();
  delete[] p;
}
"""


class MemoryFindings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def tarry(self, *arguments, **variables):
        ran = subprocess.run([TARRY, *arguments], cwd=self.folder, env={**os.environ, **variables}, capture_output=True, text=True, timeout=120, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        return ran.stdout

    def findings(self, text, compiler, option, *options, arguments=()):
        (self.folder / "program.cpp").write_text(text, encoding="utf-8")
        return json.loads(self.tarry("check", "program.cpp", option, "--cxx", compiler, "--json", *options, "--", *arguments))

    def check(self, text, compiler, option, *options, arguments=()):
        answer = self.findings(text, compiler, option, *options, arguments=arguments)
        return answer["verdict"], [finding["kind"] for finding in answer["findings"]]

    def test_stacks_of_ended_threads(self):
        for compiler, option in ways(0):
            for arguments in ((), ("late", "reads")):
                self.assertEqual(self.check(STACK, compiler, option, arguments=arguments), ("bug", ["memory"]), (compiler, option, arguments))
            self.assertEqual(self.check(STACK, compiler, option, arguments=("in time",)), ("verified", []), (compiler, option))
            self.assertEqual(self.check(IN_TIME, compiler, option), ("verified", []), (compiler, option))

    def test_thread_locals_of_ended_threads(self):
        self.assertEqual(self.check(THREAD_LOCAL, "g++", "-O2"), ("bug", ["memory"]))

    def test_stacks_of_ended_threads_with_address_sanitizer(self):
        for compiler, option in ways(1):
            self.assertEqual(self.check(STACK, compiler, option, "--asan"), ("bug", ["memory"]), (compiler, option))
            self.assertEqual(self.check(IN_TIME, compiler, option, "--asan"), ("verified", []), (compiler, option))

    def test_overflows_with_address_sanitizer(self):
        """Its report takes as many steps as the process has mappings: it is no part of the schedule, which is the same when the finding is run again."""
        for compiler, option in ways(0):
            self.assertEqual(self.check(OVERFLOW, compiler, option, "--asan", arguments=("2",)), ("bug", ["memory"]), (compiler, option))
            self.assertEqual(self.check(OVERFLOW, compiler, option, "--asan", arguments=("1",))[1], [], (compiler, option))

    def test_a_use_after_free_is_no_mere_race(self):
        late = USE.replace("ORDER", "").replace("LATE", "reader.join();")
        in_time = USE.replace("ORDER", "reader.join();").replace("LATE", "")
        for compiler, option in ways(0):
            verdict, kinds = self.check(late, compiler, option)
            self.assertEqual((verdict, kinds[0], "data-race" in kinds), ("bug", "memory", False), (compiler, option, kinds))
            self.assertEqual(self.check(in_time, compiler, option), ("verified", []), (compiler, option))

    def test_what_follows_a_use_after_free_is_no_nondeterminism(self):
        kinds = {finding["kind"] for finding in self.findings(TWO_USES, "g++", "-O1", "--explore", "--time", "20s", "-DWAITS=0")["findings"]}
        self.assertTrue(kinds and kinds <= {"memory", "data-race"}, kinds)
        self.assertEqual(self.findings(TWO_USES, "g++", "-O1", "--time", "10s", "-DWAITS=1")["findings"], [])

    def test_memory_that_is_mapped_again_is_new(self):
        for compiler, option in ways(1):
            self.assertEqual(self.check(MAPPED_TWICE, compiler, option), ("verified", []), (compiler, option))
            raced = MAPPED_TWICE.replace("*mine = 1;", "*mine = 1; ++*common;")
            self.assertEqual(self.check(raced, compiler, option), ("bug", ["data-race"]), (compiler, option))

    def test_uses_of_unmapped_memory(self):
        late = UNMAPPED.replace("ORDER", "").replace("LATE", "user.join();")
        in_time = UNMAPPED.replace("ORDER", "user.join();").replace("LATE", "")
        for use in ("*place = 1;", "pthread_mutex_lock(mutex); pthread_mutex_unlock(mutex);"):
            for end in ("munmap(place, 4096);", "if (mremap(place, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED) return 1;"):
                found = self.findings(late.replace("USE", use).replace("UNMAP", end), "g++", "-O1")["findings"]
                self.assertTrue({one["kind"] for one in found} <= {"memory", "crash"}, (use, end, found))  # a crash before the point of a lock
                self.assertTrue(found and all("unmap" in one["message"] for one in found), (use, end, found))
                self.assertEqual(self.check(in_time.replace("USE", use).replace("UNMAP", end), "g++", "-O1"), ("verified", []), (use, end))

    def test_traces_name_nothing_of_tarrys(self):
        (self.folder / "program.cpp").write_text(STACK.replace("int main(int count", "void detach() { std::thread([] {}).detach(); }\nint main(int count").replace("const bool reads", "detach(); const bool reads"), encoding="utf-8")
        out = self.tarry("check", "program.cpp", "-v")
        out += self.tarry("replay", re.search(r"tarry replay (\S+)", out).group(1), "-v")
        self.assertNotRegex(out, r"g_room|tarry::native")


if __name__ == "__main__":
    unittest.main()
