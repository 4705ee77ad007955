#!/usr/bin/env python3
"""What happens at the end of a thread: cancellation that is caught, promises that become ready then, accesses that are left by a jump, calls that look for it."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import check, ways  # noqa: E402
from harness import compiled_ahead as compiled  # noqa: E402

CAUGHT = """#include <pthread.h>
#include <unistd.h>
void* ends(void*) {
  try {
    if (EXITS) pthread_exit(nullptr);
    while (true) pause();
  } catch (...) {
    PASS_ON;
  }
  return nullptr;
}
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, ends, nullptr);
  if (!EXITS) pthread_cancel(thread);
  pthread_join(thread, nullptr);
}
"""

# The value is there before the thread ends; whoever gets it is behind the destructors of the thread.
AT_EXIT = """#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <cstdlib>
int n;
bool late;  // when the thread ends
struct Last { int x = 0; ~Last() { n = 5; } };
thread_local Last last;
std::mutex mutex;
std::condition_variable& condition = *new std::condition_variable;  // never destroyed: a detached thread unlocks, then notifies, maybe while the program ends
bool ready;
void promise() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread thread([&] { last.x = 1, late ? promise.set_value_at_thread_exit(7) : promise.set_value(7); });
  assert(future.get() == 7);
  assert(n == 5);
  thread.join();
}
void task() {
  std::packaged_task<int()> task([] { last.x = 1; return 7; });
  auto future = task.get_future();
  std::thread thread([&] { late ? task.make_ready_at_thread_exit() : task(); });
  assert(future.get() == 7);
  assert(n == 5);
  thread.join();
}
void notified() {
  std::thread([] {
    last.x = 1;
    std::unique_lock lock(mutex);
    ready = true;
    if (late) std::notify_all_at_thread_exit(condition, std::move(lock));
    else condition.notify_all();
  }).detach();
  std::unique_lock lock(mutex);
  condition.wait(lock, [] { return ready; });
  assert(n == 5);
}
void in_main() {  // its own thread ends with the program
  static std::promise<int> promise;
  static auto future = promise.get_future();
  promise.set_value_at_thread_exit(7);
  assert(future.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
}
int main(int, char** arguments) {
  void (*const all[])() = {promise, task, notified, in_main};
  late = std::atoi(arguments[2]) != 0;
  all[std::atoi(arguments[1])]();
}
"""

PROTECTED = """#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <cassert>
#include <thread>
char* page;
thread_local sigjmp_buf way_out;
void leave(int) { if (RETURNS) mprotect(page, 4096, PROT_READ | PROT_WRITE); else siglongjmp(way_out, 1); }
void touch() {
  if (sigsetjmp(way_out, 1) == 0) {
    page[1] = 1;
    assert(RETURNS);
  }
}
int main() {
  signal(SIGSEGV, leave);
  page = static_cast<char*>(mmap(nullptr, 4096, PROTECTION, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::thread thread(touch);
  touch();
  thread.join();
}
"""

# The thread has done its last operation, and may not have ended yet. `sure` is the mistake: what the call says is taken for granted, one way or the other.
LOOKED_FOR = """#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
std::atomic<int> done, number;
void* last(void*) {
  number = gettid();
  done = 1;
  return nullptr;
}
pthread_t thread;
bool joined;
bool tries() { return joined = pthread_tryjoin_np(thread, nullptr) == 0; }
bool waits() { const timespec past{0, 0}; return joined = pthread_timedjoin_np(thread, nullptr, &past) == 0; }
bool waits_by_clock() { const timespec past{0, 0}; return joined = pthread_clockjoin_np(thread, nullptr, CLOCK_MONOTONIC, &past) == 0; }
bool signals() { return syscall(SYS_tgkill, getpid(), number.load(), 0) == -1 && errno == ESRCH; }
bool asks() { return sched_getscheduler(number) == -1 && errno == ESRCH; }
int main(int, char** arguments) {
  bool (*const all[])() = {tries, waits, waits_by_clock, signals, asks};
  pthread_create(&thread, nullptr, last, nullptr);
  while (done == 0) sched_yield();
  const bool ended = all[std::atoi(arguments[1])]();
  const int sure = std::atoi(arguments[2]);
  assert(sure == 0 || ended == (sure == 1));
  if (!joined) pthread_join(thread, nullptr);
  std::printf("%d\\n", ended);
}
"""

# Two threads that end, and one that looks at both and at what they did.
TWO_ENDS = """#include <pthread.h>
#include <atomic>
#include <cstdio>
std::atomic<int> x;
void* add(void* what) {
  x += static_cast<int>(reinterpret_cast<long>(what));
  return nullptr;
}
int main() {
  pthread_t first, second;
  pthread_create(&first, nullptr, add, reinterpret_cast<void*>(1));
  pthread_create(&second, nullptr, add, reinterpret_cast<void*>(2));
  const bool one = pthread_tryjoin_np(first, nullptr) == 0;
  const int seen = x;
  const bool two = pthread_tryjoin_np(second, nullptr) == 0;
  if (!one) pthread_join(first, nullptr);
  if (!two) pthread_join(second, nullptr);
  std::printf("%d %d %d\\n", one, seen, two);
}
"""
# By hand: x is 1 or 3 if the first has ended. If x was 0, 1 or 2, each thread may have ended when it is asked for, or not.
OUTCOMES_OF_TWO = {f"{one} {seen} {two}" for one in (0, 1) for seen in (0, 1, 2, 3) for two in (0, 1) if one == 0 or seen in (1, 3)}


class EndsOfThreads(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def answers(self, text, *flags, arguments=((),), turn=0):
        source = pathlib.Path(self.folder.name) / "program.cpp"
        source.write_text(text)
        for compiler, level in ways(turn):
            program = compiled(self.folder.name, source, *flags, compiler=compiler, level=level)
            for given in arguments:
                with self.subTest(flags=flags, compiler=compiler, level=level, arguments=given):
                    yield check(program, "--time", "60s", arguments=given)

    def all_verified(self, text, *flags, **how):
        for answer in self.answers(text, *flags, **how):
            self.assertEqual((answer["verdict"], answer["kinds"]), ("verified", []), answer)

    def all_find(self, kinds, text, *flags, **how):
        for answer in self.answers(text, *flags, **how):
            self.assertTrue(answer["kinds"] and set(answer["kinds"]) <= set(kinds), answer)

    def test_a_catch_that_does_not_pass_on_the_end_of_a_thread_is_a_crash(self):
        for exits in (0, 1):
            for answer in self.answers(CAUGHT, f"-DEXITS={exits}", "-DPASS_ON=", turn=exits):
                self.assertEqual(answer["kinds"], ["crash"])
                self.assertIn("exception not rethrown", answer["findings"][0]["message"])
            self.all_verified(CAUGHT, f"-DEXITS={exits}", "-DPASS_ON=throw", turn=exits)

    def test_what_becomes_ready_at_the_end_of_a_thread(self):
        self.all_verified(AT_EXIT, arguments=[(which, 1) for which in range(4)])

    def test_what_becomes_ready_before(self):
        self.all_find({"assertion", "data-race", "memory"}, AT_EXIT, arguments=[(which, 0) for which in range(3)], turn=1)

    def test_an_access_that_a_handler_leaves_by_a_jump_does_not_race(self):
        for turn, protection in enumerate(("PROT_NONE", "PROT_READ")):
            self.all_verified(PROTECTED, "-DRETURNS=0", f"-DPROTECTION={protection}", turn=turn)

    def test_an_access_that_takes_place_after_its_handler_does(self):
        self.all_find({"data-race"}, PROTECTED, "-DRETURNS=1", "-DPROTECTION=PROT_NONE", turn=1)

    def look(self, *options, arguments, text=LOOKED_FOR):
        source = pathlib.Path(self.folder.name) / "program.cpp"
        source.write_text(text)
        return check(compiled(self.folder.name, source), "--time", "60s", *options, arguments=arguments)

    def test_calls_that_look_for_the_end_find_it_or_not(self):
        for which in range(5):
            for search in ("portfolio", "dfs", "dpor"):
                for sure in (1, 2):
                    with self.subTest(which=which, search=search, sure=sure):
                        answer = self.look("--search", search, arguments=(which, sure))
                        self.assertEqual(answer["kinds"], ["assertion"], answer)
                with self.subTest(which=which, search=search):
                    answer = self.look("--search", search, "--outcomes", arguments=(which, 0))
                    self.assertEqual((answer["verdict"], {one["output"] for one in answer["outcomes"]}), ("verified", {"0\n", "1\n"}), answer)

    def test_searches_agree_on_two_ends(self):
        for options in (("--search", "portfolio"), ("--search", "dfs", "--cache", "none"), ("--search", "dpor")):
            with self.subTest(options=options):
                answer = self.look(*options, "--outcomes", arguments=(), text=TWO_ENDS)
                self.assertEqual((answer["verdict"], {one["output"].strip() for one in answer["outcomes"]}), ("verified", OUTCOMES_OF_TWO), answer)


if __name__ == "__main__":
    unittest.main()
