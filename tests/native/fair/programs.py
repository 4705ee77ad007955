"""Small random thread programs, each as a model (model.py) and as C++.

What they are made of: atomics, mutexes and a semaphore; loops that spin, poll and retry, with a yield, a sleep, a time-out or nothing in between; retries
that give up.
"""

import random

from model import ENDED, Program, from_code, main_code

OBJECTS = {"x": 0, "y": 0, "m": -1, "n": -1, "o": -1, "s": 0}


class Writer:
    """Code of one thread. A target is given by `here()`, or by a label that is put later."""

    def __init__(self):
        self.code = [[("start",), 1, None]]

    def put(self, *operation, otherwise=None):
        self.code.append([operation, len(self.code) + 1, otherwise])
        return len(self.code) - 1

    def here(self):
        return len(self.code)

    def done(self):
        return [tuple(one) for one in self.code]


def rest(rng, out, selfish):
    """What a thread does before it tries again."""
    if not (selfish and rng.random() < 0.3):
        out.put(rng.choice(["yield", "yield", "sleep"]))


def go_back(out, at, to):
    """The last instruction of a detour goes to `to`; the one at `at` takes the detour if it fails."""
    out.code[-1][1] = to
    out.code[at][2] = at + 1
    out.code[at][1] = out.here()


def access(rng, out, _selfish=False):
    kind = rng.choice(["load", "store", "store", "add"])
    name = rng.choice("xy")
    out.put(kind, name, *([] if kind == "load" else [1]))


def spin(rng, out, selfish):
    at = out.put("load", rng.choice("xy"), "is", 1)
    rest(rng, out, selfish)
    if out.here() == at + 1:
        out.code[at][2] = at  # no yield: straight back
    else:
        go_back(out, at, at)


def spin_lock(rng, out, selfish):
    name = rng.choice("xy")
    at = out.put("cas", name, 0, 1)
    rest(rng, out, selfish)
    if out.here() == at + 1:
        out.code[at][2] = at
    else:
        go_back(out, at, at)
    if rng.random() < 0.8:
        out.put("store", name, 0)


def locked(rng, out, _):
    name = rng.choice("mn")
    out.put("lock", name)
    if rng.random() < 0.6:
        if rng.random() < 0.4:
            other = "n" if name == "m" else "m"
            out.put("lock", other)
            out.put("unlock", other)
        else:
            access(rng, out)
    out.put("unlock", name)


def retry_lock(rng, out, selfish):
    name = rng.choice("mn")
    at = out.put(rng.choice(["trylock", "timedlock"]), name)
    if out.code[at][0][0] == "timedlock":  # its time-out is the yield
        out.code[at][2] = at
    else:
        rest(rng, out, selfish)
        if out.here() == at + 1:
            out.code[at][2] = at
        else:
            go_back(out, at, at)
    if rng.random() < 0.5:
        access(rng, out)
    out.put("unlock", name)


def try_once(rng, out, _):
    """Gives up after one or two tries."""
    name = rng.choice("mn")
    tries = [out.put(rng.choice(["trylock", "timedlock"]), name) for _ in range(rng.randint(1, 2))]
    unlock = out.put("unlock", name)
    for at in tries:
        out.code[at][1] = unlock
        out.code[at][2] = at + 1 if at + 1 < unlock else unlock + 1


def take_forks(out, first, second, pause):
    """Figure 1: takes one, tries to take the other one, and starts again if it cannot."""
    at = out.put("lock", first)
    attempt = out.put("trylock", second)
    out.put("unlock", first)
    pause()
    go_back(out, attempt, at)
    out.put("unlock", first)
    out.put("unlock", second)


def two_forks(rng, out, selfish):
    take_forks(out, *rng.choice(["mn", "nm"]), lambda: rest(rng, out, selfish))


def wait(rng, out, _):
    at = out.put(rng.choice(["wait", "timedwait", "timedwait"]), "s")
    if out.code[at][0][0] == "timedwait":
        out.code[at][2] = at if rng.random() < 0.6 else at + 1


def post(_rng, out, _):
    out.put("post", "s")


BLOCKS = [(access, 1), (access, 1), (spin, 1), (spin, 1), (spin_lock, 2), (locked, 2), (retry_lock, 2), (try_once, 2), (two_forks, 4), (wait, 1), (post, 1)]


def code_of(seed):
    """What each thread but main does."""
    rng = random.Random(seed)
    selfish = rng.random() < 0.3
    threads = []
    for _ in range(count := rng.choice([2, 2, 2, 3])):
        out = Writer()
        left = 4 if count == 2 else 2
        while left > 0:
            block, weight = rng.choice(BLOCKS)
            if weight > left and weight < 4:
                continue
            block(rng, out, selfish)
            left -= weight
            if rng.random() < 0.35:
                break
        threads.append(out)
    for i, waiting in enumerate(threads):  # mostly, somebody sets what is waited for
        for operation, *_ in list(waiting.code):
            if "is" in operation and rng.random() < 0.8:
                rng.choice([other for j, other in enumerate(threads) if j != i]).put("store", operation[1], 1)
    return [out.done() for out in threads]


def tellable(program, state):
    """Native programs tell of all states but the first one, before main runs, and those after its end."""
    return state != program.initial() and state[0][0] != ENDED


def model_of(threads):
    return Program(OBJECTS, [from_code(main_code(len(threads)))] + [from_code(code) for code in threads])


def figure3(pause="yield"):
    """t sets x, u waits for it; `pause`: what u does in between, or nothing."""
    set_x, wait_for_x = Writer(), Writer()
    set_x.put("store", "x", 1)
    at = wait_for_x.put("load", "x", "is", 1)
    if pause:
        wait_for_x.put(pause)
        go_back(wait_for_x, at, at)
    else:
        wait_for_x.code[at][2] = at
    return [set_x.done(), wait_for_x.done()]


def polls_under_lock():
    """One looks at x under a lock, again and again; the other one needs that lock to set it, and is kept from it time after time, never all the time."""
    look, set_x = Writer(), Writer()
    first = look.put("lock", "m")
    at = look.put("load", "x", "is", 1)
    look.put("unlock", "m")
    look.put("yield")
    go_back(look, at, first)
    look.put("unlock", "m")
    for operation in [("lock", "m"), ("store", "x", 1), ("unlock", "m")]:
        set_x.put(*operation)
    return [look.done(), set_x.done()]


def philosophers(count, forks):
    """`forks` "figure 1": everybody begins with the one on the left. "in order": with the lower one. "waiting": the same, and waits for the other one, too."""
    threads = []
    for i in range(count):
        pair = [i, (i + 1) % count] if forks == "figure 1" else sorted([i, (i + 1) % count])
        first, second = ("mno"[fork] for fork in pair)
        out = Writer()
        if forks == "waiting":
            for operation in [("lock", first), ("lock", second), ("unlock", second), ("unlock", first)]:
                out.put(*operation)
        else:
            take_forks(out, first, second, lambda out=out: out.put("yield"))
        threads.append(out.done())
    return threads


NATIVE = {"load": "{0}.load()", "store": "({0}.store({1}), 1)", "add": "({0}.fetch_add({1}), 1)", "cas": "compare_exchange({0}, {1}, {2})", "lock": "({0}.lock(), 1)", "trylock": "{0}.try_lock()",
          "timedlock": "{0}.timed_lock()", "unlock": "({0}.unlock(), 1)", "wait": "({0}.wait(), 1)", "timedwait": "{0}.timed_wait()", "post": "({0}.post(), 1)", "yield": "(observed::yield(), 1)",
          "sleep": "(observed::sleep(), 1)"}


def function(name, number, code):
    lines = [f"void* {name}(void*) {{", f"  observed::started({number});"]
    for at, (operation, then, otherwise) in list(enumerate(code))[1:]:
        wanted = 1
        if "is" in operation:
            operation, wanted = operation[: operation.index("is")], operation[-1]
        call = NATIVE[operation[0]].format(*operation[1:])
        lines.append(f"L{at}: observed::stage(\"\", {at});")
        lines.append(f"  (void){call}; goto L{then};" if otherwise is None else f"  if ({call} == {wanted}) goto L{then}; else goto L{otherwise};")
    lines += [f"L{len(code)}: observed::ended();", "  return nullptr;", "}"]
    return lines


def source(programs):
    """One C++ program. Arguments: which one to run, and "states" or "paths": what to tell of it."""
    lines = ['#include "observed.h"', "#include <cstdlib>", "#include <cstring>", "namespace {", "observed::Atomic<int> x, y;", "observed::Mutex m, n, o;", "observed::Semaphore s;",
             "int compare_exchange(observed::Atomic<int>& object, int from, int to) { return object.compare_exchange_strong(from, to); }"]
    tables = []
    for number, threads in enumerate(programs):
        names = [f"p{number}_{t + 1}" for t in range(len(threads))]
        for t, code in enumerate(threads):
            lines += function(names[t], t + 1, code)
        tables.append("{" + ", ".join(names) + "}")
    lines += [f"void* (*const g_programs[][3])(void*) = {{{', '.join(tables)}}};", "}  // namespace", "int main(int, char** argv) {", "  auto* const functions = g_programs[std::atoi(argv[1])];",
              "  int count = 0;", "  while (count < 3 && functions[count] != nullptr) ++count;",
              '  observed::begin(std::strcmp(argv[2], "paths") == 0 ? observed::What::kPaths : observed::What::kStates, count + 1);', "  int at = 1;", "  pthread_t handles[3];",
              '  for (int i = 0; i < count; ++i) observed::stage("", at++), observed::create(handles[i], i + 1, functions[i], "", 0);',
              '  for (int i = 0; i < count; ++i) observed::stage("", at++), observed::join(handles[i]);', '  observed::stage("", at);', "  observed::tell();", "}"]
    return "\n".join(lines) + "\n"
