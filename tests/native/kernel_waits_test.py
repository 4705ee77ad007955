#!/usr/bin/env python3
"""Calls that may block in the kernel: locks of files, named pipes, writes larger than a pipe, messages. Those that Tarry knows wait for their turn;
what it does not know is a limit, and never a bug of the program's. Calls that do not wait, or wait for some time, do not block."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TARRY = os.environ["TARRY"]

HEAD = """#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static pthread_t t, u;
static int ends[2];
static int plain;
static atomic_int inside;
#define BOTH(f, g) pthread_create(&t, 0, f, 0), pthread_create(&u, 0, g, 0), pthread_join(t, 0), pthread_join(u, 0)
static void section(void) { assert(atomic_fetch_add(&inside, 1) == 0); ++plain; atomic_fetch_sub(&inside, 1); }
"""

LOCKED = {
    "flock": ("flock(f, LOCK_EX)", "flock(f, LOCK_UN)"),
    "flock, closed": ("flock(f, LOCK_EX)", "0"),
    "ofd": ("({ struct flock l = {.l_type = F_WRLCK}; fcntl(f, F_OFD_SETLKW, &l); })", "({ struct flock l = {.l_type = F_UNLCK}; fcntl(f, F_OFD_SETLK, &l); })"),
}


def locked(lock, unlock, second=None):
    body = "static void* %s(void* p) { int f = open(\"lock\", O_RDWR | O_CREAT, 0600); assert(%s == 0); section(); assert(%s == 0); close(f); return p; }\n"
    return HEAD + body % ("a", lock, unlock) + body % ("b", second or lock, unlock) + "int main(void) { BOTH(a, b); assert(plain == 2); }\n"


CROSSED = HEAD + """
static void both(const char* one, const char* other) {
  int f = open(one, O_RDWR | O_CREAT, 0600), g = open(other, O_RDWR | O_CREAT, 0600);
  flock(f, LOCK_EX); flock(g, LOCK_EX);
  close(f); close(g);
}
static void* a(void* p) { both("one", "two"); return p; }
static void* b(void* p) { both("two", "one"); return p; }
int main(void) { BOTH(a, b); }
"""

FINE = {
    "a named pipe": """
static void* a(void* p) { int f = open("pipe", O_RDONLY); char c; assert(f >= 0 && read(f, &c, 1) == 1 && c == 'x'); close(f); return p; }
static void* b(void* p) { int f = open("pipe", O_WRONLY); assert(write(f, "x", 1) == 1); close(f); return p; }
int main(void) { assert(mkfifo("pipe", 0600) == 0); BOTH(a, b); }""",
    "a write larger than the pipe": """
enum { SIZE = 150000 };
static char from[SIZE], to[SIZE];
static void* a(void* p) { assert(write(ends[1], from, SIZE) == SIZE); close(ends[1]); return p; }
static void* b(void* p) { long n, all = 0; while ((n = read(ends[0], to, SIZE)) > 0) all += n; assert(all == SIZE); return p; }
int main(void) { assert(pipe(ends) == 0); BOTH(a, b); }""",
    "pieces": """
enum { SIZE = 300000 };
static char from[SIZE], to[SIZE];
static void* a(void* p) { struct iovec v[2] = {{from, 5}, {from, SIZE - 5}}; assert(writev(ends[1], v, 2) == SIZE); return p; }
static void* b(void* p) { assert(recv(ends[0], to, SIZE, MSG_WAITALL) == SIZE); return p; }
int main(void) { assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); BOTH(a, b); }""",
    "MSG_DONTWAIT": """
static void* a(void* p) {
  char c; struct iovec v = {&c, 1}; struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1}; struct mmsghdr many = {m};
  assert(recv(ends[0], &c, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  assert(recvmsg(ends[0], &m, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  assert(recvmmsg(ends[0], &many, 1, MSG_DONTWAIT, 0) == -1 && errno == EAGAIN);
  while (send(ends[0], &c, 1, MSG_DONTWAIT) == 1) {}
  assert(errno == EAGAIN);
  return p;
}
int main(void) { assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0); pthread_create(&t, 0, a, 0); pthread_join(t, 0); }""",
    "SO_RCVTIMEO": """
static void* a(void* p) {
  struct timespec before, after; char c;
  clock_gettime(CLOCK_MONOTONIC, &before);
  assert(recv(ends[0], &c, 1, 0) == -1 && errno == EAGAIN);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec - before.tv_sec >= 2);
  return p;
}
int main(void) {
  struct timeval limit = {3, 0};
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
  pthread_create(&t, 0, a, 0); pthread_join(t, 0);
}""",
    "splice": """
static int more[2];
static void* a(void* p) { assert(splice(ends[0], 0, more[1], 0, 1, 0) == 1); return p; }
static void* b(void* p) { assert(write(ends[1], "x", 1) == 1); return p; }
int main(void) { assert(pipe(ends) == 0 && pipe(more) == 0); BOTH(a, b); }""",
    "messages of System V": """
static int queue;
static struct { long type; char text; } in, out = {1, 'x'};
static void* a(void* p) { assert(msgrcv(queue, &in, 1, 0, 0) == 1 && in.text == 'x'); return p; }
static void* b(void* p) { assert(msgsnd(queue, &out, 1, 0) == 0); return p; }
int main(void) { queue = msgget(IPC_PRIVATE, 0600); BOTH(a, b); msgctl(queue, IPC_RMID, 0); }""",
    "a child that waits for a thread": """
static pid_t child;
static void* a(void* p) { int status; assert(waitpid(child, &status, 0) == child && status == 0); return p; }
static void* b(void* p) { assert(write(ends[1], "x", 1) == 1); return p; }
int main(void) { assert(pipe(ends) == 0); child = fork(); if (child == 0) { char c; _exit(read(ends[0], &c, 1) == 1 ? 0 : 1); } BOTH(a, b); }""",
    "a thread that waits for a child": """
static void* a(void* p) { char c; assert(read(ends[0], &c, 1) == 1); return p; }
int main(void) { assert(pipe(ends) == 0); pid_t child = fork(); if (child == 0) { usleep(100000); _exit(write(ends[1], "x", 1) == 1 ? 0 : 1); }
  pthread_create(&t, 0, a, 0); pthread_join(t, 0); waitpid(child, 0, 0); }""",
}

# Nobody writes, and nobody opens the other end.
DEADLOCKS = {
    "recv": "static void* a(void* p) { char c; recv(ends[0], &c, 1, 0); return p; }\nint main(void) { socketpair(AF_UNIX, SOCK_STREAM, 0, ends); pthread_create(&t, 0, a, 0); pthread_join(t, 0); }",
    "full": "static char from[150000];\nstatic void* a(void* p) { write(ends[1], from, sizeof from); return p; }\nint main(void) { pipe(ends); pthread_create(&t, 0, a, 0); pthread_join(t, 0); }",
    "one end": "static void* a(void* p) { open(\"pipe\", O_WRONLY); return p; }\nint main(void) { mkfifo(\"pipe\", 0600); pthread_create(&t, 0, a, 0); pthread_join(t, 0); }",
}

# A system call that is not known: here it is one that waits for ever, for what another thread would write to a terminal.
UNKNOWN = HEAD + """#include <linux/aio_abi.h>
static void* a(void* p) { aio_context_t all = 0; struct io_event event; syscall(SYS_io_setup, 1, &all); syscall(SYS_io_getevents, all, 1, 1, &event, 0); return p; }
int main(void) { pthread_create(&t, 0, a, 0); pthread_join(t, 0); }
"""


class KernelWaits(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def check(self, text, *options):
        (self.folder / "program.c").write_text(text, encoding="utf-8")
        subprocess.run([TARRY, "cc", "-g", "-O1", "-w", "program.c", "-o", "program", "-pthread"], cwd=self.folder, check=True, timeout=100)
        done = subprocess.run([TARRY, "check", "./program", "--json", "--time", "30s", *options], cwd=self.folder, capture_output=True, text=True, timeout=100, check=False)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        return json.loads(done.stdout)

    def kinds(self, report):
        return [finding["kind"] for finding in report["findings"]]

    def test_locks_of_files_exclude(self):
        for name, (lock, unlock) in LOCKED.items():
            with self.subTest(name):
                report = self.check(locked(lock, unlock))
                self.assertEqual((report["verdict"], self.kinds(report)), ("verified", []), report)

    def test_one_that_does_not_lock_is_found(self):
        report = self.check(locked("flock(f, LOCK_EX)", "flock(f, LOCK_UN)", second="flock(f, LOCK_UN)"))
        self.assertEqual(report["verdict"], "bug")

    def test_locks_of_files_in_the_wrong_order(self):
        self.assertEqual(self.kinds(self.check(CROSSED)), ["deadlock"])

    def test_what_waits_for_its_turn(self):
        for name, text in FINE.items():
            with self.subTest(name):
                report = self.check(HEAD + text, "--search", "preemption-bounded", "--max-preemptions", "1")
                self.assertEqual(self.kinds(report), [], report)
                self.assertIn(report["stopped_by"], (None, "bound"), report)

    def test_how_much_there_is_to_read_is_a_look(self):
        text = HEAD + """
#include <sys/ioctl.h>
static void* writes(void* a) { return write(ends[1], "x", 1) == 1 ? a : NULL; }
int main() {
  int n = 0;
  assert(pipe(ends) == 0);
  pthread_create(&t, NULL, writes, NULL);
  %s;
  pthread_join(t, NULL);
}
"""
        for once, kinds in (("ioctl(ends[0], FIONREAD, &n), assert(n == 0)", ["assertion"]), ("ioctl(ends[0], FIONREAD, &n), assert(n != 0)", ["assertion"]),
                            ("ioctl(ends[0], FIONREAD, &n), assert(n == 0 || n == 1)", []), ("while (n == 0) ioctl(ends[0], FIONREAD, &n)", [])):
            with self.subTest(once):
                report = self.check(text % once)
                self.assertEqual((self.kinds(report), report["verdict"]), (kinds, "bug" if kinds else "verified"), report)

    def test_what_waits_for_ever(self):
        for name, text in DEADLOCKS.items():
            with self.subTest(name):
                self.assertEqual(self.kinds(self.check(HEAD + text)), ["deadlock"])

    def test_what_is_not_known_is_a_limit(self):
        report = self.check(UNKNOWN, "--step-timeout", "1s")
        self.assertEqual((report["verdict"], report["stopped_by"]), ("no-bug-found", "limit"), report)
        self.assertIn("waits in the kernel, in a call that Tarry does not control: io_getevents", report["verdict_text"] if "verdict_text" in report else str(report))


if __name__ == "__main__":
    sys.exit(unittest.main())
