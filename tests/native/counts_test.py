#!/usr/bin/env python3
"""Exact numbers of executions and of happens-before orders (Mazurkiewicz traces) of tiny thread programs.

Programs of two to four threads over mutexes and atomics are made at random, written out as C++ and checked; the numbers come from a
model of this file that knows nothing of the runtime: it walks all interleavings, and tells orders apart by which operation each one
follows on its object.
"""

import functools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

TARRY = os.environ["TARRY"]

# An operation is (kind, object). Kinds: lock and unlock of a mutex; load, store and add of an atomic; pread and pwrite of a file.
WRITES = {"lock", "unlock", "store", "add", "pwrite"}
READS = {"load", "pread"}


def named():
    """Programs whose numbers can be checked by hand."""
    yield "two stores", [[("store", "x")], [("store", "x")]]
    yield "two loads", [[("load", "x")], [("load", "x")]]
    yield "a file", [[("pwrite", "f"), ("pwrite", "f")], [("pread", "f"), ("pread", "f")]]
    yield "independent", [[("store", "x"), ("store", "x")], [("store", "y"), ("store", "y")]]
    yield "one lock", [[("lock", "m"), ("unlock", "m")], [("lock", "m"), ("unlock", "m")]]
    yield "crossed locks", [[("lock", "m"), ("lock", "n"), ("unlock", "n"), ("unlock", "m")], [("lock", "m"), ("unlock", "m")]]
    yield "readers and a writer", [[("load", "x")], [("load", "x")], [("store", "x")]]
    yield "four threads", [[("add", "x")], [("add", "x")], [("add", "y")], [("load", "y")]]
    yield "nothing", [[], []]


def drawn(seed):
    rng = random.Random(seed)
    threads = []
    for _ in range(rng.choice([2, 2, 3])):
        operations = []
        for _ in range(rng.randint(1, 2)):
            if rng.random() < 0.4:
                mutex = rng.choice("mn")
                inner = [(rng.choice(["load", "store", "add"]), rng.choice("xy"))] if rng.random() < 0.7 else []
                operations += [("lock", mutex), *inner, ("unlock", mutex)]
            else:
                operations.append((rng.choice(["load", "store", "add"]), rng.choice("xy")))
        threads.append(operations)
    return threads


def programs():
    yield from named()
    for seed in range(16):
        yield f"drawn {seed}", drawn(seed)


def steps_of(threads):
    """What each thread does, main's included, as the runtime takes steps: main starts, creates, joins, exits; a thread starts, then its own."""
    count = len(threads)
    main = [("start", None)] + [("create", i) for i in range(count)] + [("join", i) for i in range(count)] + [("exit", None)]
    return [main] + [[("start", None), *operations] for operations in threads]


class Model:
    def __init__(self, threads):
        self.steps = steps_of(threads)

    def open(self, at):
        """Threads that can run; at[i] is the number of steps that thread i has taken, -1 while it is not there."""
        held = {}
        for t, done in enumerate(at):
            for kind, name in self.steps[t][: max(done, 0)]:
                if kind == "lock":
                    held[name] = t
                elif kind == "unlock":
                    del held[name]
        out = []
        for t, done in enumerate(at):
            if done < 0 or done == len(self.steps[t]):
                continue
            kind, name = self.steps[t][done]
            if kind == "lock" and name in held:
                continue
            if kind == "join" and at[name + 1] != len(self.steps[name + 1]):
                continue
            out.append(t)
        return out

    def after(self, at, t):
        now = list(at)
        kind, name = self.steps[t][now[t]]
        now[t] += 1
        if kind == "create":
            now[name + 1] = 0
        return tuple(now)

    def first(self):
        return tuple([0] + [-1] * (len(self.steps) - 1))

    def executions(self):
        @functools.cache
        def count(at):
            threads = self.open(at)
            return 1 if not threads else sum(count(self.after(at, t)) for t in threads)

        return count(self.first())

    def orders(self):
        return len(self.all_orders())

    def all_orders(self):
        """Prefixes of the same order are one: an order is who follows whom on each object."""
        frontier = {(self.first(), ())}
        final = set()
        while frontier:
            successors = set()
            for at, order in frontier:
                threads = self.open(at)
                if not threads:
                    final.add(order)
                for t in threads:
                    kind, name = self.steps[t][at[t]]
                    successors.add((self.after(at, t), self.extended(order, (t, at[t]), kind, name)))
            frontier = successors
        return final

    @staticmethod
    def extended(order, event, kind, name):
        """`order`: for each object the sequence of (a write, the set of reads that follow it)."""
        if kind not in WRITES | READS:
            return order
        objects = dict(order)
        sequence = objects.get(name, ((None, frozenset()),))
        if kind in WRITES:
            sequence += ((event, frozenset()),)
        else:
            write, reads = sequence[-1]
            sequence = sequence[:-1] + ((write, reads | {event}),)
        objects[name] = sequence
        return tuple(sorted(objects.items()))


def source():
    """One C++ program: argument k runs the k-th."""
    code = ["#include <atomic>", "#include <cstdlib>", "#include <fcntl.h>", "#include <pthread.h>", "#include <unistd.h>", "int f;"]
    code += [f"pthread_mutex_t {m} = PTHREAD_MUTEX_INITIALIZER;" for m in "mn"] + [f"std::atomic<int> {a};" for a in "xy"]
    call = {"lock": "pthread_mutex_lock(&{});", "unlock": "pthread_mutex_unlock(&{});", "load": "(void){}.load();",
            "store": "{}.store(1);", "add": "{}.fetch_add(1);",
            "pread": "if (char c; pread({}, &c, 1, 0) < 0) abort();", "pwrite": "if (pwrite({}, &{}, 1, 0) != 1) abort();"}
    cases = []
    for number, (_, threads) in enumerate(programs()):
        for t, operations in enumerate(threads):
            body = " ".join(call[kind].format(name, name) for kind, name in operations)
            code.append(f"void* p{number}_{t}(void*) {{ {body} return nullptr; }}")
        create = " ".join(f"pthread_create(&h[{t}], nullptr, p{number}_{t}, nullptr);" for t in range(len(threads)))
        join = " ".join(f"pthread_join(h[{t}], nullptr);" for t in range(len(threads)))
        opens = 'f = open("counts.file", O_RDWR | O_CREAT, 0600); ' if any(name == "f" for operations in threads for _, name in operations) else ""
        cases.append(f"    case {number}: {opens}{create} {join} break;")
    code += ["int main(int, char** argv) {", "  pthread_t h[4];", "  switch (std::atoi(argv[1])) {", *cases, "  }", "}"]
    return "\n".join(code) + "\n"


class Counts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = pathlib.Path(cls.folder.name, "counts")
        (cls.program.parent / "counts.cpp").write_text(source(), encoding="utf-8")
        subprocess.run([TARRY, "c++", "-std=c++20", "-O1", "-o", cls.program, cls.program.parent / "counts.cpp", "-pthread"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, number, *options):
        command = [TARRY, "check", str(self.program), "--jobs", "1", "--search", "dfs", "--json", "--time", "none", *options, "--", str(number)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder.name, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["verdict"], "verified")
        return answer

    def test_numbers_by_hand(self):
        expected = {"two stores": 2, "two loads": 1, "a file": 6, "independent": 1, "one lock": 2, "readers and a writer": 4, "nothing": 1}
        for name, threads in named():
            if name in expected:
                self.assertEqual(Model(threads).orders(), expected[name], name)
        self.assertEqual(Model([[], []]).executions(), 5)  # where two threads can start, between main creating and joining them

    def test_executions_without_cache(self):
        for number, (name, threads) in enumerate(programs()):
            expected = Model(threads).executions()
            if expected > 300_000:
                continue
            with self.subTest(name, threads=threads):
                self.assertEqual(self.check(number, "--cache", "none", "--fair-scheduling=off")["executions"], expected)

    def test_orders(self):
        for number, (name, threads) in enumerate(programs()):
            with self.subTest(name, threads=threads):
                self.assertEqual(self.check(number)["orders"], Model(threads).orders())

    def test_partial_order_reduction_runs_each_order_once(self):
        for number, (name, threads) in enumerate(programs()):
            for search in ("dpor", "source-dpor"):
                with self.subTest(name, threads=threads, search=search):
                    answer = self.check(number, "--search", search)
                    self.assertEqual(answer["executions"], Model(threads).orders())
                    self.assertTrue(search == "source-dpor" or answer["in_vain"] == 0, answer)

    def test_meeting_outside_of_memory(self):
        """Two threads whose atomics are independent, and who meet only in an output or in libc: there are two orders."""
        meetings = {
            "output": "if (write(1, \"x\", 1) != 1) abort();",
            "libc": "(void)rand();",
            "environment": "setenv(\"TARRY_A\", \"b\", 1);",
            "done once": "pthread_once(&once, [] {});",
            "nothing": "",
        }
        executions = {}
        for name, statement in meetings.items():
            source_file = self.program.parent / f"{name}.cpp"
            source_file.write_text(MEETING.replace("MEET", statement), encoding="utf-8")
            program = source_file.with_suffix("")
            subprocess.run([TARRY, "c++", "-std=c++20", "-O1", "-o", program, source_file, "-pthread"], check=True)
            with self.subTest(name):
                command = [TARRY, "check", str(program), "--jobs", "1", "--search", "dfs", "--json", "--time", "none"]
                done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder.name, check=False)
                answer = json.loads(done.stdout)
                self.assertEqual(answer["orders"], 1 if name in ("nothing", "done once") else 2, done.stdout)
                executions[name] = answer["executions"]
        self.assertEqual(executions["done once"], executions["nothing"])  # no point


MEETING = """
#include <atomic>
#include <cstdlib>
#include <thread>
#include <unistd.h>
std::atomic<int> a, b;
pthread_once_t once = PTHREAD_ONCE_INIT;
int main() {
  pthread_once(&once, [] {});
  std::thread one([] { a = 1; MEET a = 2; });
  std::thread two([] { b = 1; MEET b = 2; });
  one.join();
  two.join();
}
"""


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
