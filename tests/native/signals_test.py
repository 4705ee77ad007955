#!/usr/bin/env python3
"""Signals as POSIX and Linux define them: masks that jumps restore, pending signals that are discarded or two, how a handler is told they were sent. Each
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
#include <signal.h>
#include <time.h>
#include <unistd.h>
static sigjmp_buf place;
[[maybe_unused]] static volatile sig_atomic_t n, code;
[[maybe_unused]] static void counts(int) { n = n + 1; }
[[maybe_unused]] static void leaves(int) { siglongjmp(place, 1); }
[[maybe_unused]] static void tells(int, siginfo_t* i, void*) { code = i->si_code; }
[[maybe_unused]] static sigset_t usr1() { sigset_t s; sigemptyset(&s); sigaddset(&s, SIGUSR1); return s; }
"""
PROGRAMS = {
    "a jump out of a handler restores the mask": "signal(SIGUSR1, leaves); static volatile int jumps; if (sigsetjmp(place, 1)) jumps = jumps + 1; if (jumps < 2) raise(SIGUSR1); EXPECT(jumps == 2);",
    "a jump restores the mask": "sigset_t s = usr1(); if (sigsetjmp(place, 1) == 0) { sigprocmask(SIG_BLOCK, &s, 0); siglongjmp(place, 1); } sigprocmask(SIG_BLOCK, 0, &s); EXPECT(!sigismember(&s, SIGUSR1));",
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
