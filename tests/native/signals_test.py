#!/usr/bin/env python3
"""Signals as POSIX and Linux define them: masks that jumps and contexts restore, pending signals that are discarded or two, how a handler is told they were sent. Each
program asserts what happens natively, and its twin asserts the opposite."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import check, compiled  # noqa: E402

HEAD = """#include <assert.h>
#include <setjmp.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
static sigjmp_buf place;
static ucontext_t outside, inside;
static bool was_blocked;
static char stack[65536];
[[maybe_unused]] static volatile sig_atomic_t n, code;
[[maybe_unused]] static void counts(int) { n = n + 1; }
[[maybe_unused]] static void leaves(int) { siglongjmp(place, 1); }
[[maybe_unused]] static void tells(int, siginfo_t* i, void*) { code = i->si_code; }
[[maybe_unused]] static sigset_t usr1() { sigset_t s; sigemptyset(&s); sigaddset(&s, SIGUSR1); return s; }
static void enters() {
  sigset_t s = usr1();
  sigprocmask(SIG_BLOCK, &s, &s);
  was_blocked = sigismember(&s, SIGUSR2);
  if (inside.uc_link == 0) setcontext(&outside);
}
[[maybe_unused]] static void prepare(ucontext_t* next) {
  getcontext(&inside);
  sigaddset(&inside.uc_sigmask, SIGUSR2);
  inside.uc_stack.ss_sp = stack, inside.uc_stack.ss_size = sizeof stack, inside.uc_link = next;
  makecontext(&inside, enters, 0);
}
"""
PROGRAMS = {
    "a jump out of a handler restores the mask": "signal(SIGUSR1, leaves); static volatile int jumps; if (sigsetjmp(place, 1)) jumps = jumps + 1; if (jumps < 2) raise(SIGUSR1); EXPECT(jumps == 2);",
    "a jump restores the mask": "sigset_t s = usr1(); if (sigsetjmp(place, 1) == 0) { sigprocmask(SIG_BLOCK, &s, 0); siglongjmp(place, 1); } sigprocmask(SIG_BLOCK, 0, &s); EXPECT(!sigismember(&s, SIGUSR1));",
    "setcontext restores the mask, and what it unblocks comes": "signal(SIGUSR1, counts); static volatile int times; sigset_t s = usr1(); getcontext(&outside); if ((times = times + 1) == 1) { sigprocmask(SIG_BLOCK, &s, 0); raise(SIGUSR1); assert(n == 0); setcontext(&outside); } sigprocmask(SIG_BLOCK, 0, &s); EXPECT(n == 1 && !sigismember(&s, SIGUSR1));",
    "the end of a context restores the mask of the next one": "prepare(&outside); swapcontext(&outside, &inside); sigset_t s; sigprocmask(SIG_BLOCK, 0, &s); EXPECT(!sigismember(&s, SIGUSR1));",
    "a context has the mask that it was given": "prepare(0); swapcontext(&outside, &inside); EXPECT(was_blocked);",
    "a thread has contexts of its own": "signal(SIGUSR1, counts); prepare(&outside); pthread_t t; pthread_create(&t, 0, [](void*) -> void* { swapcontext(&outside, &inside); return 0; }, 0); kill(getpid(), SIGUSR1); pthread_join(t, 0); EXPECT(n == 1);",
    "a jump that saved no mask restores none": "sigset_t s = usr1(); if (sigsetjmp(place, 0) == 0) { sigprocmask(SIG_BLOCK, &s, 0); siglongjmp(place, 1); } sigprocmask(SIG_BLOCK, 0, &s); EXPECT(sigismember(&s, SIGUSR1));",
    "a signal that is ignored is discarded": "signal(SIGUSR1, counts); sigset_t s = usr1(); sigprocmask(SIG_BLOCK, &s, 0); raise(SIGUSR1); signal(SIGUSR1, SIG_IGN); signal(SIGUSR1, counts); sigprocmask(SIG_UNBLOCK, &s, 0); EXPECT(n == 0);",
    "a signal of the process and one of the thread are two": "signal(SIGUSR1, counts); sigset_t s = usr1(); sigprocmask(SIG_BLOCK, &s, 0); kill(getpid(), SIGUSR1); raise(SIGUSR1); sigprocmask(SIG_UNBLOCK, &s, 0); EXPECT(n == 2);",
    "two of the thread are one": "signal(SIGUSR1, counts); sigset_t s = usr1(); sigprocmask(SIG_BLOCK, &s, 0); raise(SIGUSR1); raise(SIGUSR1); sigprocmask(SIG_UNBLOCK, &s, 0); EXPECT(n == 1);",
    "sent by kill": "struct sigaction a = {}; a.sa_sigaction = tells; a.sa_flags = SA_SIGINFO; sigaction(SIGUSR1, &a, 0); kill(getpid(), SIGUSR1); EXPECT(code == SI_USER);",
    "sent by raise": "struct sigaction a = {}; a.sa_sigaction = tells; a.sa_flags = SA_SIGINFO; sigaction(SIGUSR1, &a, 0); raise(SIGUSR1); EXPECT(code == SI_TKILL);",
    "sent by sigqueue": "struct sigaction a = {}; a.sa_sigaction = tells; a.sa_flags = SA_SIGINFO; sigaction(SIGUSR1, &a, 0); union sigval v; v.sival_int = 7; sigqueue(getpid(), SIGUSR1, v); EXPECT(code == SI_QUEUE);",
    "sent by a timer": "sigset_t s = usr1(); sigprocmask(SIG_BLOCK, &s, 0); struct sigevent e = {}; e.sigev_notify = SIGEV_SIGNAL; e.sigev_signo = SIGUSR1; timer_t t; timer_create(CLOCK_MONOTONIC, &e, &t); "
                       "struct itimerspec at = {{0, 0}, {0, 1000}}; timer_settime(t, 0, &at, 0); siginfo_t i; sigwaitinfo(&s, &i); EXPECT(i.si_code == SI_TIMER);",
}
QUEUED = """sigset_t s; sigemptyset(&s); sigaddset(&s, SIGRTMIN); sigprocmask(SIG_BLOCK, &s, 0); union sigval v; v.sival_int = 1;
for (int i = 0; i < TIMES; ++i) sigqueue(getpid(), SIGRTMIN, v);
siginfo_t i; for (int k = 0; k < TIMES; ++k) sigwaitinfo(&s, &i);"""


class Signals(unittest.TestCase):
    def answer(self, body, *flags):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "program.cpp"
            source.write_text(HEAD + "int main() {\n" + body + "\n}\n", encoding="utf-8")
            return check(compiled(folder, source, *flags, compiler="g++", level="-O1"), "--time", "30s")

    def test_twins(self):
        for name, body in PROGRAMS.items():
            with self.subTest(name):
                self.assertEqual(self.answer(body, "-DEXPECT(x)=assert(x)")["verdict"], "verified")
                self.assertEqual(self.answer(body, "-DEXPECT(x)=assert(!(x))")["kinds"], ["assertion"])

    def test_the_queue_of_real_time_signals_is_a_limit(self):
        self.assertEqual(self.answer(QUEUED, "-DTIMES=1")["verdict"], "verified")
        answer = self.answer(QUEUED, "-DTIMES=2")
        self.assertEqual((answer["verdict"], answer["stopped_by"], answer["kinds"]), ("no-bug-found", "limit", []))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
