"""Thread programs as explicit graphs, without anything of Tarry.

A thread goes through stages. A stage is a generator: it yields operations, is sent what each gives, and returns the name of the next stage, or None
at the thread's end. Where a thread stands is the name of its stage and what it was given in it, so a state of the program is that of all threads and
the values of the shared objects. Thread 0 is main; it creates the others.

An operation is (kind, object, ...). Every one is a step, and so is the start of a thread and the end of main.
"""

import functools

NOT_THERE, ENDED = "-", "."


class Program:
    """`threads[t]`: (first stage, function from the name of a stage to its generator). `objects`: names with initial values; of a mutex: -1, else its holder."""

    def __init__(self, objects, threads):
        self.names = list(objects)
        self.place = {name: i for i, name in enumerate(self.names)}
        self.initial_values = tuple(objects.values())
        self.threads = threads
        self.pending = functools.lru_cache(maxsize=None)(self._pending)
        self.steps = functools.lru_cache(maxsize=None)(self._steps)
        self.enabled = functools.lru_cache(maxsize=None)(self._enabled)

    def initial(self):
        return (((self.threads[0][0], ()),) + (NOT_THERE,) * (len(self.threads) - 1), self.initial_values)

    def _run(self, thread, where):
        """What comes next for a thread that stands there: an operation, or where it stands instead because its stage is over."""
        stage, values = where
        generator = self.threads[thread][1](stage)
        try:
            operation = next(generator)
            for value in values:
                operation = generator.send(value)
            return operation, None
        except StopIteration as over:
            return None, (ENDED if over.value is None else (over.value, ()))

    def _pending(self, thread, where):
        return None if where in (NOT_THERE, ENDED) else self._run(thread, where)[0]

    def can(self, state, thread):
        """Is the operation ready? A timed one that is not times out."""
        places, values = state
        kind, *rest = self.pending(thread, places[thread])
        if kind in ("lock", "timedlock"):
            return values[self.place[rest[0]]] == -1
        if kind in ("wait", "timedwait"):
            return values[self.place[rest[0]]] > 0
        if kind == "join":
            return places[rest[0]] == ENDED
        return True

    def blocker(self, state, thread):
        """The one thread that has to act before this one can go on."""
        operation = self.pending(thread, state[0][thread])
        if operation is None or operation[0] not in ("lock", "join") or self.can(state, thread):
            return None
        return operation[1] if operation[0] == "join" else state[1][self.place[operation[1]]]

    def circle(self, state):
        for first in range(len(self.threads)):
            at = self.blocker(state, first)
            for _ in self.threads:
                if at is None or at == first:
                    break
                at = self.blocker(state, at)
            if at == first:
                return True
        return False

    def _enabled(self, state):
        """Threads that can run; nobody if some wait for each other, since that ends an execution."""
        if self.circle(state):
            return frozenset()
        return frozenset(t for t, where in enumerate(state[0])
                         if where not in (NOT_THERE, ENDED) and (self.can(state, t) or self.pending(t, where)[0].startswith("timed")))

    def alive(self, state):
        return frozenset(t for t, where in enumerate(state[0]) if where not in (NOT_THERE, ENDED))

    def deadlock(self, state):
        return not self.enabled(state) and bool(self.alive(state))

    def _steps(self, state):
        """By thread that can run: the state after its step, and whether that was a yield."""
        return {t: self._after(state, t) for t in self.enabled(state)}

    def _after(self, state, thread):
        places, values = list(state[0]), list(state[1])
        kind, *rest = self.pending(thread, places[thread])
        at = self.place.get(rest[0]) if rest else None
        given, yielded = 0, kind in ("yield", "sleep")
        if kind == "create":
            places[rest[0]] = (self.threads[rest[0]][0], ())
        elif kind == "exit":
            places[:] = [ENDED] * len(places)
        elif kind == "load":
            given = values[at]
        elif kind == "store":
            values[at] = rest[1]
        elif kind == "add":
            given = values[at]
            values[at] += rest[1]
        elif kind == "cas":
            given = int(values[at] == rest[1])
            if given:
                values[at] = rest[2]
        elif kind in ("lock", "trylock", "timedlock"):
            given = int(values[at] == -1)
            if given:
                values[at] = thread
            yielded = kind == "timedlock" and not given
        elif kind == "unlock":
            values[at] = -1
        elif kind in ("wait", "timedwait"):
            given = int(values[at] > 0)
            values[at] -= given
            yielded = not given
        elif kind == "post":
            values[at] += 1
        if places[thread] != ENDED:
            stage, so_far = places[thread]
            where = (stage, so_far + (given,))
            places[thread] = where if self._run(thread, where)[0] is not None else self._run(thread, where)[1]
        return (tuple(places), tuple(values)), yielded

    def text(self, state):
        """As the native program writes it."""
        places = [where if isinstance(where, str) else ":".join([str(where[0]), *map(str, where[1])]) for where in state[0]]
        return " ".join(places) + " | " + " ".join(map(str, state[1]))


def from_code(code):
    """A thread whose stages are single instructions: (operation, where to go on, where else if it gave what it should not).

    `operation` may end in ("is", v): it has to give v. Without, 1 is right for those that may fail."""

    def stage(at):
        operation, then, otherwise = code[at]
        wanted = None
        if "is" in operation:
            operation, wanted = operation[: operation.index("is")], operation[-1]
        given = yield operation
        if otherwise is None or given == (1 if wanted is None else wanted):
            return then if then < len(code) else None
        return otherwise if otherwise < len(code) else None

    return 0, stage


def main_code(count):
    """Main that creates so many threads and joins them."""
    operations = [("start",)] + [("create", i + 1) for i in range(count)] + [("join", i + 1) for i in range(count)] + [("exit",)]
    return [(operation, at + 1, None) for at, operation in enumerate(operations)]
