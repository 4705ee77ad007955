#!/usr/bin/env python3
"""The numbers that getpid, gettid and getppid tell are the same in every execution; the kernel, files below /proc and children know them all the same."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TARRY = os.environ["TARRY"]

SOURCE = """#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t handled;
static void handler(int number) { handled = number; }
static void* work(void* p) {
  BODY
  return p;
}
int main(void) {
  pthread_t t;
  signal(SIGUSR1, handler);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
}
"""
STARTS = "what Tarry controls (see the notes)"
# Name: what the verdict assumes, the program.
CORRECT = {
    "processors": (None, "cpu_set_t c; assert(sched_getaffinity(getpid(), sizeof c, &c) == 0 && sched_getaffinity(gettid(), sizeof c, &c) == 0);"),
    "groups and sessions": (None, "assert(getpgid(getpid()) == getpgrp() && getpgrp() == getpgid(0) && getsid(getpid()) == getsid(0) && kill(-getpgrp(), 0) == 0);"),
    "priorities": (None, "errno = 0; getpriority(PRIO_PROCESS, getpid()); assert(errno == 0 && sched_getscheduler(getpid()) == 0);"),
    "limits": (None, "struct rlimit r; assert(prlimit(getpid(), RLIMIT_NOFILE, 0, &r) == 0 && r.rlim_cur > 0);"),
    "clocks": (None, "clockid_t c; struct timespec t; assert(clock_getcpuclockid(getpid(), &c) == 0 && clock_gettime(c, &t) == 0);"),
    "files": (None, 'char n[64]; sprintf(n, "/proc/%d/status", getpid()); assert(access(n, R_OK) == 0); FILE* f = fopen(n, "r"); assert(f); fclose(f);'),
    "files of threads": (None, 'char n[64]; sprintf(n, "/proc/self/task/%d/comm", gettid()); assert(access(n, R_OK) == 0); sprintf(n, "/proc/%d/stat", gettid()); assert(access(n, R_OK) == 0);'),
    "no such file": (None, 'char n[64]; sprintf(n, "/proc/%d0/status", getpid()); assert(access(n, R_OK) == -1 && errno == ENOENT);'),
    "sockets": (None, "int s[2]; struct ucred c; socklen_t l = sizeof c; assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0 && getsockopt(s[0], SOL_SOCKET, SO_PEERCRED, &c, &l) == 0 && c.pid == getpid());"),
    "descriptors of processes": (None, "int f = syscall(SYS_pidfd_open, getpid(), 0); assert(f >= 0); close(f);"),
    "the process above": (None, "assert(kill(getppid(), 0) == 0 && syscall(SYS_getppid) == getppid());"),
    "nobody": (None, "assert(kill(4999000, 0) == -1 && errno == ESRCH);"),
    "a child knows its parent": (STARTS, "pid_t me = getpid(), c = fork(); if (c == 0) _exit(getppid() == me ? 0 : 3); int s; assert(waitpid(c, &s, 0) == c && s == 0);"),
    "a child signals its parent": (STARTS, "pid_t me = getpid(), c = fork(); if (c == 0) _exit(kill(me, SIGUSR1)); int s; assert(waitpid(c, &s, 0) == c && s == 0 && handled == SIGUSR1);"),
}


class ProcessNumbers(unittest.TestCase):
    def test_the_kernel_and_children_know_them(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for what, (assumes, body) in CORRECT.items():
                with self.subTest(what):
                    (folder / "program.c").write_text(SOURCE.replace("BODY", body), encoding="utf-8")
                    subprocess.run([TARRY, "cc", "-g", "-O1", "-w", "program.c", "-o", "program", "-pthread"], cwd=folder, check=True, timeout=100)
                    done = subprocess.run([TARRY, "check", "./program", "--time", "60s", "--jobs", "1", "--json"], cwd=folder, capture_output=True, text=True, timeout=100, check=False)
                    report = json.loads(done.stdout)
                    self.assertEqual((report["verdict"], report.get("assumes")), ("verified", assumes and [assumes]), report)


if __name__ == "__main__":
    sys.exit(unittest.main())
