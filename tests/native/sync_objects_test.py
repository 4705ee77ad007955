#!/usr/bin/env python3
"""Objects of synchronisation: when they may be destroyed and freed, and when not."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from ways import ways  # noqa: E402

TARRY = os.environ["TARRY"]
COMPILERS = [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O0"), ("clang", "-O2")]

# Each object is destroyed right after its last use, by the thread that used it last.
AT_ONCE = """
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
static const struct timespec far = {1L << 40, 0}, past = {1, 0};
static void* use(void* unused) {
  sem_t s;
  sem_init(&s, 0, 1); sem_wait(&s); sem_destroy(&s);
  sem_init(&s, 0, 1); sem_timedwait(&s, &far); sem_destroy(&s);
  sem_init(&s, 0, 0); sem_timedwait(&s, &past); sem_destroy(&s);
  sem_init(&s, 0, 1); sem_trywait(&s); sem_destroy(&s);
  sem_init(&s, 0, 0); sem_trywait(&s); sem_destroy(&s);
  pthread_mutex_t m;
  pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m);
  pthread_cond_t c;
  pthread_mutex_init(&m, 0); pthread_cond_init(&c, 0); pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &past); pthread_cond_destroy(&c); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m);
  pthread_rwlock_t l;
  pthread_rwlock_init(&l, 0); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_destroy(&l);
  pthread_rwlock_init(&l, 0); pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_destroy(&l);
  pthread_spinlock_t p;
  pthread_spin_init(&p, 0); pthread_spin_lock(&p); pthread_spin_unlock(&p); pthread_spin_destroy(&p);
  pthread_barrier_t b;
  pthread_barrier_init(&b, 0, 1); pthread_barrier_wait(&b); pthread_barrier_destroy(&b);
  mtx_t x;
  mtx_init(&x, mtx_timed); mtx_lock(&x); mtx_unlock(&x); mtx_destroy(&x);
  return unused;
}
int main() { use(0); pthread_t t; pthread_create(&t, 0, use, 0); pthread_join(t, 0); }
"""

# One thread waits, or is about to, when the semaphore is destroyed.
WAITED_FOR = """
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
static sem_t s;
static const struct timespec far = {1L << 40, 0};
static void* waits(void* unused) { WAIT; return unused; }
int main() { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, waits, 0); sem_destroy(&s); pthread_join(t, 0); }
"""

# FREE stands before or beside the use; USE is an operation of one object in the block.
FREED = """
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
typedef struct { pthread_mutex_t m, held; pthread_cond_t c; pthread_rwlock_t l, read; sem_t s; pthread_spinlock_t p; pthread_barrier_t b; pthread_once_t o; mtx_t x; cnd_t y; } Objects;
static const struct timespec past = {1, 0};
static void nothing(void) {}
static void* use(void* argument) {
  Objects* q = argument;
  int value;
  (void)value, (void)past, (void)nothing;
  USE;
  return 0;
}
int main() {
  Objects* q = calloc(1, sizeof *q);
  pthread_mutex_init(&q->m, 0); pthread_mutex_init(&q->held, 0); pthread_cond_init(&q->c, 0); pthread_rwlock_init(&q->l, 0); pthread_rwlock_init(&q->read, 0);
  sem_init(&q->s, 0, 1); pthread_spin_init(&q->p, 0); pthread_barrier_init(&q->b, 0, 1); mtx_init(&q->x, mtx_timed); cnd_init(&q->y);
  pthread_mutex_lock(&q->held);
  pthread_rwlock_rdlock(&q->read);
  pthread_t t;
#if defined(BEFORE)
  free(q); use(q);
#elif defined(BESIDE)
  pthread_create(&t, 0, use, q); free(q); pthread_join(t, 0);
#elif defined(AFTER)
  pthread_create(&t, 0, use, q); pthread_join(t, 0); free(q);
#endif
  (void)t;
}
"""
USES = ["pthread_mutex_lock(&q->m)", "pthread_mutex_trylock(&q->m)", "pthread_mutex_timedlock(&q->m, &past)", "pthread_mutex_init(&q->m, 0)", "pthread_mutex_destroy(&q->m)",
        "pthread_cond_signal(&q->c)", "pthread_cond_broadcast(&q->c)", "pthread_cond_init(&q->c, 0)", "pthread_cond_destroy(&q->c)",
        "pthread_rwlock_rdlock(&q->l)", "pthread_rwlock_wrlock(&q->l)", "pthread_rwlock_tryrdlock(&q->l)", "pthread_rwlock_trywrlock(&q->l)", "pthread_rwlock_unlock(&q->read)", "pthread_rwlock_destroy(&q->l)",
        "sem_wait(&q->s)", "sem_trywait(&q->s)", "sem_post(&q->s)", "sem_getvalue(&q->s, &value)", "sem_init(&q->s, 0, 0)", "sem_destroy(&q->s)",
        "pthread_spin_lock(&q->p)", "pthread_spin_trylock(&q->p)", "pthread_spin_destroy(&q->p)", "pthread_barrier_wait(&q->b)", "pthread_barrier_destroy(&q->b)", "pthread_once(&q->o, nothing)",
        "mtx_lock(&q->x)", "mtx_destroy(&q->x)", "cnd_signal(&q->y)", "cnd_destroy(&q->y)"]

# The last step of a thread uses what another has destroyed, or freed, already: the one has seen in the lock that the other is through, but for this.
TOO_LATE = """
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
typedef struct { pthread_mutex_t m; pthread_cond_t c; sem_t s; int done; } Objects;
static void* tells(void* argument) {
  Objects* q = argument;
  pthread_mutex_lock(&q->m); q->done = 1;
  INSIDE;
  pthread_mutex_unlock(&q->m);
  OUTSIDE;
  return 0;
}
int main() {
  Objects* q = malloc(sizeof *q);
  pthread_mutex_init(&q->m, 0); pthread_cond_init(&q->c, 0); sem_init(&q->s, 0, 0); q->done = 0;
  pthread_t t;
  pthread_create(&t, 0, tells, q);
  pthread_mutex_lock(&q->m);
  while (!q->done) pthread_cond_wait(&q->c, &q->m);
  pthread_mutex_unlock(&q->m);
  END;
  pthread_join(t, 0);
}
"""

# Each is correct: the operation of the object is what orders its end.
CORRECT = """
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <pthread.h>
#include <semaphore.h>
template <class Mutex> struct Counted { Mutex m; int users = 2; };
template <class Mutex> void leave(Counted<Mutex>* one) { one->m.lock(); const bool last = --one->users == 0; one->m.unlock(); if (last) delete one; }
int main() {
  CASE
}
"""
CASES = [
    "auto* c = new Counted<std::mutex>; std::thread t([c] { leave(c); }); leave(c); t.join();",
    "auto* c = new Counted<std::shared_mutex>; std::thread t([c] { leave(c); }); leave(c); t.join();",
    "auto* c = new Counted<std::recursive_mutex>; std::thread t([c] { leave(c); }); leave(c); t.join();",
    "std::thread t; { sem_t s; sem_init(&s, 0, 0); t = std::thread([&s] { sem_post(&s); }); sem_wait(&s); sem_destroy(&s); } { volatile long room[8] = {}; (void)room; } t.join();",
    """auto* b = new pthread_barrier_t; pthread_barrier_init(b, nullptr, 2);
       const auto come = [b] { if (pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD) { pthread_barrier_destroy(b); delete b; } };
       std::thread t(come); come(); t.join();""",
    "auto* l = new std::latch(1); std::thread t([l] { l->count_down(); }); l->wait(); delete l; t.join();",
    "auto* s = new std::binary_semaphore(0); std::thread t([s] { s->release(); }); s->acquire(); delete s; t.join();",
    "auto p = std::make_shared<std::promise<int>>(); auto f = p->get_future(); std::thread t([p] { p->set_value(1); }); p.reset(); f.get(); t.join();",
    "auto o = std::make_shared<std::once_flag>(); std::thread t([o]() mutable { std::call_once(*o, [] {}); o.reset(); }); std::call_once(*o, [] {}); o.reset(); t.join();",
    """struct Q { std::mutex m; std::condition_variable c; bool done = false; }; auto* q = new Q;
       std::thread t([q] { std::lock_guard l(q->m); q->done = true; q->c.notify_one(); });
       { std::unique_lock l(q->m); q->c.wait(l, [q] { return q->done; }); } delete q; t.join();""",
]

# A library that is not instrumented counts its users where nobody sees it.
LIBRARY = """
#include <pthread.h>
#include <stdlib.h>
struct Counted { pthread_mutex_t m; int users; };
void* make(void) { struct Counted* c = calloc(1, sizeof *c); pthread_mutex_init(&c->m, 0); c->users = 2; return c; }
void leave(void* one) { struct Counted* c = one; pthread_mutex_lock(&c->m); pthread_mutex_unlock(&c->m); if (__atomic_sub_fetch(&c->users, 1, __ATOMIC_ACQ_REL) == 0) { pthread_mutex_destroy(&c->m); free(c); } }
"""
USER = """
#include <pthread.h>
void* make(void);
void leave(void*);
static void* leaves(void* one) { leave(one); return 0; }
int main() { void* c = make(); pthread_t t; pthread_create(&t, 0, leaves, c); leave(c); pthread_join(t, 0); }
"""


class SyncObjects(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, text, compiler="gcc", option="-O2", *options, name="program.c"):
        (self.folder / name).write_text(text, encoding="utf-8")
        way = "--cc" if name.endswith(".c") else "--cxx"
        ran = subprocess.run([TARRY, "check", name, option, way, compiler, "--json", "--jobs", "1", *options], cwd=self.folder, env={**os.environ, "LD_LIBRARY_PATH": str(self.folder)}, capture_output=True, text=True, timeout=120, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        answer = json.loads(ran.stdout)
        return answer["verdict"], answer["findings"]

    def test_objects_may_be_destroyed_right_after_their_last_use(self):
        for compiler, option in COMPILERS:
            self.assertEqual(self.check(AT_ONCE, compiler, option), ("verified", []), (compiler, option))

    def test_a_semaphore_is_not_destroyed_while_another_thread_waits(self):
        for wait in ("sem_wait(&s)", "sem_timedwait(&s, &far)", "sem_clockwait(&s, 1, &far)"):
            verdict, findings = self.check(WAITED_FOR.replace("WAIT", wait), "gcc", "-O0")
            self.assertEqual(verdict, "bug", wait)
            self.assertIn("misuse", [finding["kind"] for finding in findings], wait)

    def kinds(self, *arguments, **more):
        verdict, findings = self.check(*arguments, **more)
        return verdict, sorted({finding["kind"] for finding in findings})

    def test_operations_of_objects_in_freed_memory(self):
        for i, use in enumerate(USES):
            compiler, option = COMPILERS[i % len(COMPILERS)]
            program = FREED.replace("USE;", use + ";")
            for when in ("BEFORE", "BESIDE"):
                self.assertEqual(self.kinds(program, compiler, option, "-D", when), ("bug", ["memory"]), (use, when))
            self.assertEqual(self.kinds(program, compiler, option, "-D", "AFTER"), ("verified", []), use)

    def test_an_unlock_in_freed_memory(self):
        for option in ("-O0", "-O2"):
            self.assertEqual(self.kinds(FREED.replace("USE;", "pthread_mutex_unlock(&q->held);"), "gcc", option, "-D", "BEFORE"), ("bug", ["memory"]))

    def test_objects_that_are_used_too_late(self):
        signal, post, gone = "pthread_cond_broadcast(&q->c)", "sem_post(&q->s)", "pthread_cond_destroy(&q->c); pthread_mutex_destroy(&q->m);"
        rows = [(signal, "", gone + "free(q)", ("verified", [])), ("", signal, gone + "free(q)", ("bug", ["memory"])),
                (signal, "", gone, ("verified", [])), ("", signal, gone, ("bug", ["data-race"])),
                (signal + ";" + post, "", gone + "sem_destroy(&q->s); free(q)", ("verified", [])), (signal, post, gone + "sem_destroy(&q->s)", ("bug", ["data-race"])),
                (signal, post, "sem_wait(&q->s); sem_destroy(&q->s);" + gone + "free(q)", ("verified", []))]
        for inside, outside, end, wanted in rows:
            program = TOO_LATE.replace("INSIDE", inside).replace("OUTSIDE", outside).replace("END", end)
            for compiler, option in COMPILERS[1:2]:
                verdict, kinds = self.kinds(program, compiler, option)
                self.assertEqual((verdict, kinds[:1] if "memory" not in kinds else ["memory"]), wanted, (inside, outside, end))
            verdict, kinds = self.kinds(program, "gcc", "-O2", "--search", "dpor")
            self.assertEqual(verdict, wanted[0], (inside, outside, end, "dpor"))

    def test_objects_that_were_destroyed(self):
        for use in ("pthread_cond_signal(&q->c)", "pthread_cond_broadcast(&q->c)", "pthread_cond_destroy(&q->c)", "pthread_cond_wait(&q->c, &q->m)"):
            program = FREED.replace("USE;", f"pthread_mutex_lock(&q->m); pthread_cond_destroy(&q->c); {use};")
            self.assertEqual(self.kinds(program, "gcc", "-O2", "-D", "AFTER"), ("bug", ["misuse"]), use)
        self.assertEqual(self.kinds(FREED.replace("USE;", "pthread_cond_destroy(&q->c); pthread_cond_init(&q->c, 0); pthread_cond_signal(&q->c);"), "gcc", "-O2", "-D", "AFTER"), ("verified", []))

    def test_what_the_standards_allow(self):
        for i, case in enumerate(CASES):
            for compiler, option in ways(i):
                self.assertEqual(self.kinds(CORRECT.replace("CASE", case), compiler, option, name="program.cpp"), ("verified", []), (case, compiler, option))

    def test_objects_of_libraries_that_are_not_instrumented(self):
        (self.folder / "library.c").write_text(LIBRARY, encoding="utf-8")
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", "liblibrary.so", "library.c"], cwd=self.folder, check=True)
        self.assertEqual(self.kinds(USER, "gcc", "-O2", "-L", ".", "-l", "library"), ("verified", []))


if __name__ == "__main__":
    unittest.main()
