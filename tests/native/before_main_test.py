#!/usr/bin/env python3
"""What constructors leave to main: locks that they hold or have used, masks, pending signals, numbers, keys, bytes in pipes. The verdict is the same whether a constructor prepares it or main itself
does, and the near miss of each program has a bug either way."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import TARRY, check, compiled  # noqa: E402

HEAD = """
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>
static bool wrong;  // the near miss
static int n;
static std::atomic<int> runs;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, special;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t semaphore, *named;
static std::shared_mutex shared;
static mtx_t c11;
static tss_t slot;
static pthread_t self;
static int process, thread_number;
static char name[16];
static int ends[2], counter, semaphores;
static void counts(int) { runs++; }
static void posts(int) { sem_post(&semaphore); }
static void dies(void*) { runs++; }
static sigset_t usr1() { sigset_t s; sigemptyset(&s); sigaddset(&s, SIGUSR1); return s; }
static void block() { const sigset_t s = usr1(); pthread_sigmask(SIG_BLOCK, &s, 0); }
static void make(int type, int robust) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a), pthread_mutexattr_settype(&a, type), pthread_mutexattr_setrobust(&a, robust), pthread_mutex_init(&special, &a);
}
template <class F> static void two(F f) { std::thread a(f), b(f); a.join(), b.join(); }
"""

# Name: what is prepared, what follows in main, and the kind of the finding where `wrong` holds.
PROGRAMS = {
    "a mutex is held": ("pthread_mutex_lock(&mutex);", "std::thread a([] { pthread_mutex_lock(&mutex); n++; pthread_mutex_unlock(&mutex); }); n++; if (!wrong) pthread_mutex_unlock(&mutex); a.join();", "deadlock"),
    "a mutex was used": ("pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex);", "two([] { if (!wrong) pthread_mutex_lock(&mutex); n++; if (!wrong) pthread_mutex_unlock(&mutex); });", "data-race"),
    "a recursive mutex is held": ("make(PTHREAD_MUTEX_RECURSIVE, 0); pthread_mutex_lock(&special); pthread_mutex_lock(&special);",
                                  "std::thread a([] { pthread_mutex_lock(&special); }); pthread_mutex_unlock(&special); if (!wrong) pthread_mutex_unlock(&special); a.join();", "deadlock"),
    "an error-checking mutex is held": ("make(PTHREAD_MUTEX_ERRORCHECK, 0); pthread_mutex_lock(&special);", "assert(pthread_mutex_lock(&special) == EDEADLK); assert(pthread_mutex_unlock(&special) == (wrong ? EPERM : 0));", "assertion"),
    "a robust mutex is held": ("make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST); pthread_mutex_lock(&special);",
                               "std::thread a([] { assert(pthread_mutex_lock(&special) == 0); }); if (!wrong) pthread_mutex_unlock(&special); a.detach(); pthread_exit(0);", "assertion"),
    "a mutex was destroyed": ("pthread_mutex_init(&special, 0); if (wrong) pthread_mutex_destroy(&special);", "pthread_mutex_lock(&special); pthread_mutex_unlock(&special);", "misuse"),
    "a mutex of C11 is held": ("mtx_init(&c11, mtx_plain); mtx_lock(&c11);", "std::thread a([] { mtx_lock(&c11); }); if (!wrong) mtx_unlock(&c11); a.join();", "deadlock"),
    "a read-write lock was used": ("pthread_rwlock_wrlock(&lock); pthread_rwlock_unlock(&lock);", "two([] { pthread_rwlock_wrlock(&lock); n++; if (!wrong) pthread_rwlock_unlock(&lock); });", "deadlock"),
    "a read-write lock is written": ("pthread_rwlock_wrlock(&lock);", "std::thread a([] { pthread_rwlock_rdlock(&lock); }); n++; if (!wrong) pthread_rwlock_unlock(&lock); a.join();", "deadlock"),
    "a read-write lock is read": ("assert(!pthread_rwlock_tryrdlock(&lock)); assert(pthread_rwlock_trywrlock(&lock) == EBUSY);",
                                  "std::thread a([] { pthread_rwlock_wrlock(&lock); }); assert(n == 0); if (!wrong) pthread_rwlock_unlock(&lock); a.join();", "deadlock"),
    "a shared mutex of C++ was used": ("{ std::unique_lock one(shared); } { std::shared_lock two(shared); }", "two([] { if (wrong) shared.lock_shared(); else shared.lock(); n++; if (wrong) shared.unlock_shared(); else shared.unlock(); });", "data-race"),
    "a barrier is made": ("pthread_barrier_init(&barrier, 0, 1); pthread_barrier_wait(&barrier); pthread_barrier_destroy(&barrier); pthread_barrier_init(&barrier, 0, wrong ? 3 : 2);", "two([] { pthread_barrier_wait(&barrier); });", "deadlock"),
    "a spin lock is held": ("pthread_spin_init(&spin, 0); pthread_spin_lock(&spin);", "std::thread a([] { pthread_spin_lock(&spin); }); if (!wrong) pthread_spin_unlock(&spin); a.join();", "deadlock"),
    "a semaphore was used": ("sem_init(&semaphore, 0, 1); sem_wait(&semaphore); assert(sem_trywait(&semaphore) == -1); sem_post(&semaphore); if (!wrong) sem_post(&semaphore);", "two([] { sem_wait(&semaphore); });", "deadlock"),
    "a named semaphore is open": ("named = sem_open(\"/tarry-before-main\", O_CREAT | O_EXCL, 0600, wrong ? 1u : 2u); assert(named != SEM_FAILED);", "two([] { sem_wait(named); }); sem_unlink(\"/tarry-before-main\");", "deadlock"),
    "a condition was waited for in vain": ("pthread_cond_signal(&condition); pthread_mutex_lock(&mutex); timespec t; clock_gettime(CLOCK_REALTIME, &t); t.tv_sec++; assert(pthread_cond_timedwait(&condition, &mutex, &t) == ETIMEDOUT); pthread_mutex_unlock(&mutex);",
                                           "std::thread a([] { pthread_mutex_lock(&mutex); while (!n) pthread_cond_wait(&condition, &mutex); pthread_mutex_unlock(&mutex); }); pthread_mutex_lock(&mutex); n = 1; if (!wrong) pthread_cond_signal(&condition); pthread_mutex_unlock(&mutex); a.join();", "deadlock"),
    "a signal is blocked, and never comes": ("sem_init(&semaphore, 0, 0); signal(SIGUSR1, posts); if (wrong) block();", "raise(SIGUSR1); while (sem_wait(&semaphore)) {}", "deadlock"),
    "a signal is blocked, and waited for": ("if (!wrong) block();", "raise(SIGUSR1); const sigset_t s = usr1(); int q; assert(!sigwait(&s, &q) && q == SIGUSR1);", "crash"),
    "threads inherit the mask": ("if (!wrong) block();", "std::thread a([] { sigset_t s; pthread_sigmask(SIG_BLOCK, 0, &s); assert(sigismember(&s, SIGUSR1)); }); a.join();", "assertion"),
    "a signal of the thread is pending": ("signal(SIGUSR1, counts); block(); raise(SIGUSR1);", "assert(!runs); std::thread a([] { sigset_t s; sigpending(&s); assert(!!sigismember(&s, SIGUSR1) == wrong); }); a.join(); sigset_t s; sigpending(&s); assert(sigismember(&s, SIGUSR1)); s = usr1(); pthread_sigmask(SIG_UNBLOCK, &s, 0); assert(runs == 1);", "assertion"),
    "a signal of the process is pending": ("signal(SIGUSR1, counts); block(); kill(getpid(), SIGUSR1);", "std::thread a([] { const sigset_t s = usr1(); pthread_sigmask(SIG_UNBLOCK, &s, 0); }); a.join(); assert(runs == (wrong ? 0 : 1));", "assertion"),
    "cancellation is disabled": ("if (!wrong) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0); self = pthread_self();", "std::thread a([] { pthread_cancel(self); }); a.join(); pthread_testcancel(); n = 1; int o; pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &o); assert(o == PTHREAD_CANCEL_DISABLE);", "crash"),
    "a key has a destructor": ("tss_create(&slot, wrong ? nullptr : dies);", "std::thread a([] { tss_set(slot, &slot); }); a.join(); assert(runs == 1);", "assertion"),
    "numbers of the process and the thread": ("process = getpid(); thread_number = static_cast<int>(syscall(SYS_gettid)); assert(kill(process, 0) == 0);", "assert(process == getpid() && (thread_number == gettid()) != wrong); assert(kill(process, 0) == 0);", "assertion"),
    "the thread has a name": ("pthread_setname_np(pthread_self(), wrong ? \"b\" : \"a\");", "pthread_getname_np(pthread_self(), name, sizeof name); assert(!strcmp(name, \"a\"));", "assertion"),
    "bytes are in a pipe": ("assert(!pipe(ends) && write(ends[1], \"ab\", 2) == 2);", "two([] { char c; assert(read(ends[0], &c, 1) == 1); }); fcntl(ends[0], F_SETFL, O_NONBLOCK); char c; assert((read(ends[0], &c, 1) == -1 && errno == EAGAIN) != wrong);", "assertion"),
    "bytes are left in a pipe": ("assert(!pipe(ends));", "std::thread a([] { assert(write(ends[1], \"ab\", 2) == 2); }); char c; assert(read(ends[0], &c, 1) == 1 && c == (wrong ? 'b' : 'a')); a.join();", "assertion"),
    "an event counter has a value": ("counter = eventfd(wrong ? 1 : 2, EFD_SEMAPHORE);", "two([] { uint64_t v; assert(read(counter, &v, 8) == 8 && v == 1); });", "deadlock"),
    "an event counter is left with a value": ("counter = eventfd(0, 0);", "two([] { const uint64_t one = 1; assert(write(counter, &one, 8) == 8); }); uint64_t v; assert(read(counter, &v, 8) == 8 && v == (wrong ? 1 : 2)); assert(write(counter, &v, 8) == 8);", "assertion"),
}

# What cannot be put back is a limit, and no bug; in main it is no limit either.
LIMITS = {
    "the other end of a pipe is closed": ("assert(!pipe(ends) && write(ends[1], \"a\", 1) == 1);", "std::thread a([] { char c; while (read(ends[0], &c, 1) == 1) {} }); close(ends[1]); a.join();"),
    "a socket has bytes": ("assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends) && write(ends[1], \"ab\", 2) == 2);", "two([] { char c; assert(read(ends[0], &c, 1) == 1); });"),
    "semaphores of System V": ("semaphores = semget(IPC_PRIVATE, 1, 0600); sembuf up{0, 2, 0}; semop(semaphores, &up, 1);", "two([] { sembuf down{0, -1, 0}; assert(!semop(semaphores, &down, 1)); }); semctl(semaphores, 0, IPC_RMID);"),
}

WAITS = {  # before main, for what nobody does; and for a thread that begins with main
    "pthread_mutex_lock(&mutex); pthread_mutex_lock(&mutex);": "something that no thread can do",
    "sem_init(&semaphore, 0, 0); sem_wait(&semaphore);": "something that no thread can do",
    "pthread_barrier_init(&barrier, 0, 2); pthread_barrier_wait(&barrier);": "something that no thread can do",
    "static std::thread t([] { sem_post(&semaphore); }); sem_wait(&semaphore); t.join();": "such threads begin with main",
    "thrd_t t; thrd_create(&t, [](void*) { return 0; }, 0); thrd_join(t, 0);": "such threads begin with main",
    "pthread_mutex_unlock(&mutex);": "unlock of a mutex that is not locked",
    "pthread_t t; pthread_create(&t, 0, [](void*) -> void* { return 0; }, 0); pthread_cancel(t);": "cancel it in main",
    "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0); pthread_cancel(pthread_self());": "cancel it in main",
    "signal(SIGUSR1, [](int) {}); pthread_t t; pthread_create(&t, 0, [](void*) -> void* { return 0; }, 0); pthread_kill(t, SIGUSR1);": "send it in main",
    "sigset_t set; sigemptyset(&set); sigaddset(&set, SIGRTMIN); pthread_sigmask(SIG_BLOCK, &set, 0); sigqueue(getpid(), SIGRTMIN, {3}); sigqueue(getpid(), SIGRTMIN, {4});": "send it in main",
}


def source():
    cases = [f"  case {i}: {{ if (prepares) {{ {prepared} }} else {{ {rest} }} break; }}\n" for i, (prepared, rest, _) in enumerate(PROGRAMS.values())]
    cases += [f"  case {100 + i}: {{ if (prepares) {{ {prepared} }} break; }}\n" for i, prepared in enumerate(WAITS)]
    cases += [f"  case {200 + i}: {{ if (prepares) {{ {prepared} }} else {{ {rest} }} break; }}\n" for i, (prepared, rest) in enumerate(LIMITS.values())]
    return (HEAD + "static void run(char** argv, bool prepares) {\n  wrong = argv[3][0] == 'w';\n  switch (atoi(argv[1])) {\n" + "".join(cases) + "  }\n}\n"
            "__attribute__((constructor(65000))) static void first(int, char** argv) { if (argv[2][0] == 'c') new (&shared) std::shared_mutex, run(argv, true); }\n"
            "int main(int, char** argv) { if (argv[2][0] == 'm') run(argv, true); run(argv, false); }\n")


class BeforeMain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name) / "program.cpp"
        path.write_text(source(), encoding="utf-8")
        cls.program = compiled(cls.folder.name, path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_constructors_and_main_alike(self):
        for number, (name, (_, _, kind)) in enumerate(PROGRAMS.items()):
            for where in ("constructor", "main"):
                with self.subTest(name, where=where):
                    right = check(self.program, "--time", "30s", arguments=(number, where, "right"))
                    self.assertTrue(right["verdict"].startswith("verified"), right)
                    wrong = check(self.program, "--time", "30s", arguments=(number, where, "wrong"))
                    self.assertEqual(wrong["kinds"][:1], [kind], wrong)

    def test_what_cannot_be_put_back_is_a_limit(self):
        for number, name in enumerate(LIMITS):
            with self.subTest(name):
                early = check(self.program, "--time", "30s", arguments=(200 + number, "constructor", "right"))
                self.assertEqual((early["verdict"], early["stopped_by"], early["exit"]), ("no-bug-found", "limit", 0), early)
                self.assertIn("in main", early["verdict_text"])
                self.assertTrue(check(self.program, "--time", "30s", arguments=(200 + number, "main", "right"))["verdict"].startswith("verified"))

    def test_waits_before_main_are_told(self):
        for number, (body, words) in enumerate(WAITS.items()):
            with self.subTest(body):
                done = subprocess.run([TARRY, "check", self.program, "--time", "30s", "--", str(100 + number), "constructor", "right"], capture_output=True, text=True, cwd=self.folder.name, timeout=100, check=False)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn(words, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
