#!/usr/bin/env python3
"""Happens-before through descriptors: an operation that observes what another one did to a pipe, socket or other object of the kernel is ordered after it.
Each case has a near miss, in which the write comes after the operation that is observed. And what observes nothing orders nothing."""

import itertools
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import check, compiled  # noqa: E402

HEAD = """#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
static int data, p[2], s[2], ls, ep, ev, q; static char buf[65536]; static struct sockaddr_un ad = {AF_UNIX, "order.socket"};
struct Message { long type; char text[4]; } static message = {1, "abc"};
[[maybe_unused]] static int connects() { int c = socket(AF_UNIX, SOCK_STREAM, 0); return connect(c, (struct sockaddr*)&ad, sizeof ad); }
[[maybe_unused]] static bool polls(int fd, short events, short wanted) { struct pollfd f = {fd, events, 0}; return poll(&f, 1, -1) == 1 && (f.revents & wanted); }
[[maybe_unused]] static int registers(int how, uint32_t events) { struct epoll_event e; e.events = events; e.data.ptr = &data; return epoll_ctl(ep, how, ev, &e); }
[[maybe_unused]] static bool gets() { struct epoll_event e; return epoll_wait(ep, &e, 1, -1) == 1 && e.data.ptr == &data; }
static void* A(void*) { FIRST; return 0; }
int main() {
  signal(SIGPIPE, SIG_IGN); assert(!pipe(p)); pthread_t t; { PREPARE; } pthread_create(&t, 0, A, 0);
  { char b; (void)b; if (SEES) data += 2; }
  pthread_join(t, 0); }
"""
PAIRS = "socketpair(AF_UNIX, SOCK_STREAM, 0, s)"
LISTENS = "unlink(ad.sun_path); ls = socket(AF_UNIX, SOCK_STREAM, 0); assert(!bind(ls, (struct sockaddr*)&ad, sizeof ad)); LISTEN"
FILLS = "assert(write(p[1], buf, 65536) == 65536)"
NONBLOCKING = "fcntl(p[0], F_SETFL, O_NONBLOCK); fcntl(p[1], F_SETFL, O_NONBLOCK)"
WATCHES = "ep = epoll_create1(0); ev = eventfd(1, 0)"
# By name: what main prepares, what a thread does behind its write to data, what main observes.
ORDERED = {
    "write, read": ("", "(void)!write(p[1], buf, 1)", "read(p[0], &b, 1) == 1"),
    "close, end": ("", "close(p[1])", "read(p[0], &b, 1) == 0"),
    "close_range, end": ("", "close_range(p[1], p[1], 0)", "read(p[0], &b, 1) == 0"),
    "dup2, end": ("", "dup2(0, p[1])", "read(p[0], &b, 1) == 0"),
    "shutdown, end": (PAIRS, "shutdown(s[0], SHUT_WR)", "read(s[1], &b, 1) == 0"),
    "connect, accept": (LISTENS.replace("LISTEN", "listen(ls, 1)"), "connects()", "accept(ls, 0, 0) >= 0"),
    "listen, connect": (LISTENS.replace("LISTEN", ""), "listen(ls, 1)", "connects() == 0"),
    "close, POLLHUP": ("", "close(p[1])", "polls(p[0], POLLIN, POLLHUP)"),
    "close, select": ("", "close(p[1])", "({ fd_set f; FD_ZERO(&f); FD_SET(p[0], &f); select(p[0] + 1, &f, 0, 0, 0) == 1; })"),
    "read, write into a full pipe": (FILLS, "(void)!read(p[0], buf, 65536)", 'write(p[1], "x", 1) == 1'),
    "read, POLLOUT": (FILLS, "(void)!read(p[0], buf, 65536)", "polls(p[1], POLLOUT, POLLOUT)"),
    "close, EPIPE": ("", "close(p[0])", 'write(p[1], "x", 1) < 0'),
    "write, EAGAIN": (NONBLOCKING, "(void)!write(p[1], buf, 65536)", 'write(p[1], "x", 1) < 0'),
    "read, EAGAIN": (NONBLOCKING + '; (void)!write(p[1], "x", 1)', "(void)!read(p[0], buf, 1)", "read(p[0], &b, 1) < 0"),
    "read, the next letter": ('assert(write(p[1], "ab", 2) == 2)', "(void)!read(p[0], buf, 1)", "read(p[0], &b, 1) == 1 && b == 'b'"),
    "read, FIONREAD": ('assert(write(p[1], "ab", 2) == 2)', "(void)!read(p[0], buf, 1)", "({ int n; ioctl(p[0], FIONREAD, &n); n == 1; })"),
    "eventfd": ("ev = eventfd(0, 0)", "eventfd_write(ev, 1)", "({ eventfd_t v; eventfd_read(ev, &v) == 0; })"),
    "epoll_ctl, epoll_wait": (WATCHES, "registers(EPOLL_CTL_ADD, EPOLLIN)", "gets()"),
    "EPOLL_CTL_MOD, epoll_wait": (WATCHES + "; registers(EPOLL_CTL_ADD, 0)", "registers(EPOLL_CTL_MOD, EPOLLIN)", "gets()"),
    "EPOLLONESHOT": (WATCHES + "; registers(EPOLL_CTL_ADD, EPOLLIN | EPOLLONESHOT); gets()", "registers(EPOLL_CTL_MOD, EPOLLIN | EPOLLONESHOT)", "gets()"),
    "msgsnd, msgrcv": ("q = msgget(IPC_PRIVATE, 0600)", "msgsnd(q, &message, 4, 0)", "msgrcv(q, &message, 4, 0, 0) == 4"),
    "semctl, semop": ("q = semget(IPC_PRIVATE, 1, 0600)", "semctl(q, 0, SETVAL, 1)", "({ struct sembuf o = {0, -1, 0}; semop(q, &o, 1) == 0; })"),
}
# Both threads do this, and none sees the other.
UNORDERED = {
    "two writes to one pipe": ("", 'write(p[1], "x", 1)'),
    "two writes to one eventfd": ("ev = eventfd(0, 0)", "eventfd_write(ev, 1) + 1"),
    "two sends to one socket": (PAIRS, 'send(s[0], "x", 1, 0)'),
}


class DescriptorOrder(unittest.TestCase):
    def kinds(self, prepare, first, sees, *options):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "program.cpp"
            source.write_text(HEAD.replace("PREPARE", prepare).replace("FIRST", first).replace("SEES", sees), encoding="utf-8")
            return check(compiled(folder, source, "-w", "-lrt"), "--time", "60s", *options)["kinds"]

    def test_what_is_observed_is_ordered(self):
        for name, (prepare, first, sees) in ORDERED.items():
            with self.subTest(name):
                self.assertEqual(self.kinds(prepare, f"data = 1; {first}", sees), [])
                self.assertEqual(self.kinds(prepare, f"{first}; data = 1", sees)[:1], ["data-race"])

    def test_what_observes_nothing_orders_nothing(self):
        for (name, (prepare, call)), order in itertools.product(UNORDERED.items(), ("data = 1; {}", "{}; data = 1")):
            with self.subTest(name, order=order):
                self.assertEqual(self.kinds(prepare, order.format(f"(void)({call})"), call, "--search", "random-walk", "--samples", "20")[:1], ["data-race"])

    def test_cancellation(self):
        """What comes before pthread_cancel happens before the cleanup handlers."""
        text = """#include <pthread.h>
#include <unistd.h>
static int data;
static void handler(void*) { data += 2; }
static void* waits(void*) { pthread_cleanup_push(handler, 0); for (;;) WAIT; pthread_cleanup_pop(0); return 0; }
int main() { pthread_t t; pthread_create(&t, 0, waits, 0); FIRST; pthread_join(t, 0); }
"""
        for wait in ("pause()", "sleep(1)", "pthread_testcancel(), sched_yield()"):
            for first, wanted in (("data = 1; pthread_cancel(t)", []), ("pthread_cancel(t); data = 1", ["data-race"])):
                with self.subTest(wait, first=first), tempfile.TemporaryDirectory() as folder:
                    source = pathlib.Path(folder) / "program.cpp"
                    source.write_text(text.replace("WAIT", wait).replace("FIRST", first), encoding="utf-8")
                    self.assertEqual(check(compiled(folder, source), "--time", "60s")["kinds"][:1], wanted)


if __name__ == "__main__":
    unittest.main()
