#!/usr/bin/env python3
"""What is not seen is told, and what is slow is no bug: functions that are not looked into, steps that take long once, libraries in C++ of programs in C."""

import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

TARRY = os.environ["TARRY"]

# wcslen is not looked into: called beside another thread, or before there is one.
UNSEEN = """
#include <atomic>
#include <cstdlib>
#include <cwchar>
#include <thread>
std::atomic<int> x;
wchar_t text[] = L"text";
char room[8];
int main() {
  const auto ask = [] { return static_cast<int>(wcstombs(room, text, 8)); };
#if BESIDE
  std::thread other([] { x = 1; });
  const int length = ask();
#else
  const int length = ask();
  std::thread other([] { x = 1; });
#endif
  other.join();
  return length == 0;
}
"""

# The step computes until a point in real time that the clocks of the program do not show: it takes long once, and no more after that.
SLOW_ONCE = """
#include <atomic>
#include <cstdlib>
#include <thread>
#include <x86intrin.h>
std::atomic<int> x;
int main(int, char** argv) {
  std::thread other([] { x = 1; });
  const unsigned long long until = std::strtoull(argv[1], nullptr, 10);
  while (__rdtsc() < until) {}
  x = 2;
  other.join();
}
"""
TICKS = """
#include <cstdio>
#include <unistd.h>
#include <x86intrin.h>
int main() { const auto from = __rdtsc(); usleep(200000); const auto to = __rdtsc(); std::printf("%llu", to + (to - from) * 5); }
"""
# Three times as long as nothing, and far from the limit.
BUSY = """
#include <atomic>
#include <thread>
std::atomic<int> x;
volatile unsigned sum;
int main() {
  std::thread other([] { x = 1; });
  for (unsigned i = 0; i < 100000000; i++) sum = i;
  x = 2;
  other.join();
}
"""

# More steps than an execution may have: what Tarry does where it is cut is no step of the program. The near miss has a step that never ends.
LONG = """
#include <atomic>
#include <thread>
std::atomic<int> x;
int main(int, char** argv) {
  const auto count = [] { for (int i = 0; i < 600000; i++) x++; };
  std::thread first(count), second(count);
  if (argv[1][0] == 'e') for (volatile int i = 0; ; i = i + 1) {}
  first.join();
  second.join();
}
"""

LIBRARY = """
#include <string>
static std::string text;
extern "C" void put_text() { text = "a text that is too long to be kept in the string itself"; }
extern "C" int text_size() { return static_cast<int>(text.find('z')); }
"""
MAIN = """
#include <pthread.h>
void put_text(void);
int text_size(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* run(void* unused) {
  if (LOCKED) pthread_mutex_lock(&mutex);
  put_text();
  if (LOCKED) pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  if (LOCKED) pthread_mutex_lock(&mutex);
  text_size();
  if (LOCKED) pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
}
"""

# What exec starts is not checked; an exec that fails changes nothing.
BECOMES = """
#include <unistd.h>
#include <atomic>
#include <cstdlib>
#include <thread>
std::atomic<int> x;
int main(int, char** argv) {
  std::thread other([] { x = 1; });
  other.join();
  if (getenv("AGAIN") == nullptr) {
    setenv("AGAIN", "1", 1);
    execv(argv[1], argv);
  }
}
"""
PROCESSORS = """
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <thread>
int main(int, char** argv) {
  cpu_set_t all;
  sched_getaffinity(0, sizeof all, &all);
  if (argv[1][0] == 'p') {
    int first = 0;
    while (!CPU_ISSET(first, &all)) ++first;
    CPU_ZERO(&all);
    CPU_SET(first, &all);
    sched_setaffinity(0, sizeof all, &all);
  }
  unsigned number = 0;
  std::thread other([&] {
    if (argv[1][0] == 'g') getcpu(&number, nullptr);
    else if (argv[1][0] == 's') syscall(SYS_getcpu, &number, nullptr, nullptr);
    else sched_getcpu();
  });
  other.join();
  return CPU_COUNT(&all) > 1;
}
"""

# A new thread may get the identity of one that has ended. In the first group it can be taken for it; in the second it cannot.
IDENTITIES = """
#include <atomic>
#include <pthread.h>
#include <string>
#include <thread>
std::atomic<std::thread::id> owner;
std::atomic<int*> place;
std::atomic<int> released;
thread_local int own;
int main(int, char** argv) {
  const std::string how = argv[1];
  if (how == "joined") {
    std::thread([] { owner = std::this_thread::get_id(); }).join();
    std::thread([] { released = owner.load() == std::this_thread::get_id(); }).join();
  } else if (how == "handle") {  // only the first one asks
    std::thread([] { owner = std::this_thread::get_id(); }).join();
    std::thread second([] {});
    released = second.get_id() == owner.load();
    second.join();
  } else if (how == "variable") {
    std::thread([] { place = &own; }).join();
    std::thread([] { released = place.load() == &own; }).join();
  } else if (how == "detached") {
    std::thread([] { owner = std::this_thread::get_id(), released = 1; }).detach();
    if (released.load() == 1) std::thread([] { released = owner.load() == std::this_thread::get_id(); }).join();
  } else if (how == "other joiner") {  // the second thread may be created after the first was joined
    std::thread joiner([] { std::thread([] { owner = std::this_thread::get_id(); }).join(); });
    std::thread second([] { released = owner.load() == std::this_thread::get_id(); });
    second.join(), joiner.join();
  } else if (how == "grandchild") {  // of the thread that has ended, created by its detached child
    std::thread first([] {
      owner = std::this_thread::get_id();
      std::thread([] {
        if (released.load() == 1) std::thread([] { released = owner.load() == std::this_thread::get_id(); }).join();
      }).detach();
    });
    first.join();
    released = 1;
  } else if (how == "grandchild within") {
    std::thread([] {
      owner = std::this_thread::get_id();
      std::thread([] { std::thread([] { released = owner.load() == std::this_thread::get_id(); }).join(); }).join();
    }).join();
  } else if (how == "together") {
    std::thread first([] { owner = std::this_thread::get_id(); });
    std::thread second([] { released = owner.load() == std::this_thread::get_id(); });
    first.join(), second.join();
  } else if (how == "no question") {
    std::thread([] { released = 1; }).join();
    std::thread([] { released = 2; }).join();
  } else if (how == "main") {
    owner = std::this_thread::get_id();
    std::thread([] { released = 1; }).join();
    std::thread([] { released = 2; }).join();
  } else if (how == "child") {  // created by the other one
    std::thread([] {
      owner = std::this_thread::get_id();
      std::thread([] { released = owner.load() == std::this_thread::get_id(); }).join();
    }).join();
  }
}
"""
# Accesses of more than 8 bytes are one step each. Natively the first group fails.
COPIES = """
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <string>
#include <thread>
struct Wide { long a[8]; } wide, ones = {{1, 1, 1, 1, 1, 1, 1, 1}};
char from[256], shared[256], out[256];
long word, other_word;
extern "C" const char* __tsan_default_suppressions() { return "race:copies_"; }
void copies_all() { memcpy(shared, from, sizeof shared); }
void copies_word() { memcpy(&word, from, sizeof word); }
int main(int, char** argv) {
  const std::string how = argv[1];
  memset(from, 1, sizeof from);
  if (how == "handler" || how == "handler of a word") {
    signal(SIGUSR1, how == "handler" ? [](int) { if (wide.a[0] != wide.a[7]) abort(); } : [](int) { if (word != 0 && word != 1) abort(); });
    const pthread_t self = pthread_self();
    std::thread sender([=] { pthread_kill(self, SIGUSR1); });
    if (how == "handler") wide = ones;
    else word = 1;
    sender.join();
  } else if (how == "race") {
    std::thread writer(copies_all);
    copies_all();
    writer.join();
  } else if (how == "race for a word") {
    std::thread writer(copies_word);
    copies_word();
    writer.join();
  } else if (how == "no race") {
    std::thread writer(copies_all);
    writer.join();
    memcpy(out, shared, sizeof out);
    if (out[0] != out[255]) abort();
  }
}
"""


# Fills twelve blocks of 100 MiB in one execution, each in a step of its own: the program itself, or a child. It computes for a while after each, so that the tool has looked
# before the next one. The near miss fills one.
FILLS = """
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <sys/wait.h>
#include <unistd.h>
std::atomic<int> x;
void compute() { for (volatile long n = 0; n < 100'000'000; n = n + 1) {} }
void fill(int blocks) { for (int i = 0; i < blocks; i++) std::memset(std::malloc(100 << 20), 1 + i, 100 << 20), x++, compute(); }
int main(int, char** argv) {
  std::thread other([] { x++; });
  if (argv[1][0] == 'c') {
    if (fork() == 0) fill(12), _exit(0);
    wait(nullptr);
  }
  if (argv[1][0] == 'p') fill(12);
  if (argv[1][0] == 's') fill(1);
  other.join();
}
"""
# More schedules than one second is enough for.
MANY = """
#include <atomic>
#include <thread>
std::atomic<int> x;
int main() {
  std::thread threads[8];
  for (auto& thread : threads) thread = std::thread([] { for (int i = 0; i < 9; i++) x++; });
  for (auto& thread : threads) thread.join();
}
"""
MODEL = """
#include <tarry/model.h>
struct Small {
  struct State { tarry::Upto<3> a[2]; TARRY_FIELDS(a) };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, tarry::Run& run) { if (s.a[p] == 2) return run.ended(); ++s.a[p]; }
};
TARRY_MODEL(Small)
"""
ENDLESS_MODEL = """
#include <tarry/model.h>
struct Large {
  struct State { std::uint32_t x[8]; TARRY_FIELDS(x) };
  static constexpr int processes = 8;
  State initial() { return {}; }
  void step(State& s, int p, tarry::Run&) { s.x[p]++; }
};
TARRY_MODEL(Large)
"""
P = """
event e;
machine Main { start state S { entry { send this, e; } on e do { } } }
test t [main = Main]: { Main };
"""
OVER_THE_LIMIT = """
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
int main(int, char** argv) {
  std::thread([] {}).join();
  struct sigaction action;
  sigaction(SIGXFSZ, nullptr, &action);
  return (action.sa_handler == SIG_IGN) == (argv[1][0] == 'i') && action.sa_handler != SIG_ERR && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) ? 0 : 1;
}
"""


class Inherited(unittest.TestCase):
    """Limits that the shell sets are told by name, with what lifts them. They are no error of Tarry's, and no finding."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name, text in (("many", MANY), ("fills", FILLS), ("over", OVER_THE_LIMIT)):
            (cls.folder / f"{name}.cpp").write_text(text, encoding="utf-8")
            subprocess.run([TARRY, "c++", "-std=c++20", "-O1", "-g", f"{name}.cpp", "-o", name, "-pthread"], cwd=cls.folder, check=True)
        for name, text in (("small.cpp", MODEL), ("large.cpp", ENDLESS_MODEL), ("p.p", P)):
            (cls.folder / name).write_text(text, encoding="utf-8")
        for target in ("small.cpp", "large.cpp"):  # the compiler is not to meet the limits
            cls.checked("", target, "--time", "1s", "--memory", "200M")

    @classmethod
    def checked(cls, limits, target, *options, after=()):
        command = f"{limits} exec \"$@\""
        return subprocess.run(["bash", "-c", command, "bash", TARRY, "check", target, "--no-progress", *options, *after], cwd=cls.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=400, check=False)

    def refused(self, limits, words, target, *options, after=()):
        with self.subTest(limits=limits, target=target):
            ran = self.checked(limits, target, *options, after=after)
            self.assertEqual((ran.returncode, ran.stderr.count("\n")), (2, 1), ran)
            for word in words:
                self.assertIn(word, ran.stderr)

    def test_the_address_space(self):
        for limit in ("200000", "8000000", "20000000", "100000000"):
            self.refused(f"ulimit -v {limit};", ["a program with threads needs 18.0 TiB", "RLIMIT_AS", "'ulimit -v unlimited'"], "./many")
        for limit in ("200000", "8000000"):
            for target in ("small.cpp", "p.p"):
                self.refused(f"ulimit -v {limit};", ["RLIMIT_AS", "'ulimit -v unlimited'"], target, "--memory", "4G")
        for target in ("./over", "small.cpp", "p.p"):  # as much as is said to be enough
            ran = self.checked("ulimit -v $((18 << 30));", target, "--memory", "1G", after=("--", "d") if target == "./over" else ())
            self.assertEqual(ran.returncode, 0, ran)

    def test_memory_that_may_be_written(self):
        for target in ("./many", "small.cpp", "p.p"):
            self.refused("ulimit -d 1000000;", ["RLIMIT_DATA", "'ulimit -d unlimited'"], target, "--memory", "4G")

    def test_the_size_of_files(self):
        for limit in ("1", "100"):
            self.refused(f"ulimit -f {limit};", ["RLIMIT_FSIZE", "'ulimit -f unlimited'"], "./many")
        ran = self.checked("ulimit -f 0;", "small.cpp", "--json", "--junit", "report.xml")
        self.assertEqual(ran.returncode, 2, ran)
        self.assertIn("report.xml: error: cannot be written: File too large", ran.stderr)
        self.assertFalse([file for file in self.folder.iterdir() if file.name == "report.xml" or file.suffix == ".tmp"])

    def test_the_program_has_the_disposition_that_was_inherited(self):
        for ignored, how in (("", "d"), ("trap '' XFSZ;", "i")):
            ran = self.checked(ignored, "./over", after=("--", how))
            self.assertEqual(ran.returncode, 0, ran)
            ran = self.checked(ignored, "./over", "--expect-exit", "0", after=("--", "d" if how == "i" else "i"))
            self.assertEqual(ran.returncode, 1, ran)

    def test_the_time_of_the_processor(self):
        for limit in ("ulimit -t 1;", "ulimit -S -t 1;"):
            self.refused(limit, ["RLIMIT_CPU", "limited to 1.00 s", "'ulimit -t unlimited'"], "./many", "--search", "dfs", "--cache", "none", "--jobs", "1")
            self.refused(limit, ["RLIMIT_CPU", "limited to 1.00 s", "'ulimit -t unlimited'"], "large.cpp", "--search", "random-walk", "--jobs", "1")

    def most_held(self, *options):
        """MiB that the tool and all its descendants held together, sampled; and what it said."""
        process = subprocess.Popen([TARRY, "check", "./fills", "--no-progress", "--time", "60s", *options], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        most = 0
        while process.poll() is None:
            held, ask = 0, [process.pid]
            for number in ask:
                try:
                    held += int(pathlib.Path(f"/proc/{number}/statm").read_text(encoding="utf-8").split()[1]) * 4096
                    ask += map(int, pathlib.Path(f"/proc/{number}/task/{number}/children").read_text(encoding="utf-8").split())
                except (OSError, IndexError):  # it has ended
                    pass
            most = max(most, held)
            time.sleep(0.005)
        return most >> 20, process.communicate()[0], process.returncode

    def test_memory_is_kept_by_programs_that_allocate(self):
        """What the program takes until the tool looks comes on top: one look, and 100 MiB for each worker. Each would fill 1,200 MiB."""
        for how, jobs, fresh in (("p", "1", ()), ("p", "2", ()), ("c", "1", ("--fresh",))):
            with self.subTest(how=how, jobs=jobs):
                held, out, code = self.most_held("--memory", "400M", "--jobs", jobs, *fresh, "--", how)
                self.assertEqual(code, 0, out)
                self.assertIn("stopped by --memory 400M", out)
                self.assertLess(held, 400 + 400 * int(jobs), out)
        held, out, code = self.most_held("--memory", "2G", "--jobs", "1", "--", "s")
        self.assertIn("verified: all", out)
        self.assertGreater(held, 100)


class LimitsTold(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_in_folder(self, *command):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=400, check=True).stdout

    def check(self, text, *options, arguments=()):
        (self.folder / "program.cpp").write_text(text, encoding="utf-8")
        return self.checked("program.cpp", *options, arguments=arguments)

    def checked(self, target, *options, arguments=()):
        ran = subprocess.run([TARRY, "check", target, "--json", "--no-progress", *options, "--", *arguments], cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=400, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        return json.loads(ran.stdout)

    def test_functions_that_are_not_looked_into_are_named(self):
        answer = self.check(UNSEEN.replace("BESIDE", "1"))
        self.assertEqual(answer["verdict"], "verified")
        self.assertTrue(any("wcstombs" in note for note in answer["notes"]), answer["notes"])
        self.assertIn("what Tarry controls (see the notes)", answer.get("assumes", []))
        self.assertFalse(any("wcstombs" in note for note in self.check(UNSEEN.replace("BESIDE", "0"))["notes"]))

    def test_exec_is_told(self):
        for search in ("portfolio", "dpor"):
            for file, told in (("/proc/self/exe", True), ("/nowhere", False)):
                with self.subTest(search=search, file=file):
                    answer = self.check(BECOMES, "--search", search, arguments=(file,))
                    self.assertEqual((answer["verdict"], answer["findings"]), ("verified", []), answer)
                    self.assertEqual("what Tarry controls (see the notes)" in answer.get("assumes", []), told, answer)
                    self.assertEqual(any("(exec)" in note for note in answer["notes"]), told, answer["notes"])

    def told(self, text, words, tell, silent, *options):
        for how in (*tell, *silent):
            with self.subTest(how):
                answer = self.check(text, *options, arguments=(how,))
                self.assertEqual((answer["verdict"], answer["findings"]), ("verified", []), answer)
                self.assertEqual("what Tarry controls (see the notes)" in answer.get("assumes", []), how in tell, answer)
                self.assertEqual(any(words in note for note in answer["notes"]), how in tell, answer["notes"])

    def test_identities_of_threads_that_have_ended_are_told(self):
        self.told(IDENTITIES, "identities of threads", ("joined", "handle", "variable", "detached", "other joiner", "grandchild"), ("together", "no question", "main", "child", "grandchild within"))

    def test_copies_that_are_one_step_are_told(self):
        for options in ((), ("--search", "preemption-bounded")):
            self.told(COPIES, "more than 8 bytes", ("handler", "race"), ("handler of a word", "race for a word", "no race"), *options)
        # With so many points a handler comes to the limit of how late it may run, which is told, too.
        self.told(COPIES, "more than 8 bytes", ("handler", "race"), ("race for a word", "no race"), "--points", "all")

    def test_questions_for_the_processor_are_told(self):
        several = len(os.sched_getaffinity(0)) > 1
        for how in ("any", "getcpu", "syscall", "pinned"):
            with self.subTest(how):
                answer = self.check(PROCESSORS, arguments=(how,))
                self.assertEqual(answer["verdict"], "verified", answer)
                self.assertEqual(any("sched_getcpu" in note for note in answer["notes"]), several and how != "pinned", answer["notes"])

    def test_a_step_that_took_long_once_is_no_finding(self):
        (self.folder / "ticks.cpp").write_text(TICKS, encoding="utf-8")
        self.run_in_folder("c++", "-O1", "ticks.cpp", "-o", "ticks")
        (self.folder / "program.cpp").write_text(SLOW_ONCE, encoding="utf-8")
        self.run_in_folder(TARRY, "c++", "-std=c++20", "-O1", "-g", "program.cpp", "-o", "program", "-pthread")
        answer = self.checked("./program", "--step-timeout", "500ms", "--jobs", "1", arguments=[self.run_in_folder("./ticks")])
        self.assertEqual(answer["findings"], [])
        # The note, unless the machine was so busy that the step got less than half a second of it.
        self.assertTrue(answer["verdict"] == "verified" or any("--step-timeout 0.5 s" in note for note in answer["notes"]), (answer["verdict"], answer["notes"]))

    def test_work_at_the_end_of_a_long_execution_is_no_step(self):
        for search in ("portfolio", "preemption-bounded"):
            with self.subTest(search):
                answer = self.check(LONG, "--step-timeout", "1s", "--jobs", "1", "--search", search, "--time", "10s", arguments=("right",))
                self.assertEqual((answer["verdict"], answer["findings"]), ("no-bug-found", []), answer)
                self.assertLess(answer["search_seconds"], 15)
        endless = self.check(LONG, "--step-timeout", "1s", "--jobs", "1", arguments=("endless",))
        self.assertEqual([finding["kind"] for finding in endless["findings"]], ["nontermination"], endless)

    def test_a_step_that_computes_is_no_finding(self):
        answer = self.check(BUSY, "--step-timeout", "10s", "--jobs", "1", "--search", "dfs", "--time", "300s")
        self.assertEqual((answer["findings"], answer["verdict"]), ([], "verified"))

    def test_libraries_in_cxx_of_programs_in_c_are_seen(self):
        (self.folder / "library.cpp").write_text(LIBRARY, encoding="utf-8")
        self.run_in_folder(TARRY, "c++", "-O2", "-g", "-fPIC", "-shared", "library.cpp", "-o", "libtext.so")
        for locked, verdict, kinds in (("0", "bug", {"data-race"}), ("1", "verified", set())):
            (self.folder / "main.c").write_text(MAIN.replace("LOCKED", locked), encoding="utf-8")
            self.run_in_folder(TARRY, "cc", "-O2", "-g", "main.c", "-o", "main", "-L.", "-ltext", f"-Wl,-rpath,{self.folder}", "-pthread")
            answer = self.checked("./main")
            self.assertEqual((answer["verdict"], {finding["kind"] for finding in answer["findings"]}), (verdict, kinds))


if __name__ == "__main__":
    unittest.main()
