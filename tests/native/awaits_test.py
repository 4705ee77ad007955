#!/usr/bin/env python3
"""Threads that wait in loops: no alarm on correct programs, which are verified; mistakes in them are found; what nobody can end is told."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import ALL, COMPILERS, HERE, TARRY, check, ways  # noqa: E402
from harness import compiled_ahead as compiled  # noqa: E402

SPINS = HERE / "spins.cpp"
BUGS = {0: "data-race", 1: "data-race", 2: "livelock", 3: "data-race", 4: "data-race", 5: "data-race", 6: "assertion", 7: "data-race", 8: "deadlock", 9: "livelock"}

# More steps than the usual limit, without a yield. Nothing is wrong with them.
LONG = {"increments": """#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> n;
void add() { for (int i = 0; i < 6000; ++i) n.fetch_add(1); }
int main() { std::thread t(add); add(); t.join(); assert(n == 12000); }
""", "push_backs": """#include <cassert>
#include <mutex>
#include <thread>
#include <vector>
std::mutex m;
std::vector<int> v;
void add() { for (int i = 0; i < 3000; ++i) { std::scoped_lock lock(m); v.push_back(i); } }
int main() { std::thread t(add); add(); t.join(); assert(v.size() == 6000); }
"""}

# Goes round and round with effects, and never yields.
# STOPS: the thread goes round once.
BESIDE = """#include <atomic>
#include <thread>
std::atomic<int> n, stop;
int main() {
#ifdef STOPS
  std::thread thread([] { if (!stop) n++; });
#else
  std::thread thread([] { while (!stop) n++; });
#endif
  while (n < 1);
  stop = 1;
  thread.join();
}
"""

SELFISH = """#include <atomic>
#include <thread>
std::atomic<int> turn, noise;
int main() {
  std::thread other([] { turn = 1; });
  while (turn == 0) noise.exchange(1), noise.exchange(0);
  other.join();
}
"""


# Loops of attempts that fail, and of questions. POST is what ends them.
ATTEMPTS = """#include <cerrno>
#include <pthread.h>
#include <semaphore.h>
#include <thread>
sem_t asked, tried;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
void* asks(void*) { for (int value = 0; value < 1;) sem_getvalue(&asked, &value); return nullptr; }
void* tries(void*) { while (sem_trywait(&tried) != 0) {} return nullptr; }
void* locks(void*) { while (pthread_rwlock_trywrlock(&lock) != 0) {} pthread_rwlock_unlock(&lock); return nullptr; }
int main() {
  pthread_t other;
  sem_init(&asked, 0, 0), sem_init(&tried, 0, 0), pthread_rwlock_rdlock(&lock);
  pthread_create(&other, nullptr, WHICH, nullptr);
  POST;
  while (pthread_tryjoin_np(other, nullptr) == EBUSY) {}
}
"""


# A lock that looks LIMIT times, yields, looks LIMIT times, sleeps, and so on. FORGET: one does not give it back.
ADAPTIVE = """#include <atomic>
#include <chrono>
#include <thread>
std::atomic<int> word;
void wait(int& looks) {
  if (looks < LIMIT) ++looks;
  else if (looks == LIMIT) std::this_thread::yield(), ++looks;
  else std::this_thread::sleep_for(std::chrono::microseconds(10)), looks = 0;
}
void use(bool gives_back) {
  for (int looks = 0;; wait(looks))
    if (int free = 0; word.load() == 0 && word.compare_exchange_strong(free, 1)) break;
  if (gives_back) word.store(0);
}
int main() {
  std::thread a(use, true), b(use, true);
  use(!FORGET);
  a.join(), b.join();
}
"""

# What the loops look at is read and set by assembly, which nobody sees. Right after its last operation main sets it, or (FORGET) does not.
ASSEMBLY = """#include <pthread.h>
#include <sched.h>
#include <unistd.h>
static int word, turn;
static int get(int* at) { int value; __asm__ __volatile__("movl %1, %0" : "=r"(value) : "m"(*(volatile int*)at) : "memory"); return value; }
static void set(int* at, int value) { __asm__ __volatile__("movl %1, %0" : "=m"(*(volatile int*)at) : "r"(value) : "memory"); }
static void* waits(void* unused) { while (get(&word) == 0) REST; return unused; }
static void* waits_for_turn(void* unused) { while (get(&turn) == 0) REST; set(&word, 1); return unused; }
int main() {
  pthread_t threads[3];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], nullptr, waits, nullptr);
  pthread_create(&threads[2], nullptr, waits_for_turn, nullptr);
  sched_yield();
  if (!FORGET) set(&turn, 1);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}
"""


class Awaits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def program(self, which, *flags, **how):
        return compiled(self.folder.name, SPINS, f"-DWHICH={which}", *flags, **how)

    def verified(self, program, *options, **how):
        answer = check(program, "--time", "120s", *options, **how)
        self.assertEqual((answer["verdict"], answer["kinds"], answer.get("assumes")), ("verified", [], None), f"{program} {answer['verdict_text']}")
        return answer

    def test_attempts_that_fail_and_questions_are_looks(self):
        source = pathlib.Path(self.folder.name) / "attempts.cpp"
        source.write_text(ATTEMPTS)
        for which, post in {"asks": "sem_post(&asked)", "tries": "sem_post(&tried)", "locks": "pthread_rwlock_unlock(&lock)"}.items():
            with self.subTest(which):
                self.verified(compiled(self.folder.name, source, f"-DWHICH={which}", f"-DPOST={post}"))
                self.assertEqual(check(compiled(self.folder.name, source, f"-DWHICH={which}", "-DPOST="), "--time", "60s")["kinds"], ["livelock"])

    def test_correct_ones_are_verified(self):
        for which in BUGS:
            for compiler, level in ways(which):
                if which == 5 and compiler == "clang++":
                    continue  # its libstdc++ is g++'s, and the same
                with self.subTest(which=which, compiler=compiler, level=level):
                    # libstdc++ 12 gives the lock of an atomic shared_ptr back without a release after a load: a race, by the letter.
                    options = ["--races", "report"] if which == 5 else []
                    self.verified(self.program(which, compiler=compiler, level=level), *options)

    def test_whatever_they_do_in_between(self):
        for which in (0, 1, 2, 3, 8):
            for pause in (0, 2, 3):
                with self.subTest(which=which, pause=pause):
                    self.verified(self.program(which, f"-DPAUSE={pause}"))

    def test_two_workers(self):
        for which in (1, 2, 4):
            with self.subTest(which=which):
                self.verified(self.program(which), jobs=2)

    def test_without_the_cache_nothing_else_is_found(self):
        for which in (0, 3, 6, 7):
            with self.subTest(which=which):
                self.verified(self.program(which), "--search", "dfs", "--cache", "none")

    def test_mistakes_are_found_and_replay(self):
        for which, kind in BUGS.items():
            with self.subTest(which=which):
                program = self.program(which, "-DBUG=1")
                answer = check(program, "--time", "120s")
                self.assertIn(kind, answer["kinds"])
                for finding in answer["findings"]:
                    again = subprocess.run([TARRY, "replay", finding["trace"]], capture_output=True, text=True, cwd=self.folder.name, check=False)
                    self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
                    self.assertIn(finding["kind"] + ":", again.stdout)

    def test_who_waits_for_ever_is_told(self):
        answer = check(self.program(9, "-DBUG=1"))
        self.assertIn("waits in a loop until done changes", answer["findings"][0]["message"])
        again = subprocess.run([TARRY, "replay", answer["findings"][0]["trace"]], capture_output=True, text=True, cwd=self.folder.name, check=False)
        self.assertIn("waits until it changes", again.stdout)

    def test_looks_that_are_counted_before_a_yield(self):
        source = pathlib.Path(self.folder.name) / "adaptive.cpp"
        source.write_text(ADAPTIVE)
        for limit in (3, 100, 250, 300, 1000) if ALL else (100, 300):
            with self.subTest(limit=limit):
                self.assertEqual(check(compiled(self.folder.name, source, f"-DLIMIT={limit}", "-DFORGET=0"), "--time", "12s" if limit == 300 else "6s")["kinds"], [])
                forgotten = check(compiled(self.folder.name, source, f"-DLIMIT={limit}", "-DFORGET=1"), "--time", "60s")
                self.assertEqual(forgotten["kinds"], ["livelock"])

    def test_what_assembly_sets_is_looked_at_again(self):
        source = pathlib.Path(self.folder.name) / "assembly.cpp"
        source.write_text(ASSEMBLY)
        for compiler in COMPILERS:
            for turn, level, rest in ((2, "-O0", "sched_yield()"), (0, "-O2", "sched_yield()"), (3, "-O2", "usleep(1)")):
                if (compiler, level) not in ways(turn):
                    continue
                with self.subTest(compiler=compiler, level=level, rest=rest):
                    how = {"compiler": compiler, "level": level}
                    right = compiled(self.folder.name, source, f"-DREST={rest}", "-DFORGET=0", **how)
                    for search in ([], ["--search", "dpor"], ["--search", "dfs", "--cache", "none"]):
                        self.assertEqual((check(right, *search, "--time", "60s")["verdict"], search), ("verified", search))
                    wrong = check(compiled(self.folder.name, source, f"-DREST={rest}", "-DFORGET=1", **how), "--time", "60s")
                    self.assertEqual(wrong["kinds"], ["livelock"])
                    again = subprocess.run([TARRY, "replay", wrong["findings"][0]["trace"]], capture_output=True, text=True, cwd=self.folder.name, check=False)
                    self.assertIn("livelock:", again.stdout)

    def test_the_good_samaritan_is_a_note(self):
        program = self.program(9, "-DPAUSE=0")
        answer = self.verified(program)
        self.assertTrue(any("without yielding" in note and "spins.cpp" in note for note in answer["notes"]), answer["notes"])
        self.assertEqual(check(program, "--samaritan", "error")["kinds"], ["good-samaritan"])
        self.assertFalse(any("without yielding" in note for note in self.verified(program, "--samaritan", "ignore")["notes"]))
        for pause in (1, 2, 3):
            quiet = self.verified(self.program(9, f"-DPAUSE={pause}", level="-O2"), "--samaritan", "error")
            self.assertFalse(any("without yielding" in note for note in quiet["notes"]), quiet["notes"])

    def test_loops_with_effects_and_without_yields_are_a_bug(self):
        source = pathlib.Path(self.folder.name) / "selfish.cpp"
        source.write_text(SELFISH, encoding="utf-8")
        self.assertEqual(check(compiled(self.folder.name, source))["kinds"], ["good-samaritan"])

    def test_a_loop_with_effects_beside_one_that_waits(self):
        """The loop of main, which only waits, is told as a note; that of the thread is what is found, and its replay shows it."""
        source = pathlib.Path(self.folder.name) / "beside.cpp"
        source.write_text(BESIDE, encoding="utf-8")
        for stop in ("", "-DSTOPS"):
            with self.subTest(stop=stop):
                program = compiled(self.folder.name, source, *([stop] if stop else []))
                answer = check(program, "--jobs", "1", "--time", "60s")
                self.assertEqual(answer["kinds"], [] if stop else ["good-samaritan"])
                self.assertTrue(any("main waits in a loop" in note for note in answer["notes"]), answer["notes"])
                if stop:
                    self.assertEqual(answer["verdict"], "verified")
                    continue
                again = subprocess.run([TARRY, "replay", answer["findings"][0]["trace"]], capture_output=True, text=True, cwd=self.folder.name, check=False)
                self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
                self.assertIn("reproduced good-samaritan", again.stdout + again.stderr)

    def test_long_executions_are_no_finding(self):
        for name, text in LONG.items():
            with self.subTest(name):
                source = pathlib.Path(self.folder.name) / f"{name}.cpp"
                source.write_text(text, encoding="utf-8")
                answer = check(compiled(self.folder.name, source), "--time", "5s")
                self.assertEqual((answer["kinds"], answer["verdict"]), ([], "no-bug-found"))
                self.assertGreater(answer["depth"], 12_000)


if __name__ == "__main__":
    unittest.main()
