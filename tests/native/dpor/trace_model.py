"""Counts the Mazurkiewicz traces of small programs. Knows nothing of the runtime.

A thread is a generator that yields operations (kind, object, arguments) and gets their results. Two operations of different threads are dependent if they
use one object and are not both loads; a compare-exchange that fails counts as a write. Every trace has one interleaving that is first in the order of
thread numbers, and that is the one which sleep sets leave: a thread sleeps where it could have gone first, until a dependent operation was performed. States
with the same sleeping threads have the same number of continuations, so millions of traces are counted in a moment. `brute_force` walks every interleaving instead.
"""

import functools


def dependent(one, other):
    return one[1] == other[1] and not (one[0] == "load" and other[0] == "load")


class Traces:
    def __init__(self, threads, shared=None):
        self.threads = threads
        self.initial = tuple(sorted((shared or {}).items()))
        self.next_operation = functools.cache(self.next_operation)

    def next_operation(self, thread, results):
        """The operation behind these results; None at the end."""
        generator = self.threads[thread]()
        try:
            operation = next(generator)
            for result in results:
                operation = generator.send(result)
            return operation
        except StopIteration:
            return None

    def open(self, histories, shared):
        """The threads that can run, with what they do."""
        out = {}
        for thread, results in enumerate(histories):
            operation = self.next_operation(thread, results)
            if operation is not None and not (operation[0] == "lock" and dict(shared).get(operation[1], 0) != 0):
                out[thread] = operation
        return out

    @staticmethod
    def perform(operation, shared):
        kind, name, *arguments = operation
        values = dict(shared)
        value = values.get(name, 0)
        result = value
        if kind == "store":
            values[name], result = arguments[0], None
        elif kind == "add":
            values[name] = value + arguments[0]
        elif kind == "cas":
            result = value == arguments[0]
            if result:
                values[name] = arguments[1]
            result = (result, value)
        elif kind == "lock":
            values[name], result = 1, None
        elif kind == "unlock":
            values[name], result = 0, None
        elif arguments:  # a load whose value is not used
            result = None
        return result, tuple(sorted(values.items()))

    def after(self, histories, shared, thread, operation):
        result, shared = self.perform(operation, shared)
        return histories[:thread] + (histories[thread] + (result,),) + histories[thread + 1 :], shared

    def first(self):
        return tuple(() for _ in self.threads), self.initial

    def count(self):
        @functools.cache
        def from_here(histories, shared, sleep):
            threads = self.open(histories, shared)
            if not threads:
                return 1
            total = 0
            for thread, operation in threads.items():
                if thread in sleep:
                    continue
                earlier = (sleep | {other for other in threads if other < thread}) & threads.keys()
                asleep = frozenset(other for other in earlier if not dependent(threads[other], operation))
                total += from_here(*self.after(histories, shared, thread, operation), asleep)
            return total

        return from_here(*self.first(), frozenset())

    def brute_force(self):
        """The number of different orders over all interleavings."""
        found, seen, left = set(), set(), [(*self.first(), ())]
        while left:
            histories, shared, order = left.pop()
            threads = self.open(histories, shared)
            if not threads:
                found.add(order)
            for thread, operation in threads.items():
                objects = dict(order)
                sequence = objects.get(operation[1], ((None, frozenset()),))
                event = (thread, len(histories[thread]))
                if operation[0] == "load":
                    sequence = sequence[:-1] + ((sequence[-1][0], sequence[-1][1] | {event}),)
                else:
                    sequence += ((event, frozenset()),)
                objects[operation[1]] = sequence
                after = (*self.after(histories, shared, thread, operation), tuple(sorted(objects.items())))
                if after not in seen:
                    seen.add(after)
                    left.append(after)
        return len(found)


# ---------------------------------------------------------------- the programs of classics.cpp and of its neighbours


def inside():
    yield "add", "inside", 1
    yield "add", "inside", -1


def peterson(i):
    yield "store", ("flag", i), 1
    yield "store", "turn", 1 - i
    if (yield "load", ("flag", 1 - i)) != 0 and (yield "load", "turn") == 1 - i:
        return
    yield from inside()
    yield "store", ("flag", i), 0


def dekker(i):
    yield "store", ("flag", i), 1
    if (yield "load", ("flag", 1 - i)) != 0 and (yield "load", "turn") != i:
        yield "store", ("flag", i), 0
        return
    yield from inside()
    yield "store", "turn", 1 - i
    yield "store", ("flag", i), 0


def sequence_lock(i):
    if i == 0:
        yield "add", "sequence", 1
        yield "store", "data 0", 1
        yield "store", "data 1", 1
        yield "add", "sequence", 1
        return
    for _ in range(2):
        before = yield "load", "sequence"
        yield "load", "data 0"
        yield "load", "data 1"
        if before % 2 == 0 and (yield "load", "sequence") == before:
            return


def ticket_lock(_):
    ticket = yield "add", "next ticket", 1
    for _ in range(2):
        if (yield "load", "serving") != ticket:
            continue
        yield from inside()
        yield "add", "serving", 1
        return


def treiber(i):
    seen = yield "load", "top"
    yield "store", ("next", i + 1), seen
    if not (yield "cas", "top", seen, i + 1)[0]:
        return
    seen = yield "load", "top"
    if seen != 0:
        following = yield "load", ("next", seen)
        yield "cas", "top", seen, following


def michael_scott(i):
    """Thread 0 and 1 enqueue, in at most two rounds; then thread 1 dequeues, once. Item 0 is the dummy; 9 is no item."""
    for _ in range(2):
        last = yield "load", "tail"
        following = yield "load", ("next", last)
        if following != 9:
            yield "cas", "tail", last, following
            continue
        if (yield "cas", ("next", last), 9, i + 1)[0]:
            yield "cas", "tail", last, i + 1
            break
    if i == 0:
        return
    first = yield "load", "head"
    last = yield "load", "tail"
    following = yield "load", ("next", first)
    if first == last:
        if following != 9:
            yield "cas", "tail", last, following
        return
    yield "cas", "head", first, following


def szymanski(i):
    yield "store", ("flag", i), 1
    if (yield "load", ("flag", 1 - i)) >= 3:
        return
    yield "store", ("flag", i), 3
    if (yield "load", ("flag", 1 - i)) == 1:
        yield "store", ("flag", i), 2
        if (yield "load", ("flag", 1 - i)) != 4:
            return
    yield "store", ("flag", i), 4
    if i == 1 and (yield "load", ("flag", 0)) >= 2:
        return
    yield from inside()
    if i == 0 and (yield "load", ("flag", 1)) in (2, 3):
        return
    yield "store", ("flag", i), 0


def bakery(i):
    yield "store", ("choosing", i), 1
    mine = (yield "load", ("number", 1 - i)) + 1
    yield "store", ("number", i), mine
    yield "store", ("choosing", i), 0
    if (yield "load", ("choosing", 1 - i)) != 0:
        return
    other = yield "load", ("number", 1 - i)
    if other != 0 and (other, 1 - i) < (mine, i):
        return
    yield from inside()
    yield "store", ("number", i), 0


CLASSICS = [peterson, dekker, sequence_lock, ticket_lock, treiber, michael_scott, szymanski, bakery]
SHARED = {michael_scott: {("next", 0): 9, ("next", 1): 9, ("next", 2): 9}}


def classic(how):
    run = CLASSICS[how]
    shared = {repr(name): value for name, value in SHARED.get(run, {}).items()}
    return Traces([functools.partial(named, run, i) for i in range(2)], shared)


def named(run, i):
    """Objects by names that can be sorted."""
    generator = run(i)
    try:
        kind, name, *rest = next(generator)
        while True:
            result = yield kind, name if isinstance(name, str) else repr(name), *rest
            kind, name, *rest = generator.send(result)
    except StopIteration:
        return


def fibonacci(rounds):
    """As in SV-COMP: the main thread looks at both numbers while the others run."""

    def look():
        yield "load", "i", "blind"
        yield "load", "j", "blind"

    def run(mine, other):
        for _ in range(rounds):
            yield "load", mine, "blind"
            yield "load", other, "blind"
            yield "store", mine, 0

    return Traces([functools.partial(run, "i", "j"), functools.partial(run, "j", "i"), look])


def readers(n):
    def write():
        yield "store", "x", 0

    def read():
        yield "load", "x", "blind"

    return Traces([write] + [read] * n)


def philosophers(n):
    def run(i):
        left, right = sorted((i, (i + 1) % n))
        for kind, fork in (("lock", left), ("lock", right), ("unlock", right), ("unlock", left)):
            yield kind, f"fork {fork}"

    return Traces([functools.partial(run, i) for i in range(n)])
