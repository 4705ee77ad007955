"""All outcomes of a tiny threaded program, by brute force: every order of steps, every choice. Nothing of Tarry is in here.

A thread is a Python generator. What it yields are steps: functions of (world, me) that return the ways in which the step can be
taken now, each as (result, changes to the world); no way means that the thread is blocked. The world is a dictionary of
immutable values. A primitive is a generator too, of one step or several (`yield from lock("m")`), with the semantics that its
standard or, where that leaves it open, glibc gives it:

- a notify wakes any one of the waiters, all choices; there are no spurious wake-ups and no spurious failures;
- a timed operation that cannot go on at once may time out at any moment from then on, and need not;
- a program ends when main returns; `deadlock` is an end in which nobody can go on before that.

Two prefixes that gave every thread the same results and left the same world are explored once.
"""


class World(dict):
    """Objects that nobody has touched are None."""

    def __missing__(self, key):
        return None


def outcomes(main):
    """The set of what main returns over all schedules, with 'deadlock' if that is possible."""
    bodies = {"main": main}
    found = set()
    start = (World(), {"main": ()})
    seen = set()
    stack = [start]
    while stack:
        world, past = stack.pop()
        key = (frozenset(world.items()), frozenset(past.items()))
        if key in seen:
            continue
        seen.add(key)
        moved = False
        for me, results in past.items():
            if world["ended", me]:
                continue
            step = replay(bodies[me], results)
            if step is None:
                continue
            for result, changes in step(world, me):
                moved = True
                after = World(world)
                threads = dict(past)
                threads[me] = results + (result,)
                for name, value in changes.items():
                    if name == "spawn":
                        bodies[value[0]] = value[1]
                        threads[value[0]] = ()
                    else:
                        after[name] = value
                ended, value = finished(bodies[me], threads[me])
                if ended:
                    after["ended", me] = True
                    after["value", me] = value
                    if me == "main":
                        found.add("outcome: " + value)
                        continue
                stack.append((after, threads))
        if not moved:
            found.add("deadlock")
    return found


def replay(body, results):
    """The step that a thread is about to take after it was given these results; None if it has ended."""
    thread = body()
    try:
        step = next(thread)
        for result in results:
            step = thread.send(result)
        return step
    except StopIteration:
        return None


def finished(body, results):
    thread = body()
    try:
        next(thread)
        for result in results:
            thread.send(result)
    except StopIteration as end:
        return True, end.value
    return False, None


def atomically(change):
    """One step that is always possible: change(world, me) returns (result, changes)."""
    return (yield lambda w, me: [change(w, me)])


def when(condition, change):
    """One step that waits for condition(world, me)."""
    return (yield lambda w, me: [change(w, me)] if condition(w, me) else [])


# Threads


def start(name, body):
    """Creates a thread. Its end, TLS destructors included, is what its last step is."""

    def starts():
        yield lambda w, me: [(None, {})]  # a thread that does nothing still has to run
        return (yield from body())

    yield lambda w, me: [(None, {"spawn": (name, starts)})]


def join(name):
    return (yield from when(lambda w, me: w["ended", name], lambda w, me: (w["value", name], {("joined", name): True})))


def tryjoin(name):
    def step(w, me):
        return [(w["value", name], {})] if w["ended", name] else [("EBUSY", {})]

    return (yield step)


def timedjoin(name):
    def step(w, me):
        return [(w["value", name], {})] if w["ended", name] else [("ETIMEDOUT", {}), ("blocked", {})]

    result = yield step
    if result != "blocked":
        return result
    return (yield lambda w, me: [("ETIMEDOUT", {})] + ([(w["value", name], {})] if w["ended", name] else []))


# Memory


def get(x, otherwise=0):
    return (yield from atomically(lambda w, me: (otherwise if w[x] is None else w[x], {})))


def put(x, value):
    yield from atomically(lambda w, me: (None, {x: value}))


def add(x, n=1):
    """Fetch-and-add: what was there before."""
    return (yield from atomically(lambda w, me: (w[x] or 0, {x: (w[x] or 0) + n})))


def swap(x, value):
    return (yield from atomically(lambda w, me: (w[x] or 0, {x: value})))


def cas(x, expected, desired):
    """Whether it was as expected, and what was there."""

    def change(w, me):
        now = w[x] or 0
        return ((True, now), {x: desired}) if now == expected else ((False, now), {})

    return (yield from atomically(change))


def note(letter, log="log"):
    """outcome.h's: appends a letter in one step."""
    yield from atomically(lambda w, me: (None, {log: (w[log] or "") + letter}))


# Mutexes, also spin locks and binary locks of all kinds: the world has (owner, depth)


def lock(m):
    """Normal: a second lock by the owner blocks for ever."""
    return (yield from when(lambda w, me: w[m] is None, lambda w, me: ("0", {m: (me, 1)})))


def unlock(m):
    """Of any kind."""

    def change(w, me):
        owner, depth = w[m]
        return "0", {m: None if depth == 1 else (owner, depth - 1)}

    return (yield from atomically(change))


def trylock(m):
    return (yield from atomically(lambda w, me: ("0", {m: (me, 1)}) if w[m] is None else ("EBUSY", {})))


def timedlock(m):
    return (yield from timed(lambda w, me: [("0", {m: (me, 1)})] if w[m] is None else []))


def timed(ways):
    """At once if possible, else later or not at all."""

    def first(w, me):
        return ways(w, me) or [("ETIMEDOUT", {}), ("blocked", {})]

    result = yield first
    if result != "blocked":
        return result
    return (yield lambda w, me: ways(w, me) + [("ETIMEDOUT", {})])


def recursive_ways(m):
    def ways(w, me):
        if w[m] is None:
            return [("0", {m: (me, 1)})]
        owner, depth = w[m]
        return [("0", {m: (me, depth + 1)})] if owner == me else []

    return ways


def recursive_lock(m):
    return (yield recursive_ways(m))


def recursive_trylock(m):
    return (yield lambda w, me: recursive_ways(m)(w, me) or [("EBUSY", {})])


def recursive_timedlock(m):
    return (yield from timed(recursive_ways(m)))


def errorcheck_lock(m):
    def step(w, me):
        if w[m] is None:
            return [("0", {m: (me, 1)})]
        return [("EDEADLK", {})] if w[m][0] == me else []

    return (yield step)


def errorcheck_unlock(m):
    return (yield lambda w, me: [("0", {m: None})] if w[m] is not None and w[m][0] == me else [("EPERM", {})])


# Condition variables: the set of waiters


def wait_begin(c, m):
    """Gives the mutex back and waits, in one step. Returns the depth of a mutex that had been locked several times."""

    def change(w, me):
        return w[m][1], {m: None, c: (w[c] or frozenset()) | {me}, ("woken", c, me): None}

    return (yield from atomically(change))


def reacquire(m, depth):
    yield from when(lambda w, me: w[m] is None, lambda w, me: (None, {m: (me, depth)}))


def cond_wait(c, m):
    depth = yield from wait_begin(c, m)
    yield from when(lambda w, me: w["woken", c, me], lambda w, me: (None, {}))
    yield from reacquire(m, depth)
    return "0"


def cond_timedwait(c, m):
    depth = yield from wait_begin(c, m)

    def wakes(w, me):
        if w["woken", c, me]:
            return [("0", {})]
        return [("ETIMEDOUT", {c: w[c] - {me}})]

    result = yield wakes
    yield from reacquire(m, depth)
    return result


def cond_signal(c):
    def step(w, me):
        waiters = w[c] or frozenset()
        if not waiters:
            return [(None, {})]
        return [(None, {c: waiters - {one}, ("woken", c, one): True}) for one in sorted(waiters)]

    yield step


def cond_broadcast(c):
    def change(w, me):
        waiters = w[c] or frozenset()
        return None, {c: frozenset(), **{("woken", c, one): True for one in waiters}}

    yield from atomically(change)


# Reader-writer locks: (readers as a sorted tuple, writer)

NOBODY = ((), None)


def read_ways(rw):
    def ways(w, me):
        readers, writer = w[rw] or NOBODY
        if writer == me:
            return [("EDEADLK", {})]
        return [] if writer else [("0", {rw: (tuple(sorted(readers + (me,))), None)})]

    return ways


def write_ways(rw):
    def ways(w, me):
        readers, writer = w[rw] or NOBODY
        if writer == me:
            return [("EDEADLK", {})]
        return [] if writer or readers else [("0", {rw: ((), me)})]

    return ways


def rdlock(rw):
    """Readers come first: a writer that waits does not stop them."""
    return (yield read_ways(rw))


def wrlock(rw):
    return (yield write_ways(rw))


def tryrdlock(rw):
    def step(w, me):
        readers, writer = w[rw] or NOBODY
        return [("EBUSY", {})] if writer else [("0", {rw: (tuple(sorted(readers + (me,))), None)})]

    return (yield step)


def trywrlock(rw):
    def step(w, me):
        readers, writer = w[rw] or NOBODY
        return [("EBUSY", {})] if writer or readers else [("0", {rw: ((), me)})]

    return (yield step)


def timedrdlock(rw):
    return (yield from timed(read_ways(rw)))


def timedwrlock(rw):
    return (yield from timed(write_ways(rw)))


def rwunlock(rw):
    def change(w, me):
        readers, writer = w[rw]
        if writer == me:
            return "0", {rw: NOBODY}
        rest = list(readers)
        rest.remove(me)
        return "0", {rw: (tuple(rest), None)}

    return (yield from atomically(change))


def rdlock_writers_first(rw):
    """PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP: a writer that waits stops new readers."""

    def step(w, me):
        return [] if w["waiting", rw] else read_ways(rw)(w, me)

    return (yield step)


def wrlock_writers_first(rw):
    def first(w, me):
        return write_ways(rw)(w, me) or [("blocked", {("waiting", rw): (w["waiting", rw] or 0) + 1})]

    if (yield first) == "blocked":
        yield lambda w, me: [(r, {**c, ("waiting", rw): w["waiting", rw] - 1}) for r, c in write_ways(rw)(w, me)]
    return "0"


# Semaphores


def sem_ways(s):
    return lambda w, me: [("0", {s: w[s] - 1})] if (w[s] or 0) > 0 else []


def sem_wait(s):
    return (yield sem_ways(s))


def sem_trywait(s):
    return (yield lambda w, me: sem_ways(s)(w, me) or [("EAGAIN", {})])


def sem_timedwait(s):
    return (yield from timed(sem_ways(s)))


def sem_post(s, n=1):
    yield from add(s, n)


# Barriers and latches


def barrier_wait(b, count):
    """Returns whether this thread came last; which thread is the serial one is open, and no program here can tell."""

    def arrive(w, me):
        arrived, phase = w[b] or (0, 0)
        if arrived + 1 == count:
            return ("last", phase), {b: (0, phase + 1)}
        return ("waits", phase), {b: (arrived + 1, phase)}

    came, phase = yield from atomically(arrive)
    if came == "waits":
        yield from when(lambda w, me: (w[b] or (0, 0))[1] > phase, lambda w, me: (None, {}))
    return came == "last"


def latch_count_down(b, n=1):
    yield from add(b, -n)


def latch_wait(b):
    yield from when(lambda w, me: w[b] == 0, lambda w, me: (None, {}))


# Once, also static initialisation: None, ("running", who), "done". The body may raise Failed, then the next one tries.


class Failed(Exception):
    pass


def once(o, body):
    """Returns "ran", "waited", or "failed"."""

    def step(w, me):
        if w[o] == "done":
            return [("done", {})]
        return [("run", {o: ("running", me)})] if w[o] is None else []

    if (yield step) == "done":
        return "waited"
    try:
        yield from body()
    except Failed:
        yield from put(o, None)
        return "failed"
    yield from put(o, "done")
    return "ran"


# Cancellation, deferred


def cancel(name):
    yield from put(("cancel", name), True)


class Canceled(Exception):
    pass


def cancellable(ways=None):
    """A cancellation point: the step of `ways` (testcancel: nothing to do), or the end if that was requested."""

    def step(w, me):
        if w["cancel", me]:
            return [("canceled", {})]
        return ways(w, me) if ways else [(None, {})]

    result = yield step
    if result == "canceled":
        raise Canceled
    return result


# Futex and atomic wait: the waiters of a word


def futex_wait(x, expected, timeout=False):
    def first(w, me):
        if (w[x] or 0) != expected:
            return [("EAGAIN", {})]
        return [("blocked", {("futex", x): (w["futex", x] or frozenset()) | {me}, ("awake", x, me): None})]

    result = yield first
    if result != "blocked":
        return result

    def later(w, me):
        ways = [("0", {})] if w["awake", x, me] else []
        if timeout and not ways:
            ways.append(("ETIMEDOUT", {("futex", x): w["futex", x] - {me}}))
        return ways

    return (yield later)


def futex_wake(x, n):
    """Any n of the waiters."""
    from itertools import combinations

    def step(w, me):
        waiters = w["futex", x] or frozenset()
        count = min(n, len(waiters))
        return [
            (count, {("futex", x): waiters - set(some), **{("awake", x, one): True for one in some}})
            for some in combinations(sorted(waiters), count)
        ]

    return (yield step)


def pi_lock(p, timeout=False):
    """Priority inheritance without priorities: the world has the owner, and those who wait in ("pi", p)."""

    def first(w, me):
        if w[p] == me:
            return [("EDEADLK", {})]
        if w[p] is None:
            return [("0", {p: me})]
        if w["dead", w[p]]:
            return [("ESRCH", {("asked", p): True})]
        return [("blocked", {("pi", p): (w["pi", p] or frozenset()) | {me}, ("asked", p): True})]

    result = yield first
    if result != "blocked":
        return result

    def later(w, me):
        if w[p] == me:
            return [("0", {})]
        return [("ETIMEDOUT", {("pi", p): w["pi", p] - {me}})] if timeout else []

    return (yield later)


def pi_trylock(p):
    def step(w, me):
        if w[p] == me:
            return [("EDEADLK", {})]
        if w[p] is None:
            return [("0", {p: me})]
        return [("ESRCH" if w["dead", w[p]] else "EAGAIN", {("asked", p): True})]

    return (yield step)


def pi_unlock(p):
    """To any one of those who wait."""

    def step(w, me):
        if w[p] != me:
            return [("EPERM", {})]
        waiters = w["pi", p] or frozenset()
        after = {("died", p): None, ("asked", p): bool(waiters)}
        return [("0", {p: one, ("pi", p): waiters - {one}, **after}) for one in sorted(waiters)] or [("0", {p: None, **after})]

    return (yield step)


def pi_dies(p):
    """A thread ends, which is a step of its own. If it has the lock, that goes to any one of those who wait."""

    def step(w, me):
        waiters = (w["pi", p] or frozenset()) if w[p] == me else frozenset()
        return [(None, {("dead", me): True, p: one, ("pi", p): waiters - {one}, ("died", p): True}) for one in sorted(waiters)] or [(None, {("dead", me): True})]

    return (yield step)


def waitv(words, timeout=False):
    """futex_waitv by one thread: looks at one word after the other, and can be woken at each that it has looked at. Of several the last is told."""
    for i, x in enumerate(words):

        def look(w, me, i=i, x=x):
            if w[x]:
                return ("woken" if w["woken at", me] else "EAGAIN"), {("at", me): None}
            return "on", {("at", me): words[: i + 1]}

        result = yield from atomically(look)
        if result == "EAGAIN":
            return "EAGAIN 0"
        if result == "woken":
            break

    def later(w, me):
        if w["woken at", me]:
            return [(f"index {max(words.index(x) for x in w['woken at', me])}", {("at", me): None})]
        return [("ETIMEDOUT 0", {("at", me): None})] if timeout else []

    return (yield later)


def waitv_wake(x, waiter="a"):
    def change(w, me):
        woken = w["woken at", waiter] or frozenset()
        if x in woken or x not in (w["at", waiter] or ()):
            return 0, {}
        return 1, {("woken at", waiter): woken | {x}}

    return (yield from atomically(change))


def atomic_wait(x, old):
    """std::atomic::wait: returns when it was notified (or looked) and the value is another one."""
    while True:
        if (yield from futex_wait(x, old)) == "EAGAIN":
            return


def atomic_notify_one(x):
    yield from futex_wake(x, 1)


def atomic_notify_all(x):
    yield from futex_wake(x, 1000)
