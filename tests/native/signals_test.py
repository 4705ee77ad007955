#!/usr/bin/env python3
"""Signals as POSIX and Linux define them: masks that jumps and contexts restore, pending signals that are discarded or two, how a handler is told they were sent. Each
program asserts what happens natively, and its twin asserts the opposite."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import TARRY, check, compiled  # noqa: E402

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
# Sends itself a signal for which it has no handler.
ENDS_BY = """
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int, char** argv) {
  const int s = atoi(argv[2]);
  switch (argv[1][0]) {
    case 'r': return raise(s) == 0 ? 0 : 3;
    case 't': return pthread_kill(pthread_self(), s) == 0 ? 0 : 3;
    case 'k': return kill(getpid(), s) == 0 ? 0 : 3;
    case 'q': { union sigval v = {}; return sigqueue(getpid(), s, v) == 0 ? 0 : 3; }
    case 's': return syscall(SYS_kill, getpid(), s) == 0 ? 0 : 3;
    case 'e': { const char* const words[] = {argv[0], "k", argv[2], nullptr}; return execv(argv[0], const_cast<char**>(words)); }
  }
}
"""
NAMES = {15: "signal 15 (SIGTERM)", 32: "signal 32", 33: "signal 33", 34: "signal 34 (SIGRTMIN)", 40: "signal 40 (SIGRTMIN+6)", 64: "signal 64 (SIGRTMIN+30)"}

QUEUED = """sigset_t s; sigemptyset(&s); sigaddset(&s, SIGRTMIN); sigprocmask(SIG_BLOCK, &s, 0); union sigval v; v.sival_int = 1;
for (int i = 0; i < TIMES; ++i) sigqueue(getpid(), SIGRTMIN, v);
siginfo_t i; for (int k = 0; k < TIMES; ++k) sigwaitinfo(&s, &i);"""

WAITS = """#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
static sigset_t old; static int p[2]; static pthread_t first; static struct epoll_event ev; static fd_set fds; static int e;
static void* sends(void*) { SEND; return 0; }
static void writes(int) { n = n + 1; assert(write(p[1], "x", 1) == 1); }
int main() {
  first = pthread_self(); struct sigaction a = {}; a.sa_handler = HANDLER; a.sa_flags = FLAGS; sigaction(SIGUSR1, &a, 0);
  sigset_t s = usr1(); if (BLOCKS) pthread_sigmask(SIG_BLOCK, &s, &old); else sigemptyset(&old);
  assert(!pipe(p)); e = epoll_create1(0); ev.events = EPOLLIN; assert(!epoll_ctl(e, EPOLL_CTL_ADD, p[0], &ev)); FD_ZERO(&fds); FD_SET(p[0], &fds);
  pthread_t t; pthread_create(&t, 0, sends, 0);
  [[maybe_unused]] struct pollfd f = {p[0], POLLIN, 0}; 
  const int r = WAIT;
  assert(r == -1 && errno == EINTR && n == 1);
  sigset_t now; pthread_sigmask(SIG_BLOCK, 0, &now); assert(!BLOCKS || sigismember(&now, SIGUSR1)); pthread_join(t, 0); (void)writes; }
"""
WAITS_WITH_MASK = {
    "ppoll for nothing": "ppoll(0, 0, 0, &old)",
    "ppoll": "ppoll(&f, 1, 0, &old)",
    "pselect for nothing": "pselect(0, 0, 0, 0, 0, &old)",
    "pselect": "pselect(p[0] + 1, &fds, 0, 0, 0, &old)",
    "epoll_pwait": "epoll_pwait(e, &ev, 1, -1, &old)",
    "epoll_pwait2": "epoll_pwait2(e, &ev, 1, 0, &old)",
    "sigsuspend": "sigsuspend(&old)",
}


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

    def test_every_signal_that_ends_the_program_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "program.cpp"
            source.write_text(ENDS_BY, encoding="utf-8")
            program = compiled(folder, source)
            for how in "rtkqs":
                for number, name in NAMES.items():
                    with self.subTest(how=how, number=number):
                        answer = check(program, "--expect-exit", "3", arguments=(how, number))
                        if how in "rt" and number in (32, 33):  # the C library refuses to send its own
                            self.assertEqual((answer["verdict"], answer["kinds"]), ("verified", []))
                            continue
                        self.assertEqual(answer["kinds"], ["crash"])
                        self.assertEqual(answer["findings"][0]["message"], f"the program was ended by {name}, for which it has no handler")
                        again = subprocess.run([TARRY, "replay", answer["findings"][0]["trace"], "--json"], cwd=folder, capture_output=True, text=True, timeout=100, check=False)
                        self.assertEqual(json.loads(again.stdout)["verdict"], "reproduced", again)
            answer = check(program, arguments=("e", 40))  # what exec started
            self.assertEqual([finding["message"] for finding in answer["findings"]], ["the program was killed by SIGRTMIN+6"])

    def wait(self, call, *flags, send="pthread_kill(first, SIGUSR1)", handler="counts", blocks=1, action=0):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "program.cpp"
            source.write_text(HEAD + WAITS.replace("WAIT", call).replace("SEND", send).replace("HANDLER", handler).replace("BLOCKS", str(blocks)).replace("FLAGS", str(action)), encoding="utf-8")
            return check(compiled(folder, source, compiler="g++", level="-O1"), "--time", "30s", *flags)

    def test_waits_that_unblock_a_signal(self):
        for name, call in WAITS_WITH_MASK.items():
            with self.subTest(name):
                self.assertEqual(self.wait(call)["verdict"], "verified")
                self.assertEqual(self.wait(call, "--search", "dpor")["kinds"], [])
                self.assertEqual(self.wait(call, action="SA_RESTART")["verdict"], "verified")
                self.assertEqual(self.wait(call, handler="writes")["verdict"], "verified")
                # Near misses: the handler may run ahead of the call, which then waits for ever; the call does not unblock the signal.
                self.assertEqual(self.wait(call, blocks=0)["kinds"][:1], ["deadlock"])
                self.assertEqual(self.wait(call.replace("&old", "&s"))["kinds"][:1], ["deadlock"])

    def test_descriptors_come_before_signals(self):
        """A call with a mask that finds a descriptor ready leaves the signal pending."""
        both = "pthread_kill(first, SIGUSR1); assert(write(p[1], \"x\", 1) == 1)"
        for call in ("ppoll(&f, 1, 0, &old)", "pselect(p[0] + 1, &fds, 0, 0, 0, &old)", "epoll_pwait(e, &ev, 1, -1, &old)"):
            with self.subTest(call):
                right = f"{call}; if (r == 1) {{ assert(n == 0); sigset_t got; sigpending(&got); assert(sigismember(&got, SIGUSR1)); return 0; }}"
                self.assertEqual(self.wait(right, send=both)["verdict"], "verified")
                self.assertEqual(self.wait(call, send=both)["kinds"][:1], ["assertion"])

    def test_the_queue_of_real_time_signals_is_a_limit(self):
        self.assertEqual(self.answer(QUEUED, "-DTIMES=1")["verdict"], "verified")
        answer = self.answer(QUEUED, "-DTIMES=2")
        self.assertEqual((answer["verdict"], answer["stopped_by"], answer["kinds"]), ("no-bug-found", "limit", []))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
