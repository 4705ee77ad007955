#!/usr/bin/env python3
"""Partial-order reduction on native threads: numbers of traces that are known, the outcomes of every primitive, random programs.

The programs are those of primitives_test.py and of drawn_programs_test.py, whose outcomes come from brute force. Where a program is none for
partial-order reduction, that is said, and never "verified".
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).parent / name) for name in ("drawn", "dpor", "../support")]

from harness import check as check_drawn, compiled, difference  # noqa: E402
from programs import drawn  # noqa: E402
from trace_model import CLASSICS, classic, fibonacci, philosophers, readers  # noqa: E402
from ways import ALL, some  # noqa: E402

TARRY = os.environ["TARRY"]
TESTS = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests"
PRIMITIVES = [TESTS / "native_programs" / "primitives", TESTS / "native" / "primitives"]
COUNTED = TESTS / "native" / "dpor"
REFUSED = "partial-order reduction is not possible"
KNOWN_DEADLOCKS = {"counting_semaphore_last"}  # as in primitives_test.py
# They handle signals, use timers, or go on behind a failure.
NOT_FOR_IT = {
    "mutex_lock_order", "mutex_self_deadlock", "alarm_handler", "alarm_interrupts", "circle_of_two", "kill_thread",
    "self_while_others_run", "signal_at_end", "signal_between_steps", "signal_mask", "signal_pause_lost", "signal_process", "signal_process_waits", "signal_suspend", "timer_disarmed",
    "timer_periodic", "timer_signal", "timerfd_order", "timerfd_poll", "timerfd_read",
}

# Buffers are flushed in the middle of the program, and by _exit not at its end.
FLUSHES = """#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void* writes(void* text) { fputs(text, stdout); FLUSH; return 0; }
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, writes, "a"), pthread_create(&b, 0, writes, "b");
  pthread_join(a, 0), pthread_join(b, 0);
  printf("x\\n");
  FLUSH;
  _exit(0);
}
"""

# One thread takes the address for a sign that nothing has changed, and the other has freed the block and got it again.
REUSED = """#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int*> place{new int(1)};
std::atomic<bool> changed;
int main() {
  std::thread looks([] { int* seen = place; if (int* same = seen; place.compare_exchange_strong(same, nullptr)) assert(!changed || WRONG); });
  std::thread changes([] { if (int* mine = place.exchange(nullptr)) { changed = true; delete mine; place = new int(2); } });
  looks.join(), changes.join();
}
"""

STREAMS = """#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int ends[2], got;
static FILE* file;
static void* a(void* x) { fputc('a', file); return x; }
static void* b(void* x) { if (write(ends[1], "2", 1) == 1) fputc('b', file); return x; }
static void* c(void* x) { char byte; got = (int)read(ends[0], &byte, 1); return x; }
int main(void) {
  if (pipe2(ends, O_NONBLOCK) != 0) return 1;
  file = tmpfile();
  pthread_t t[3];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_create(&t[2], 0, c, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  rewind(file);
  printf("%c %d\\n", fgetc(file), got);
}
"""

# From its second execution on, a semaphore is empty where the first one took it: the base of gs is kept by nobody.
OTHERWISE = """#include <pthread.h>
#include <semaphore.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t full, empty;
static void* waits(void* x) { sem_wait(&full); return x; }
static void* locks(void* x) { pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex); return x; }
int main(void) {
  unsigned long executions;
  __asm__ volatile("rdgsbase %0" : "=r"(executions));
  __asm__ volatile("wrgsbase %0" : : "r"(executions + 1));
  sem_init(&full, 0, 1), sem_init(&empty, 0, 0);
  if (executions > 0) memcpy(&full, &empty, sizeof full);
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, i == 0 ? waits : locks, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
"""


def check(folder, target, *options):
    ran = subprocess.run([TARRY, "check", str(target), "--json", "--search", "dpor", "--time", "300s", *options], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    try:
        return json.loads(ran.stdout)
    except json.JSONDecodeError:
        raise RuntimeError(f"{target}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}") from None


def outcomes_of(source):
    """What is wrong, as a line, or None."""
    extra = source.with_suffix(".options")
    options = extra.read_text(encoding="utf-8").split() if extra.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        answer = check(folder, source, "-I", PRIMITIVES[0], "--outcomes", *options)
    wanted = set(source.with_suffix(".outcomes").read_text(encoding="utf-8").splitlines())
    seen = {line for one in answer.get("outcomes", []) for line in one["output"].splitlines()}
    kinds = {finding["kind"] for finding in answer["findings"]}
    seen |= {"deadlock"} & kinds
    if source.stem in NOT_FOR_IT:
        return None if answer["verdict"] != "verified" and seen <= wanted | {"deadlock"} else f"{source.stem}: {answer['verdict_text']}"
    wanted |= {"deadlock"} if source.stem in KNOWN_DEADLOCKS else set()
    if seen != wanted or kinds - {"deadlock"} or not (answer["complete"] or kinds) or any(REFUSED in note for note in answer["notes"]):
        return f"{source.stem}: missing {wanted - seen}, too many {seen - wanted}, {kinds}, {answer['verdict_text']}, {answer['notes']}"
    return None


class PartialOrderReduction(unittest.TestCase):
    def counted(self, name, n):
        with tempfile.TemporaryDirectory() as folder:
            answer = check(folder, COUNTED / f"{name}.cpp", "-D", f"N={n}", "--jobs", "1")
            shared = check(folder, COUNTED / f"{name}.cpp", "-D", f"N={n}", "--jobs", "2")
        self.assertEqual((answer["verdict"], answer["in_vain"]), ("verified", 0), answer["verdict_text"])
        self.assertEqual((shared["verdict"], shared["executions"]), ("verified", answer["executions"]), shared["verdict_text"])
        return answer["executions"]

    def test_last_zero(self):
        for n in (2, 3, 5, 8, 10) if ALL else (2, 5, 10):
            self.assertEqual(self.counted("last_zero", n), (n + 3) * 2 ** (n - 2))

    def test_indexer(self):
        self.assertEqual([self.counted("indexer", n) for n in (11, 12, 13, 14)], [1, 8, 64, 512])

    def test_philosophers(self):
        self.assertEqual([self.counted("philosophers", n) for n in (2, 3, 4, 5)], [philosophers(n).count() for n in (2, 3, 4, 5)])

    def test_readers(self):
        self.assertEqual([self.counted("readers", n) for n in (1, 5, 13)], [readers(n).count() for n in (1, 5, 13)])
        self.assertEqual(readers(13).count(), 2**13)

    def test_fibonacci(self):
        """GenMC and Nidhugg have the same number."""
        self.assertEqual(fibonacci(5).count(), 218_243)
        sizes = (1, 2, 3, 5) if ALL else (1, 2, 3)
        self.assertEqual([self.counted("fibonacci", n) for n in sizes], [fibonacci(n).count() for n in sizes])

    def test_the_model(self):
        """It counts what a walk through every interleaving meets."""
        for program in (*map(classic, range(len(CLASSICS))), readers(4), philosophers(3), fibonacci(2)):
            self.assertEqual(program.count(), program.brute_force())

    def test_classics(self):
        """As many executions as the model has traces, and as depth-first search meets orders."""
        for how, algorithm in enumerate(CLASSICS):
            with self.subTest(algorithm.__name__), tempfile.TemporaryDirectory() as folder:
                options = [COUNTED / "classics.cpp", "-D", f"HOW={how}", "--races", "ignore", "--jobs", "1"]
                reduced = check(folder, *options)
                plain = check(folder, *options, "--search", "dfs", "--fair-scheduling=off")
                self.assertEqual((reduced["verdict"], plain["verdict"], reduced["in_vain"]), ("verified", "verified", 0))
                self.assertEqual((reduced["executions"], plain["orders"]), (classic(how).count(), classic(how).count()))

    def test_waits_that_are_given_up(self):
        """Every order of steps that depth-first search meets is run once."""
        for how, orders in enumerate((638, 48, 222, 18, 76, 10, 16)):
            for search in ("dpor", "source-dpor", "dfs"):
                with self.subTest(how=how, search=search), tempfile.TemporaryDirectory() as folder:
                    off = ["--fair-scheduling=off"] if search == "dfs" else []
                    answer = check(folder, COUNTED / "timed.cpp", "-D", f"HOW={how}", "--races", "ignore", "--outcomes", "--jobs", "1", "--search", search, *off)
                    self.assertEqual((answer["verdict"], answer["orders"]), ("verified", orders), answer["verdict_text"])
                    self.assertTrue(search == "dfs" or answer["executions"] == orders, answer["verdict_text"])

    def test_output_that_is_flushed(self):
        for flush in ("fflush(stdout)", "fflush(0)", "(void)0"):
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "flushes.c").write_text(FLUSHES.replace("FLUSH", flush), encoding="utf-8")
                answer = check(folder, "flushes.c", "--outcomes")
            self.assertEqual((answer["verdict"], answer["notes"]), ("verified", []), flush)
            self.assertEqual({one["output"] for one in answer["outcomes"]}, {""} if flush == "(void)0" else {"abx\n", "bax\n"}, flush)

    def test_streams_beside_a_pipe(self):
        """libc gives the lock of a stream back in the middle of a step of another object."""
        for search in ("dpor", "source-dpor", "dfs"):
            with self.subTest(search=search), tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "streams.c").write_text(STREAMS, encoding="utf-8")
                answer = check(folder, "streams.c", "--outcomes", "--jobs", "1", "--search", search)
                self.assertEqual(answer["verdict"], "verified", answer["verdict_text"])
                self.assertEqual({one["output"] for one in answer["outcomes"]}, {f"{first} {read}\n" for first in "ab" for read in ("1", "-1")})

    @unittest.skipUnless("fsgsbase" in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), "the processor has no instruction for it")
    def test_a_thread_that_cannot_run_where_it_did(self):
        """Where a prefix is repeated, only the thread that is to run is asked whether it can."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "otherwise.c").write_text(OTHERWISE, encoding="utf-8")
            answer = check(folder, "otherwise.c", "--jobs", "1", "--races", "ignore")
        self.assertEqual([finding["kind"] for finding in answer["findings"]], ["nondeterminism"], answer["verdict_text"])

    def test_memory_that_is_used_again(self):
        for wrong, verdict in (("false", "bug"), ("true", "verified")):
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "reused.cpp").write_text(REUSED.replace("WRONG", wrong), encoding="utf-8")
                answer = check(folder, "reused.cpp")
            self.assertEqual((answer["verdict"], [note for note in answer["notes"] if REFUSED in note]), (verdict, []), answer["verdict_text"])

    def test_outcomes_of_every_primitive(self):
        sources = [source for folder in PRIMITIVES for source in sorted(folder.iterdir()) if source.suffix in (".c", ".cpp")]
        self.assertEqual(NOT_FOR_IT - {source.stem for source in sources}, set())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.assertEqual([line for line in pool.map(outcomes_of, some(sources, 4)) if line], [])

    def test_outcomes_of_random_programs(self):
        programs = list(drawn(5000, 120 if ALL else 40, 400))
        wrong, refused = [], 0
        with tempfile.TemporaryDirectory() as folder:
            executable = compiled(folder, [program for program, _ in programs], "g++", "-O2")
            for number, (program, expected) in enumerate(programs):
                answer = check_drawn(executable, number, 1, "--search", "dpor")
                if any(REFUSED in note for note in answer["notes"]) or answer.get("stopped_by"):
                    self.assertNotEqual(answer["verdict"], "verified")
                    refused += 1
                    continue
                wrong += [f"program {program.seed} ({', '.join(program.families)}): {text}" for text in difference(expected, answer)]
        self.assertEqual(wrong, [])
        self.assertLess(refused, len(programs) / 2)


if __name__ == "__main__":
    unittest.main()
