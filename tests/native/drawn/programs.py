"""Small random thread programs, each as instructions for machine.py and as C++.

What they are made of: atomics, plain variables, mutexes, a semaphore, a condition variable; yields and sleeps; polls that give up, after a number of tries or
at a deadline; time-outs; loops that wait; clocks; a signal and its handler; memory that is freed and allocated; a std::string and a std::ostringstream;
output. A program draws from two or three of these families.
"""

import random

from machine import OUT, Machine

TMP, PTR, NEW, OLD = 0, 1, 2, 3  # registers that nobody is told; NEW: what the thread allocated
FIRST_TOLD, REGISTERS = 6, 12
HANDLER_TMP = 4
TMP2 = 5

PAUSES = {"yield": "sched_yield();", "sleep": "usleep(1000);", "pause": "__builtin_ia32_pause();", "nothing": ""}


class TooLarge(Exception):
    pass


class Thread:
    """Code of one thread, for the machine and in C++."""

    def __init__(self, number, rng):
        self.number, self.rng = number, rng
        self.code, self.text, self.told = [], [], FIRST_TOLD

    def put(self, *instruction):
        self.code.append(list(instruction))
        return len(self.code) - 1

    def say(self, text):
        self.text.append(text)

    def tell(self):
        """A register that is told at the end, and its name in C++."""
        if self.told == REGISTERS:
            raise TooLarge
        self.told += 1
        return self.told - 1, f"R[{self.number}][{self.told - 1 - FIRST_TOLD}]"

    def rest(self, kinds=("yield", "yield", "sleep", "pause", "nothing")):
        """What a loop does in between."""
        kind = self.rng.choice(kinds)
        if kind in ("yield", "sleep"):
            self.put("yield") if kind == "yield" else self.put("sleep", 1)
        return PAUSES[kind]


# ---------------------------------------------------------------- statements

def load(t):
    reg, name = t.tell()
    x = t.rng.choice("xy")
    t.put("load", x, reg)
    t.say(f"{name} = {x}.load();")


def store(t):
    x, value = t.rng.choice("xy"), t.rng.randint(1, 2)
    t.put("store", x, value)
    t.say(f"{x}.store({value});")


def add(t):
    reg, name = t.tell()
    x = t.rng.choice("xy")
    t.put("add", x, reg)
    t.say(f"{name} = {x}.fetch_add(1);")


def compare_exchange(t):
    reg, name = t.tell()
    x, value = t.rng.choice("xy"), t.rng.randint(1, 2)
    t.put("cas", x, 0, value, reg)
    t.say(f"{{ int e = 0; {name} = {x}.compare_exchange_strong(e, {value}); }}")


def plain(t):
    p = t.rng.choice("pq")
    how = t.rng.randint(0, 2)
    if how == 0:
        reg, name = t.tell()
        t.put("pread", p, reg)
        t.say(f"{name} = {p};")
    elif how == 1:
        t.put("pwrite", p, 1)
        t.say(f"{p} = 1;")
    else:
        increment(t, p)


def increment(t, p):
    t.put("pread", p, TMP)
    t.put("inc", TMP)
    t.put("pwrite", p, None, TMP)
    t.say(f"{p} = {p} + 1;")


def text(t, always=False):
    """The string or the stream, where the thread is alone with it."""
    name = t.rng.choice("go")
    letter = "abc"[t.number]
    how = t.rng.randint(0, 2)
    if how == 0:
        reg, told = t.tell()
        t.put("sread", name, reg)
        t.say(f"{told} = value({name});")
    elif how == 1 and name == "g":
        long = t.rng.random() < 0.5
        value = letter * (26 if long else 2)
        t.put("sassign", "g", value)
        t.say(f'g = "{value}";')
    else:
        t.put("sappend", name, letter)
        t.say(f"g += '{letter}';" if name == "g" else f"o << '{letter}';")


def inner(t, texts):
    for _ in range(t.rng.randint(1, 2)):
        t.rng.choice([plain, text] if texts else [plain, plain, load, store])(t)


def locked(t, texts=False):
    m = t.rng.choice("mmn")
    t.put("lock", m)
    t.say(f"pthread_mutex_lock(&{m});")
    inner(t, texts)
    t.put("unlock", m)
    t.say(f"pthread_mutex_unlock(&{m});")


def locked_text(t):
    t.put("lock", "m")
    t.say("pthread_mutex_lock(&m);")
    text(t)
    t.put("unlock", "m")
    t.say("pthread_mutex_unlock(&m);")


def loose_text(t):
    """With the lock, mostly."""
    (text if t.rng.random() < 0.3 else locked_text)(t)


TRIES = {"trylock": "pthread_mutex_trylock(&{})", "past": "pthread_mutex_timedlock(&{}, &past)", "future": "pthread_mutex_timedlock(&{}, &future)"}


def attempt(t):
    """Tries to lock, and goes on without if it cannot."""
    reg, name = t.tell()
    m = t.rng.choice("mmn")
    kind = t.rng.choice(list(TRIES))
    t.put("trylock" if kind == "trylock" else "timedlock", m, reg, kind == "future")
    at = t.put("branch", reg, None)
    skip = t.put("jump", None)
    t.code[at][2] = len(t.code)
    t.say(f"if (({name} = {TRIES[kind].format(m)} == 0)) {{")
    t.rng.choice([plain, store, load])(t)
    t.put("unlock", m)
    t.say(f"pthread_mutex_unlock(&{m}); }}")
    t.code[skip][1] = len(t.code)


def poll(t):
    """Looks so many times, and says how often it looked in vain."""
    reg, name = t.tell()
    x, times = t.rng.choice("xy"), t.rng.choice([1, 2, 3, 5])
    outs = []
    kind = t.rng.choice(("yield", "yield", "sleep", "nothing"))
    for _ in range(times):
        t.put("load", x, TMP)
        outs.append(t.put("branch", TMP, None))
        t.put("inc", reg)
        pause = t.rest((kind,))
    for at in outs:
        t.code[at][2] = len(t.code)
    t.say(f"{{ int i = 0; for (; i < {times} && {x}.load() == 0; i++) {{ {pause} }} {name} = i; }}")


def poll_lock(t):
    reg, name = t.tell()
    times = t.rng.choice([1, 2, 3])
    outs = []
    kind, way = t.rng.choice(("yield", "sleep", "nothing")), t.rng.choice(["trylock", "past"])
    for _ in range(times):
        t.put("trylock" if way == "trylock" else "timedlock", "m", TMP)
        outs.append(t.put("branch", TMP, None))
        t.put("inc", reg)
        pause = t.rest((kind,))
    over = t.put("jump", None)
    for at in outs:
        t.code[at][2] = len(t.code)
    t.say(f"{{ int i = 0; for (; i < {times}; i++) {{ if ({TRIES[way].format('m')} == 0) {{")
    t.rng.choice([plain, store])(t)
    t.put("unlock", "m")
    t.code[over][1] = len(t.code)
    t.say(f"pthread_mutex_unlock(&m); break; }} {pause} }} {name} = i; }}")


def poll_clock(t):
    """Looks until it sees something or time is over: two sleeps."""
    reg, name = t.tell()
    x = t.rng.choice("xy")
    t.put("now", PTR)
    first = t.put("load", x, reg)
    seen = t.put("branch", reg, None)
    t.put("now", TMP)
    t.put("later", TMP, TMP, PTR, 100)
    late = t.put("branch", TMP, None)
    t.put("sleep", 50)
    t.put("jump", first)
    t.code[seen][2] = t.code[late][2] = len(t.code)
    t.say(f"{{ long from = now(); while (({name} = {x}.load()) == 0 && now() - from < 100) usleep(50000); }}")


def measure(t):
    """How long something took: more than a second, or not."""
    reg, name = t.tell()
    t.put("now", PTR)
    t.say("{ long from = now();")
    what = t.rng.randint(0, 2)
    if what == 0:
        t.put("sleep", 20)
        t.say("usleep(20000);")
    elif what == 1:
        store(t)
    limit = t.rng.choice([1000, 10])
    t.put("now", TMP)
    t.put("later", reg, TMP, PTR, limit)
    t.say(f"{name} = now() - from >= {limit}; }}")


def tell_time(t):
    t.put("now", TMP)
    t.put("store", "w", None, TMP)
    t.say("w.store(now());")


def compare_time(t):
    """Whoever has seen what time it was does not see an earlier one."""
    reg, name = t.tell()
    t.put("load", "w", PTR)
    skip = t.put("branch", PTR, None)
    over = t.put("jump", None)
    t.code[skip][2] = len(t.code)
    t.put("now", TMP)
    t.put("later", reg, TMP, PTR, 0)
    t.put("inc", reg)
    t.code[over][1] = len(t.code)
    t.say(f"if (long then = w.load()) {name} = 1 + (now() >= then);")


def wait_loop(t):
    x = t.rng.choice("xy")
    t.put("await", x, 1)
    pause = t.rng.choice(list(PAUSES.values()))
    t.say(f"while ({x}.load() != 1) {{ {pause} }}")


def spin_lock(t):
    t.put("spinlock")
    pause = t.rng.choice(list(PAUSES.values()))
    t.say(t.rng.choice([f"while (z.exchange(1) != 0) {{ {pause} }}", f"for (int e = 0; !z.compare_exchange_strong(e, 1); e = 0) {{ {pause} }}",
                        f"while (z.exchange(1) != 0) while (z.load() != 0) {{ {pause} }}"]))
    inner(t, False)
    t.put("store", "z", 0)
    t.say("z.store(0);")


def semaphore(t):
    kind = t.rng.choice(["post", "post", "wait", "try", "timed"])
    if kind == "post":
        t.put("post")
        return t.say("sem_post(&s);")
    reg, name = t.tell()
    t.put({"wait": "semwait", "try": "semtry", "timed": "semtimed"}[kind], reg)
    call = {"wait": "sem_wait(&s)", "try": "sem_trywait(&s)", "timed": "sem_timedwait(&s, &future)"}[kind]
    return t.say(f"{name} = {call} == 0;")


def condition(t):
    t.put("lock", "m")
    t.say("pthread_mutex_lock(&m);")
    if t.rng.random() < 0.5:
        reg, name = t.tell()
        timed = t.rng.random() < 0.6
        t.put("center")
        t.put("creturn", reg, timed)
        t.put("lock", "m")
        t.say(f"{name} = pthread_cond_timedwait(&c, &m, &future) != 0;" if timed else f"{name} = pthread_cond_wait(&c, &m) != 0;")
    else:
        kind = t.rng.choice(["signal", "broadcast"])
        t.put(kind)
        t.say(f"pthread_cond_{kind}(&c);")
    if t.rng.random() < 0.5:
        plain(t)
    t.put("unlock", "m")
    t.say("pthread_mutex_unlock(&m);")


def swap(t):
    """Puts another block at the head, and frees the one that was there."""
    t.put("malloc", NEW)
    t.put("exchange", NEW, OLD)
    t.put("free", OLD)
    t.say("n0 = allocate(); o0 = head.exchange(n0); free(o0);")


def look(t):
    t.put("load", "head", PTR)
    t.say("p0 = head.load();")


def exchange_if_same(t):
    """Takes the list for unchanged if the address is the same."""
    reg, name = t.tell()
    t.put("malloc", NEW)
    t.put("casr", PTR, NEW, reg)
    t.say(f"n0 = allocate(); {{ Node* e = p0; {name} = head.compare_exchange_strong(e, n0); }}")


def look_and_exchange(t):
    look(t)
    if t.rng.random() < 0.4:
        swap(t)
    exchange_if_same(t)


def own_is_there(t):
    """Whether what it put there itself is there still, or again."""
    reg, name = t.tell()
    t.put("casr", NEW, NEW, reg)
    t.say(f"{{ Node* e = n0; {name} = head.compare_exchange_strong(e, n0); }}")


def send(t):
    to = t.rng.choice([1, 2] if t.count > 2 else [1]) if t.number == 0 else 0
    t.put("kill", to)
    t.say(f"pthread_kill({f'h[{to}]' if to else 'main_thread'}, SIGUSR1);")


def masked(t):
    t.put("mask")
    t.say("pthread_sigmask(SIG_BLOCK, &set, nullptr);")
    t.rng.choice([touch, load, store])(t)
    t.put("unmask")
    t.say("pthread_sigmask(SIG_UNBLOCK, &set, nullptr);")


def touch(t):
    """What the handler touches, too."""
    if t.rng.random() < 0.5:
        increment(t, "k")
    else:
        reg, name = t.tell()
        t.put("pread", "k", reg)
        t.say(f"{name} = k;")


def yields(t):
    pause = t.rest(("yield", "sleep"))
    t.say(pause)


def output(t):
    letter = "ABC"[t.number]
    t.put("out", letter)
    t.say(f'put("{letter}");')


FAMILIES = {
    "atomics": [load, store, add, compare_exchange],
    "plain": [plain, plain, locked, store, load],
    "locks": [locked, attempt, attempt, store],
    "polls": [poll, poll, poll_lock, store, add],
    "yields": [yields, load, store],
    "clocks": [measure, poll_clock, tell_time, compare_time, store],
    "loops": [wait_loop, spin_lock, store, spin_lock],
    "semaphores": [semaphore, semaphore, store, load],
    "conditions": [condition, condition, store, load],
    "reuse": [swap, look_and_exchange, look_and_exchange, own_is_there],
    "texts": [locked_text, locked_text, loose_text, locked],
    "output": [output, load, store, locked],
    "signals": [touch, load, store, masked],
}


def handler(rng):
    """Code of the handler: on a variable of its own, or an atomic."""
    how = rng.randint(0, 3)
    if how == 0:
        return [["pread", "k", HANDLER_TMP], ["inc", HANDLER_TMP], ["pwrite", "k", None, HANDLER_TMP]], "k = k + 1;"
    if how == 1:
        return [["pwrite", "k", 5]], "k = 5;"
    if how == 2:
        return [["add", "x", HANDLER_TMP]], "x.fetch_add(1);"
    return [["load", "y", HANDLER_TMP], ["pwrite", "k", None, HANDLER_TMP]], "k = y.load();"


class Program:
    def __init__(self, seed, families=None):
        rng = random.Random(seed)
        self.seed = seed
        names = [name for name in FAMILIES if name != "signals"]
        self.families = families or rng.sample(names, rng.choice([1, 2, 2, 3]))
        signals = "signals" in self.families or (families is None and rng.random() < 0.2)
        if signals and "signals" not in self.families:
            self.families = ["signals", *self.families[:1]]
        count = rng.choice([2, 2, 3])
        self.threads = [Thread(i, rng) for i in range(count)]
        statements = [one for name in self.families for one in FAMILIES[name]]
        for t in self.threads:
            t.count = count
            for _ in range(rng.randint(2, 4 if count == 2 else 3) if t.number else rng.choice([0, 0, 1, 2])):
                rng.choice(statements)(t)
        if signals:
            self.add_signals(rng)
        self.signals = signals
        self.handler, self.handler_text = handler(rng)
        self.finish()

    def add_signals(self, rng):
        """Somebody sends one: main to the others, or another to main."""
        sender = rng.choice(self.threads)
        send(sender)
        for one in rng.sample([load, store, touch, yields], 2):
            one(sender)

    def finish(self):
        for t in self.threads:
            if t.number == 0:
                for other in self.threads[1:]:
                    t.put("join", other.number)
            t.put("exit")

    def machine(self):
        return Machine([t.code for t in self.threads], self.handler, self.result, REGISTERS)

    def result(self, state):
        threads, shared = state
        told = []
        for t in self.threads:
            for reg in range(FIRST_TOLD, t.told):
                value = threads[t.number][1][reg]
                told.append(text_of(value))
        return shared[OUT] + "|" + " ".join(told + [text_of(shared[i]) for i in (0, 1, 3, 4, 5)] + [shared[11], shared[12]])

    def source(self, number):
        """Functions of the program, and a case of main's."""
        lines = []
        for t in self.threads:
            pointers = "Node *p0 = nullptr, *n0 = nullptr, *o0 = nullptr; (void)p0; (void)n0; (void)o0;" if "reuse" in self.families else ""
            lines.append(f"void* p{number}_{t.number}(void*) {{ {pointers} {' '.join(t.text)} return nullptr; }}")
        told = ", ".join(f"{{{t.number}, {t.told - FIRST_TOLD}}}" for t in self.threads)
        if self.signals:
            lines.append(f"void handler{number}(int) {{ {self.handler_text} }}")
        create = " ".join(f"pthread_create(&h[{t.number}], nullptr, p{number}_{t.number}, nullptr);" for t in self.threads[1:])
        join = " ".join(f"pthread_join(h[{t.number}], nullptr);" for t in self.threads[1:])
        install = f"signal(SIGUSR1, handler{number}); " if self.signals else ""
        init = "head = allocate(); " if "reuse" in self.families else ""
        return lines, f"    case {number}: {{ {install}{init}{create} p{number}_0(nullptr); {join} tell({{{told}}}); break; }}"


def text_of(value):
    """As value() of the C++ says strings: so many of each letter, and the first."""
    return value_of(value) if isinstance(value, str) else str(value)


def value_of(string):
    number = len(string)
    for letter in string:
        number = (number * 31 + ord(letter)) % 1_000_003
    return str(number)


PRELUDE = r"""
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <initializer_list>
struct Node { long room[3]; };
std::atomic<int> x, y, z;
std::atomic<long> w;
std::atomic<Node*> head;
volatile int p, q;
volatile sig_atomic_t k;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
sem_t s;
std::string g;
std::ostringstream o;
int R[3][6];
pthread_t h[3], main_thread;
sigset_t set;
const timespec past = {1, 0}, future = {4000000000, 0};
Node* allocate() { return static_cast<Node*>(malloc(sizeof(Node))); }
long now() { timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000 + t.tv_nsec / 1000000; }
void put(const char* text) { if (write(1, text, strlen(text)) < 0) abort(); }
int value(const std::string& text) {
  long number = static_cast<long>(text.size());
  for (const char letter : text) number = (number * 31 + letter) % 1000003;
  return static_cast<int>(number);
}
int value(const std::ostringstream& stream) { return value(stream.str()); }
struct Told { int thread, count; };
void tell(std::initializer_list<Told> all) {
  char text[512];
  int at = snprintf(text, sizeof text, "|");
  for (const Told& told : all)
    for (int i = 0; i < told.count; i++) at += snprintf(text + at, sizeof text - at, "%d ", R[told.thread][i]);
  snprintf(text + at, sizeof text - at, "%d %d %d %d %d %s %s", x.load(), y.load(), p, q, static_cast<int>(k), g.c_str(), o.str().c_str());
  put(text);
}
"""


def source(programs):
    """One C++ program: argument i runs the i-th."""
    lines, cases = [PRELUDE], []
    for number, program in enumerate(programs):
        functions, case = program.source(number)
        lines += functions
        cases.append(case)
    lines += ["int main(int, char** argv) {", "  sem_init(&s, 0, 0);", "  main_thread = pthread_self();", "  sigemptyset(&set);", "  sigaddset(&set, SIGUSR1);", "  switch (atoi(argv[1])) {", *cases, "  }", "}"]
    return "\n".join(lines) + "\n"


def drawn(first, most, limit):
    """So many programs whose states number at most `limit`, with what the machine says of each. Seeds count from `first`."""
    from machine import TooMany
    seed = first
    while most > 0:
        try:
            program = Program(seed)
            answer = program.machine().explore(limit)
            yield program, answer
            most -= 1
        except (TooMany, TooLarge):
            pass
        seed += 1
