#!/usr/bin/env python3
"""Objects of synchronisation: when they may be destroyed and freed, and when not."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

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


class SyncObjects(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, text, compiler="gcc", option="-O2", *options, name="program.c"):
        (self.folder / name).write_text(text, encoding="utf-8")
        way = "--cc" if name.endswith(".c") else "--cxx"
        ran = subprocess.run([TARRY, "check", name, option, way, compiler, "--json", "--jobs", "1", *options], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
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


if __name__ == "__main__":
    unittest.main()
