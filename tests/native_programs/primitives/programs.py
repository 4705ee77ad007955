"""What the programs of this folder do, in the words of model.py. A function here has the name of its program and returns, as a
generator, what the program prints after "outcome: "."""

import model
from model import *


def both(a, b, *more):
    """Starts threads 'a', 'b', … and joins them in that order."""
    names = "abcdefg"
    bodies = (a, b, *more)
    for name, body in zip(names, bodies):
        yield from start(name, body)
    values = []
    for name, _ in zip(names, bodies):
        values.append((yield from join(name)))
    return values


def noting(*letters):
    def body():
        for letter in letters:
            yield from note(letter)

    return body


def locked(m, *letters, take=lock, give=unlock):
    def body():
        yield from take(m)
        yield from noting(*letters)()
        yield from give(m)

    return body


def log():
    return (yield from get("log", ""))


def nothing():
    return
    yield


# Mutexes


def mutex_normal():
    yield from both(locked("m", "a", "a"), locked("m", "b", "b"))
    return (yield from log())


def mutex_two_sections():
    def twice(letter):
        def body():
            yield from locked("m", letter)()
            yield from locked("m", letter)()

        return body

    yield from both(twice("a"), twice("b"))
    return (yield from log())


def mutex_lock_order():
    def take(first, second, letter):
        def body():
            yield from lock(first)
            yield from lock(second)
            yield from note(letter)
            yield from unlock(second)
            yield from unlock(first)

        return body

    yield from both(take("m", "n", "a"), take("n", "m", "b"))
    return (yield from log())


def mutex_self_deadlock():
    def twice():
        yield from lock("m")
        yield from lock("m")

    yield from start("a", twice)
    yield from join("a")
    return "not reached"


def mutex_recursive():
    def twice():
        yield from recursive_lock("m")
        yield from recursive_lock("m")
        yield from note("1")
        yield from unlock("m")
        yield from note("2")
        yield from unlock("m")

    def tries():
        if (yield from recursive_trylock("m")) != "0":
            yield from note("-")
            return
        yield from note("x")
        yield from unlock("m")

    yield from both(twice, tries)
    return (yield from log())


def mutex_errorcheck():
    def owner():
        yield from errorcheck_lock("m")
        again = yield from errorcheck_lock("m")
        yield from errorcheck_unlock("m")
        return again

    def stranger():
        foreign = yield from errorcheck_unlock("m")
        taken = yield from trylock("m")
        if taken == "0":
            yield from errorcheck_unlock("m")
        return foreign, taken

    again, (foreign, taken) = yield from both(owner, stranger)
    return f"again {again}, foreign {foreign}, taken {taken}"


def tries_once(m):
    def body():
        result = yield from trylock(m)
        if result == "0":
            yield from unlock(m)
        return result

    return body


def mutex_trylock():
    a, b = yield from both(tries_once("m"), tries_once("m"))
    return f"{a} {b}"


def mutex_trylock_owner():
    def owner():
        yield from lock("m")
        own = yield from trylock("m")
        yield from unlock("m")
        return own

    own, other = yield from both(owner, tries_once("m"))
    return f"own {own}, other {other}"


def times(m, take=timedlock):
    def body():
        result = yield from take(m)
        if result == "0":
            yield from unlock(m)
        return result

    return body


def mutex_timedlock():
    _, result = yield from both(locked("m"), times("m"))
    return result


mutex_clocklock = mutex_timedlock


def mutex_timedlock_held():
    yield from lock("m")
    yield from start("a", times("m"))
    return (yield from join("a"))


# Condition variables


def waits_for_turn(letter, arrives):
    def body():
        yield from lock("m")
        if arrives:
            yield from note(letter)
        yield from add("waiting")
        yield from cond_signal("changed")
        yield from cond_wait("turn", "m")
        yield from note(letter)
        yield from add("woken")
        yield from cond_signal("changed")
        yield from unlock("m")

    return body


def until(x, n):
    while (yield from get(x)) < n:
        yield from cond_wait("changed", "m")


def with_two_waiters(arrives, wake):
    yield from start("a", waits_for_turn("a", arrives))
    yield from start("b", waits_for_turn("b", arrives))
    yield from lock("m")
    yield from until("waiting", 2)
    yield from wake()
    yield from unlock("m")
    yield from join("a")
    yield from join("b")
    return (yield from log())


def cond_signal_any():
    def wake():
        yield from cond_signal("turn")
        yield from until("woken", 1)
        yield from cond_signal("turn")

    return (yield from with_two_waiters(True, wake))


condition_variable_notify_one = cond_signal_any


def cond_broadcast_program():
    return (yield from with_two_waiters(True, lambda: cond_broadcast("turn")))


def cond_two_signals():
    def wake():
        yield from cond_signal("turn")
        yield from cond_signal("turn")

    return (yield from with_two_waiters(False, wake))


def cond_lost_wakeup():
    def waiter():
        yield from lock("m")
        yield from cond_wait("c", "m")
        yield from unlock("m")

    def signaller():
        yield from lock("m")
        yield from cond_signal("c")
        yield from unlock("m")

    yield from both(waiter, signaller)
    return "woken"


def cond_if():
    def consumer():
        yield from lock("m")
        if (yield from get("items")) == 0:
            yield from cond_wait("c", "m")
        yield from add("items", -1)
        yield from unlock("m")

    def passer_by():
        yield from lock("m")
        if (yield from get("items")) > 0:
            yield from add("items", -1)
        yield from unlock("m")

    yield from start("a", consumer)
    yield from start("b", passer_by)
    yield from lock("m")
    yield from add("items")
    yield from cond_signal("c")
    yield from unlock("m")
    yield from join("a")
    yield from join("b")
    return f"{(yield from get('items'))} items"


def sets_flag(wake, inside=True):
    def body():
        yield from lock("m")
        yield from put("flag", 1)
        if inside:
            yield from wake("c")
        yield from unlock("m")
        if not inside:
            yield from wake("c")

    return body


def cond_timedwait_program():
    def waiter():
        result = "did not wait"
        yield from lock("m")
        if not (yield from get("flag")):
            result = yield from cond_timedwait("c", "m")
        seen = yield from get("flag")
        yield from unlock("m")
        return f"{result}, sees {seen}"

    result, _ = yield from both(waiter, sets_flag(cond_signal))
    return result


def cond_timedwait_nobody():
    def waiter():
        yield from lock("m")
        result = yield from cond_timedwait("c", "m")
        yield from unlock("m")
        return result

    yield from start("a", waiter)
    yield from locked("m", "m")()
    return (yield from join("a"))


def cond_timedwait_signal_taken():
    def patient():
        yield from lock("m")
        yield from put("waiting", 1)
        yield from cond_wait("c", "m")
        yield from note("p")
        yield from unlock("m")

    def hasty():
        yield from lock("m")
        result = yield from cond_timedwait("c", "m")
        if result != "0" and (yield from get("waiting")):
            yield from cond_signal("c")
        yield from unlock("m")
        return result

    yield from start("a", patient)
    yield from start("b", hasty)
    result = yield from join("b")
    yield from lock("m")
    waiting = yield from get("waiting")
    if waiting:
        yield from cond_signal("c")
    yield from unlock("m")
    if not waiting:
        return f"{result}, early"
    yield from join("a")
    return f"{result}, {(yield from log())}"


def cond_clockwait():
    def waiter():
        yield from lock("m")
        result = "0"
        while not (yield from get("flag")) and result == "0":
            result = yield from cond_timedwait("c", "m")
        yield from unlock("m")
        return result

    result, _ = yield from both(waiter, sets_flag(cond_signal, inside=False))
    return result


def condition_variable_for():
    def waiter():
        result = "0"
        yield from lock("m")
        while not (yield from get("flag")) and result == "0":
            result = yield from cond_timedwait("c", "m")
        seen = yield from get("flag")
        yield from unlock("m")
        return str(seen)

    result, _ = yield from both(waiter, sets_flag(cond_broadcast))
    return result


def condition_variable_any_program():
    """The lock is a shared one; so waits begin under it, but not exclusively. As in libstdc++, an inner mutex makes them atomic."""

    def reader(letter):
        def body():
            yield from rdlock("rw")
            while not (yield from get("flag")):
                yield from lock("inner")
                yield from rwunlock("rw")
                yield from cond_wait("c", "inner")
                yield from unlock("inner")
                yield from rdlock("rw")
            yield from note(letter)
            yield from rwunlock("rw")

        return body

    yield from start("a", reader("a"))
    yield from start("b", reader("b"))
    yield from wrlock("rw")
    yield from put("flag", 1)
    yield from rwunlock("rw")
    yield from lock("inner")
    yield from cond_broadcast("c")
    yield from unlock("inner")
    yield from join("a")
    yield from join("b")
    return (yield from log())


def condition_variable_any_stop():
    """Stop or flag, whatever comes first ends the wait; the result is the flag. Waiting is one step here: it can go on if either
    is there."""

    def waiter():
        yield from lock("m")
        while not (yield from get("flag")) and not (yield from get("stop")):
            yield from unlock("m")
            yield from when(lambda w, me: w["flag"] or w["stop"], lambda w, me: (None, {}))
            yield from lock("m")
        seen = yield from get("flag")
        yield from unlock("m")
        return str(seen)

    yield from start("a", waiter)
    yield from start("b", sets_flag(lambda c: nothing()))
    yield from put("stop", 1)
    result = yield from join("a")
    yield from join("b")
    return result


def notify_at_thread_exit():
    def worker():
        yield from lock("m")
        yield from put("ready", 1)
        yield from note("w")
        yield from note("d")
        yield from unlock("m")
        yield from cond_broadcast("c")

    yield from start("a", worker)
    yield from lock("m")
    while not (yield from get("ready")):
        yield from cond_wait("c", "m")
    yield from note("m")
    yield from unlock("m")
    yield from join("a")
    return (yield from log())


# Reader-writer locks


def reads(*letters):
    return locked("rw", *letters, take=rdlock, give=rwunlock)


def writes(*letters):
    return locked("rw", *letters, take=wrlock, give=rwunlock)


def rwlock_readers():
    yield from both(reads("a", "A"), reads("b", "B"))
    return (yield from log())


def rwlock_writer():
    yield from both(reads("r", "R"), writes("w", "W"), writes("v", "V"))
    return (yield from log())


def shared_mutex():
    yield from both(reads("a", "A"), reads("b"), writes("w", "W"))
    return (yield from log())


def tries_rw():
    read = yield from tryrdlock("rw")
    if read == "0":
        yield from rwunlock("rw")
    write = yield from trywrlock("rw")
    if write == "0":
        yield from rwunlock("rw")
    return read, write


def rwlock_try():
    _, _, (read, write) = yield from both(reads("r"), writes("w"), tries_rw)
    return f"{(yield from log())}: read {read}, write {write}"


def shared_mutex_try():
    _, (read, write) = yield from both(reads(), tries_rw)
    return f"shared {int(read == '0')}, exclusive {int(write == '0')}"


def times_rw(take):
    def body():
        result = yield from take("rw")
        if result == "0":
            yield from rwunlock("rw")
        return result

    return body


def rwlock_timed():
    read, write = yield from both(times_rw(timedrdlock), times_rw(timedwrlock))
    return f"read {read}, write {write}"


def shared_timed_mutex():
    read, write = yield from both(times_rw(timedrdlock), times_rw(timedwrlock))
    return f"shared {int(read == '0')}, exclusive {int(write == '0')}"


def rwlock_owner():
    def owner():
        yield from wrlock("rw")
        read = yield from rdlock("rw")
        write = yield from wrlock("rw")
        tried = yield from trywrlock("rw")
        yield from rwunlock("rw")
        return f"read {read}, write {write}, try {tried}"

    def stranger():
        other = yield from tryrdlock("rw")
        if other == "0":
            yield from rwunlock("rw")
        return other

    own, other = yield from both(owner, stranger)
    return f"{own}, other {other}"


def rwlock_upgrade():
    def upgrade():
        yield from rdlock("rw")
        yield from wrlock("rw")

    yield from start("a", upgrade)
    yield from join("a")
    return "not reached"


def reads_again(take):
    def body():
        yield from take("rw")
        yield from take("rw")
        yield from note("r")
        yield from rwunlock("rw")
        yield from rwunlock("rw")

    return body


def rwlock_reader_again():
    yield from both(reads_again(rdlock), writes("w"))
    return (yield from log())


def rwlock_writers_first():
    writer = locked("rw", "w", take=wrlock_writers_first, give=rwunlock)
    yield from both(reads_again(rdlock_writers_first), writer)
    return (yield from log())


# Spin locks: as mutexes

spin_lock = mutex_normal
spin_trylock = mutex_trylock


# Barriers and latches


def barrier_serial():
    def arrive(letter):
        def body():
            if (yield from barrier_wait("b", 3)):
                yield from note(letter)

        return body

    yield from both(arrive("a"), arrive("b"), arrive("c"))
    return f"serial {(yield from log())}"


def barrier_phases():
    def phases(letters):
        def body():
            yield from note(letters[0])
            yield from barrier_wait("b", 2)
            yield from note(letters[1])
            yield from barrier_wait("b", 2)
            yield from note(letters[2])

        return body

    yield from both(phases("aAx"), phases("bBy"))
    return (yield from log())


def barrier_missing():
    def arrive():
        yield from barrier_wait("b", 3)

    yield from both(arrive, arrive)
    return "not reached"


def barrier_completion():
    """The last one to come runs the completion before anybody goes."""

    def meet():
        phase, last = yield from atomically(
            lambda w, me: ((w["phase"] or 0, w["arrived"] == 1), {"arrived": ((w["arrived"] or 0) + 1) % 2})
        )
        if last:
            yield from note("|")
            yield from put("phase", phase + 1)
        else:
            yield from when(lambda w, me: (w["phase"] or 0) > phase, lambda w, me: (None, {}))

    def meets(letter):
        def body():
            yield from note(letter)
            yield from meet()
            yield from note(letter)

        return body

    yield from start("a", meets("a"))
    yield from meets("b")()
    yield from join("a")
    return (yield from log())


def barrier_drop():
    """The completion of the first phase is run by who comes last, that of the second by the one that stays."""

    def stays():
        yield from note("s")
        if (yield from add("arrived")) == 1:
            yield from note("|")
            yield from put("phase", 1)
        yield from when(lambda w, me: w["phase"] == 1, lambda w, me: (None, {}))
        yield from note("|")

    def drops():
        yield from note("d")
        if (yield from add("arrived")) == 1:
            yield from note("|")
            yield from put("phase", 1)

    yield from both(stays, drops)
    return (yield from log())


def latch():
    def count(letter):
        def body():
            yield from note(letter)
            yield from latch_count_down("latch")

        return body

    def waits():
        yield from latch_wait("latch")
        yield from note("w")

    yield from put("latch", 2)
    yield from both(count("a"), count("b"), waits)
    return (yield from log())


def latch_arrive_and_wait():
    def meet(before, after):
        def body():
            yield from note(before)
            yield from latch_count_down("latch")
            yield from latch_wait("latch")
            yield from note(after)

        return body

    yield from put("latch", 2)
    yield from both(meet("a", "A"), meet("b", "B"))
    return (yield from log())


def latch_missing():
    yield from put("latch", 2)
    yield from start("a", lambda: latch_count_down("latch"))
    yield from latch_wait("latch")
    yield from join("a")
    return "not reached"


# Semaphores


def sem_order():
    def poster():
        yield from note("1")
        yield from sem_post("s")
        yield from note("3")

    def waiter():
        yield from sem_wait("s")
        yield from note("2")

    yield from both(poster, waiter)
    return (yield from log())


def sem_any_waiter():
    waiter = lambda letter: locked("s", letter, take=sem_wait, give=sem_post)
    for letter in "abc":
        yield from start(letter, waiter(letter))
    yield from sem_post("s")
    for letter in "abc":
        yield from join(letter)
    return (yield from log())


def sem_trywait_program():
    def tries():
        result = yield from sem_trywait("s")
        if result == "0":
            yield from sem_post("s")
        return result

    yield from put("s", 1)
    a, b = yield from both(tries, tries)
    return f"{a} {b}, left {(yield from get('s'))}"


def sem_timedwait_program():
    _, result = yield from both(lambda: sem_post("s"), lambda: sem_timedwait("s"))
    return f"{result}, left {(yield from get('s'))}"


def sem_timedwait_nobody():
    yield from start("a", lambda: sem_timedwait("s"))
    return (yield from join("a"))


def sem_exhausted():
    yield from put("s", 2)
    keep = lambda: sem_wait("s")
    yield from both(keep, keep, keep)
    return "not reached"


def counting_semaphore():
    def visit():
        yield from sem_wait("s")
        if (yield from add("inside")) == 1:
            yield from put("both", 1)
        yield from add("inside", -1)
        yield from sem_post("s")

    yield from put("s", 2)
    yield from both(visit, visit)
    together = "two together" if (yield from get("both")) else "one by one"
    return f"{together}, {(yield from get('inside'))} inside"


def counting_semaphore_last():
    yield from put("s", 1)
    yield from both(*(locked("s", letter, letter, take=sem_wait, give=sem_post) for letter in "ab"))
    return (yield from log())


def semaphore_try():
    def tries():
        if (yield from sem_trywait("s")) == "0":
            return "at once"
        return "in time" if (yield from sem_timedwait("s")) == "0" else "too late"

    result, _ = yield from both(tries, lambda: sem_post("s"))
    return result


# Once, and static initialisation


def uses_once(letter):
    def body():
        yield from once("o", noting("i", "I"))
        yield from note(letter)

    return body


def once_program():
    yield from both(uses_once("a"), uses_once("b"))
    return (yield from log())


call_once = c11_call_once = once_program


def static_guard():
    def use(letter):
        def body():
            yield from once("o", noting("m", "M"))
            yield from note(letter)

        return body

    yield from both(use("a"), use("b"))
    return (yield from log())


def fails_first(letter):
    def body():
        yield from note(letter)
        if (yield from add("tries")) == 0:
            raise Failed

    return body


def with_failure(first):
    def use(letter):
        def body():
            result = yield from once("o", fails_first(first))
            yield from note("x" if result == "failed" else letter)

        return body

    yield from both(use("a"), use("b"))
    return (yield from log())


def call_once_exception():
    return (yield from with_failure("i"))


def static_guard_exception():
    return (yield from with_failure("m"))


# Thread-specific data


def key_destructor():
    """The destructor is the end of the thread."""
    yield from start("a", locked("m", "a", "a"))
    yield from start("b", locked("m", "b", "b"))
    yield from join("a")
    yield from note(".")
    yield from join("b")
    return (yield from log())


def thread_local_destructor():
    yield from start("a", noting("a"))
    yield from start("b", noting("b"))
    yield from join("a")
    yield from note(".")
    yield from join("b")
    return (yield from log())


def key_again():
    yield from start("a", noting("a", "a", "a", "a"))
    yield from join("a")
    return (yield from log())


def key_values():
    yield from both(noting("a"), noting("b"))
    return f"{(yield from log())} 1 1"


def c11_tss():
    yield from both(noting(".", "a"), noting(".", "b"))
    return f"{(yield from log())} 1 1"


# Joining and detaching


def join_value():
    def returns():
        yield from note("r")
        return 41

    def joins():
        value = yield from join("first")
        yield from note("j")
        return value + 1

    yield from start("first", returns)
    yield from start("second", joins)
    yield from note("m")
    value = yield from join("second")
    return f"{(yield from log())} {value}"


def join_self():
    yield from start("a", nothing)
    yield from join("a")
    return "EDEADLK"


def tryjoin_program():
    yield from start("a", nothing)
    first = yield from tryjoin("a")
    if first:
        yield from join("a")
    return first or "0"


def timedjoin_program():
    yield from start("a", nothing)
    first = yield from timedjoin("a")
    if first:
        yield from join("a")
    return first or "0"


def timedjoin_stuck():
    yield from lock("m")
    yield from start("a", locked("m"))
    first = yield from timedjoin("a")
    yield from unlock("m")
    if first:
        yield from join("a")
    return first or "0"


def detach():
    yield from start("a", lambda: add("runs"))
    return str((yield from get("runs")))


detach_attribute = detach


def detach_self():
    def detached(letter):
        def body():
            yield from note(letter)
            yield from sem_post("done")

        return body

    yield from start("a", detached("a"))
    yield from start("b", detached("b"))
    yield from sem_wait("done")
    yield from sem_wait("done")
    return (yield from log())


def thread_order():
    yield from both(noting("a"), noting("b"))
    return f"{(yield from log())} 3"


# Cancellation


def cancels(body, before=nothing):
    def ends():
        try:
            return (yield from body())
        except Canceled:
            return "canceled"

    yield from start("a", ends)
    yield from before()
    yield from cancel("a")
    return (yield from join("a"))


def cancel_deferred():
    def steps():
        yield from put("reached", 1)
        yield from cancellable()
        yield from put("reached", 2)
        yield from cancellable()
        yield from put("reached", 3)
        return "ended"

    value = yield from cancels(steps)
    return f"{value} at {(yield from get('reached'))}"


def cancel_disabled():
    def steps():
        yield from put("reached", 2)
        yield from cancellable()
        yield from put("reached", 3)
        return "ended"

    value = yield from cancels(steps)
    return f"{value} at {(yield from get('reached'))}"


def cancel_cond_wait():
    """Nobody signals. A request that is there before the wait ends it too."""

    def waiter():
        yield from lock("m")
        yield from note("w")
        requested = yield lambda w, me: [("at once", {})] if w["cancel", me] else [("waits", {"m": None})]
        if requested == "waits":
            yield from when(lambda w, me: w["cancel", me], lambda w, me: (None, {}))
            yield from lock("m")
        yield from note("c")
        yield from unlock("m")
        raise Canceled

    value = yield from cancels(waiter, before=locked("m", "m"))
    return f"{(yield from log())} {value}"


def cancel_sem_wait():
    def waiter():
        yield from note("w")
        yield from cancellable(sem_ways("s"))

    value = yield from cancels(waiter, before=noting("c"))
    return f"{(yield from log())} {value}"


def cancel_cleanup_order():
    """pause() returns to nobody: the request ends it."""

    def waiter():
        yield from when(lambda w, me: w["cancel", me], lambda w, me: (None, {}))
        yield from noting("2", "1", "k")()
        raise Canceled

    value = yield from cancels(waiter)
    return f"{(yield from log())} {value}"


def exit_cleanup():
    yield from start("a", noting("1", "k"))
    yield from join("a")
    return f"{(yield from log())} left"


# Atomics


def atomic_store_buffer():
    def store(mine, other):
        def body():
            yield from put(mine, 1)
            return (yield from get(other))

        return body

    a, b = yield from both(store("x", "y"), store("y", "x"))
    return f"{a} {b}"


def atomic_lost_update():
    def loads_and_stores():
        seen = yield from get("x")
        yield from put("x", seen + 1)

    yield from both(lambda: add("x", 10), loads_and_stores)
    return str((yield from get("x")))


atomic_ref = atomic_lost_update


def atomic_cas():
    a, b = yield from both(lambda: cas("x", 0, 1), lambda: swap("x", 2))
    return f"{a[1]} {b} {(yield from get('x'))}"


def atomic_flag():
    def race(letter):
        def body():
            if (yield from swap("flag", 1)) == 0:
                yield from note(letter)

        return body

    yield from both(race("a"), race("b"), race("c"))
    return (yield from log())


def atomic_shared_ptr():
    a, b = yield from both(lambda: swap("x", 1), lambda: swap("x", 2))
    return f"{a} {b} {(yield from get('x'))}"


def atomic_wait_program():
    def waiter():
        yield from atomic_wait("x", 0)
        return (yield from get("x"))

    def changer():
        yield from put("x", 1)
        yield from atomic_notify_one("x")
        yield from put("x", 2)

    seen, _ = yield from both(waiter, changer)
    return str(seen)


def atomic_wait_back():
    def changer():
        yield from put("x", 1)
        yield from atomic_notify_all("x")
        yield from put("x", 0)
        yield from atomic_notify_all("x")

    yield from both(lambda: atomic_wait("x", 0), changer)
    return "passed"


def atomic_waiters(then, before, wake):
    def waits(letter):
        def body():
            yield from atomic_wait("x", 0)
            yield from note(letter)
            yield from then()

        return body

    yield from start("a", waits("a"))
    yield from start("b", waits("b"))
    yield from before()
    yield from put("x", 1)
    yield from wake("x")
    yield from join("a")
    yield from join("b")
    return (yield from log())


def atomic_notify_one_program():
    return (yield from atomic_waiters(lambda: atomic_notify_one("x"), nothing, atomic_notify_one))


def atomic_notify_all_program():
    return (yield from atomic_waiters(nothing, noting("m"), atomic_notify_all))


def atomic_no_notify():
    yield from start("a", lambda: atomic_wait("x", 0))
    yield from put("x", 1)
    yield from join("a")
    return "passed"


def atomic_flag_wait():
    def waiter():
        yield from atomic_wait("flag", 0)
        yield from note("w")

    def setter():
        yield from note("s")
        yield from swap("flag", 1)
        yield from atomic_notify_one("flag")
        yield from note("S")

    yield from both(waiter, setter)
    return (yield from log())


# Stop tokens


def jthread_stop():
    def worker():
        rounds = 0
        while rounds < 2 and not (yield from get("stop")):
            rounds += 1
        return rounds

    yield from start("a", worker)
    yield from put("stop", 1)
    return str((yield from join("a")))


def jthread_destructor():
    def worker():
        seen = yield from get("stop")
        yield from note("w")
        return seen

    yield from start("a", worker)
    yield from note("m")
    yield from put("stop", 1)
    seen = yield from join("a")
    return f"{(yield from log())} {seen}"


def stop_callback():
    """Registered and deregistered by the worker; the request runs what is registered."""

    def worker():
        first = yield from atomically(lambda w, me: (w["stop"], {} if w["stop"] else {"registered": True}))
        if first:
            yield from put("by", "w")
            return
        # The destructor waits for a callback that runs.
        yield from when(lambda w, me: not w["running"], lambda w, me: (None, {"registered": False}))

    yield from start("a", worker)
    runs = yield from atomically(lambda w, me: (w["registered"], {"stop": True, "running": w["registered"]}))
    if runs:
        yield from put("by", "m")
        yield from put("running", False)
    yield from join("a")
    return (yield from get("by", "-"))


# Timed C++ mutexes


def timed_mutex():
    _, result = yield from both(locked("m"), times("m"))
    return "got it" if result == "0" else "timed out"


def recursive_timed_mutex():
    def owner():
        yield from recursive_lock("m")
        again = yield from recursive_timedlock("m")
        if again == "0":
            yield from unlock("m")
        yield from unlock("m")
        return again

    again, other = yield from both(owner, times("m", take=recursive_timedlock))
    return f"again {int(again == '0')}, other {int(other == '0')}"


# Futures: a state that is empty, or (what, value); setting it wakes all


def set_state(value):
    """False: there was one already."""
    return (yield from atomically(lambda w, me: (False, {}) if w["state"] else (True, {"state": value})))


def get_state():
    return (yield from when(lambda w, me: w["state"], lambda w, me: (w["state"], {})))


def promise():
    def sets():
        yield from note("s")
        yield from set_state(42)
        yield from note("S")

    yield from start("a", sets)
    value = yield from get_state()
    yield from note("g")
    yield from join("a")
    return f"{(yield from log())} {value}"


def promise_exception():
    def keep(value, letter):
        def body():
            if not (yield from set_state(value)):
                yield from note(letter)

        return body

    yield from start("a", keep(1, "v"))
    yield from start("b", keep(2, "e"))
    got = yield from get_state()
    yield from join("a")
    yield from join("b")
    return f"{got}, refused {(yield from log())}"


def broken_promise():
    def breaks():
        yield from note("p")
        yield from set_state("broken promise")

    yield from start("a", breaks)
    got = yield from get_state()
    yield from join("a")
    return got


def future_wait_for():
    ready = lambda w, me: [("0", {})] if w["state"] else []
    yield from start("a", lambda: set_state(1))
    polled = yield lambda w, me: ready(w, me) or [("not yet", {})]
    waited = yield from timed(ready)
    yield from join("a")
    return f"polled {int(polled == '0')}, waited {int(waited == '0')}"


def shared_future():
    def reader(letter):
        def body():
            yield from get_state()
            yield from note(letter)

        return body

    yield from start("a", reader("a"))
    yield from start("b", reader("b"))
    yield from note("s")
    yield from set_state(1)
    yield from join("a")
    yield from join("b")
    return (yield from log())


def async_program():
    yield from start("a", noting("a"))
    yield from note("m")
    yield from start("b", nothing)
    yield from join("a")
    yield from join("b")
    return f"{(yield from log())} 11"


def async_deferred():
    """Whoever comes first runs it; the other one waits for it."""

    def asks(who):
        def body():
            yield from once("o", lambda: put("by", who))
            return (yield from get("by"))

        return body

    yield from start("a", asks("t"))
    b = yield from asks("m")()
    a = yield from join("a")
    return f"{a} {b}"


def packaged_task():
    def runs():
        fails = yield from get("fail")
        yield from set_state(7 if fails else 8)

    yield from start("a", runs)
    yield from put("fail", 1)
    got = yield from get_state()
    yield from join("a")
    return str(got)


def exception_ptr():
    yield from both(noting("a", "A"), noting("b", "B"))
    return f"{(yield from log())} 12"


# C11


def c11_thread():
    yield from both(noting("b"), noting("c"))
    return f"{(yield from log())} 1 2"


def c11_mtx():
    def tries():
        if (yield from trylock("m")) != "0":
            return "busy"
        yield from note("t")
        yield from unlock("m")
        return "success"

    _, tried = yield from both(locked("m", "l"), tries)
    return f"{(yield from log())} {tried}"


def c11_mtx_timed():
    _, result = yield from both(locked("m"), times("m"))
    return "success" if result == "0" else "timed out"


c11_mtx_recursive = mutex_normal


def c11_cnd():
    def waits():
        yield from lock("m")
        if not (yield from get("flag")):
            yield from cond_wait("c", "m")
        yield from note("w")
        yield from unlock("m")

    def sets():
        yield from lock("m")
        yield from put("flag", 1)
        yield from cond_signal("c")
        yield from note("s")
        yield from unlock("m")

    yield from both(waits, sets)
    return (yield from log())


def c11_cnd_timed():
    def waits():
        yield from lock("m")
        result = yield from cond_timedwait("c", "m")
        yield from unlock("m")
        return result

    result, _ = yield from both(waits, locked("m", give=lambda m: cond_broadcast_and_unlock("c", m)))
    return "success" if result == "0" else "timed out"


def cond_broadcast_and_unlock(c, m):
    yield from cond_broadcast(c)
    yield from unlock(m)


# Futex


def futex_wait_wake():
    def wakes():
        yield from put("x", 1)
        return (yield from futex_wake("x", 1))

    result, woken = yield from both(lambda: futex_wait("x", 0), wakes)
    return f"{result}, woke {woken}"


def futex_wake_one():
    def waits(letter):
        def body():
            yield from futex_wait("x", 0)
            yield from note(letter)
            yield from put("turn", 1)
            yield from futex_wake("turn", 1)

        return body

    yield from start("a", waits("a"))
    yield from start("b", waits("b"))
    first = yield from futex_wake("x", 1)
    if first == 1:
        while (yield from get("turn")) == 0:
            yield from futex_wait("turn", 0)
    yield from put("x", 1)
    rest = yield from futex_wake("x", 2)
    yield from join("a")
    yield from join("b")
    return f"{(yield from log())}, woke {first}, then {rest}"


def futex_timeout():
    result, _ = yield from both(lambda: futex_wait("x", 0, timeout=True), lambda: put("x", 1))
    return result


def futex_lost():
    yield from both(lambda: futex_wait("x", 0), lambda: futex_wake("x", 1))
    return "woken"


def futex_bitset():
    """Only b has the bit."""

    def waits(letter):
        def body():
            yield from futex_wait("x", 0)
            yield from note(letter)

        return body

    def wake_b(w, me):
        waiters = w["futex", "x"] or frozenset()
        if "b" not in waiters:
            return 0, {}
        return 1, {("futex", "x"): waiters - {"b"}, ("awake", "x", "b"): True}

    yield from start("a", waits("a"))
    yield from start("b", waits("b"))
    first = yield from atomically(wake_b)
    if first == 1:
        yield from join("b")
    yield from note(".")
    yield from put("x", 1)
    yield from futex_wake("x", 2)
    yield from join("a")
    if first == 0:
        yield from join("b")
    return f"{(yield from log())}, first {first}"


def futex_requeue():
    """Any one of the waiters is woken; the other one waits at "there" from then on, and is awake when that is."""

    def waits(letter):
        def body():
            yield from futex_wait("here", 0)
            yield from note(letter)

        return body

    def requeue(w, me):
        waiters = w["futex", "here"] or frozenset()
        if not waiters:
            return [(0, {})]
        return [
            (len(waiters), {("futex", "here"): frozenset(), ("awake", "here", one): True, "moved": waiters - {one}})
            for one in sorted(waiters)
        ]

    def wake_moved(w, me):
        moved = w["moved"] or frozenset()
        return len(moved), {"moved": frozenset(), **{("awake", "here", one): True for one in moved}}

    yield from start("a", waits("a"))
    yield from start("b", waits("b"))
    moved = yield requeue
    yield from put("here", 1)
    rest = yield from futex_wake("here", 2)
    woken = yield from atomically(wake_moved)
    yield from join("a")
    yield from join("b")
    return f"{(yield from log())}, woken or moved {moved}, rest {rest}, there {woken}"


def futex_pi():
    yield from both(*(locked("p", letter, letter, take=pi_lock, give=pi_unlock) for letter in "ab"))
    return f"{(yield from log())}, then 0"


def futex_pi_try():
    def tries():
        result = yield from pi_trylock("p")
        return result if result != "0" else (yield from pi_unlock("p"))

    stranger = yield from pi_unlock("p")
    yield from start("a", tries)
    yield from pi_lock("p")
    again = yield from pi_lock("p")
    trying = yield from pi_trylock("p")
    yield from pi_unlock("p")
    other = yield from join("a")
    return f"{stranger}, {again} {trying}, other {other}"


def futex_pi_timeout():
    def locks():
        result = yield from pi_lock("p", timeout=True)
        if result == "0":
            yield from pi_unlock("p")
        return result

    yield from pi_lock("p")
    yield from start("a", locks)
    yield from pi_unlock("p")
    return f"{(yield from join('a'))}, then 0"


def futex_pi_owner_ends():
    def ends():
        yield from atomically(lambda w, me: (None, {}))  # what the compare-exchange finds
        if (yield from pi_lock("p")) != "0":
            raise AssertionError
        yield from pi_dies("p")

    def lock(take):
        def body():
            result = yield from take("p")
            if result != "0":
                return result
            died = yield from get(("died", "p"), None)
            yield from pi_unlock("p")
            return "0 died" if died else "0"

        return body

    yield from start("a", ends)
    yield from start("b", lock(pi_lock))
    own = yield from lock(pi_trylock)()
    yield from join("a")
    other = yield from join("b")

    def last(w, me):
        owner = "0" if w["p"] is None else "owner" if w["p"] == "a" else "another"
        return f"{owner}{' asked' if w['asked', 'p'] else ''}{' died' if w['died', 'p'] else ''}", {}

    return f"b {other}, main {own}, then {(yield from atomically(last))}"


def futex_pi_deadlock():
    def nested(outer, inner, letter):
        def body():
            yield from pi_lock(outer)
            yield from pi_lock(inner)
            yield from note(letter)
            yield from pi_unlock(inner)
            yield from pi_unlock(outer)

        return body

    yield from start("b", nested("second", "first", "b"))
    yield from nested("first", "second", "a")()
    yield from join("b")
    return (yield from log())


def futex_wake_op():
    def waits(word, letter):
        def body():
            yield from futex_wait(word, 0)
            yield from note(letter)

        return body

    def change(w, me):
        at = [w["futex", word] or frozenset() for word in ("first", "second")]  # the second was 0
        awake = {("awake", word, one): True for word, some in zip(("first", "second"), at) for one in some}
        return len(at[0]) + len(at[1]), {"second": 5, ("futex", "first"): frozenset(), ("futex", "second"): frozenset(), **awake}

    yield from start("a", waits("first", "a"))
    yield from start("b", waits("second", "b"))
    yield from put("first", 1)
    woken = yield from atomically(change)
    yield from note(".")
    yield from join("a")
    yield from join("b")
    return f"{(yield from log())}, woke {woken}, second 5"


def futex_requeue_some():
    def waits(letter):
        def body():
            yield from futex_wait("here", 0)
            yield from note(letter)

        return body

    def requeue(w, me):
        waiters = w["futex", "here"] or frozenset()
        return [(1, {("futex", "here"): waiters - {one}, "moved": one}) for one in sorted(waiters)] or [(0, {})]

    def wake_moved(w, me):
        return (1, {("awake", "here", w["moved"]): True, "moved": None}) if w["moved"] else (0, {})

    yield from start("a", waits("a"))
    yield from start("b", waits("b"))
    moved = yield requeue
    there = yield from atomically(wake_moved)
    if there == 1:
        yield from when(lambda w, me: w["log"], lambda w, me: (None, {}))
    yield from note(".")
    yield from put("here", 1)
    rest = yield from futex_wake("here", 2)
    yield from join("a")
    yield from join("b")
    return f"{(yield from log())}, moved {moved}, woken there {there}, rest {rest}"


def futex_requeue_pi():
    """There is one waiter, so a move to the lock is a wait for it that begins in the waker's step."""

    def waits():
        yield from pi_lock("p")
        if (yield from get("c")) != 0:
            yield from note("n")
            yield from pi_unlock("p")
            return
        yield from pi_unlock("p")

        def begin(w, me):
            return ("EAGAIN", {}) if w["c"] else ("waits", {"waiting": True})

        if (yield from atomically(begin)) == "EAGAIN":
            yield from pi_lock("p")
            yield from note("e")
        else:
            yield from when(lambda w, me: w["p"] == me, lambda w, me: (None, {}))
            yield from note("w")
        yield from pi_unlock("p")

    def move(w, me):
        if not w["waiting"]:
            return 0, {}
        return 1, {"waiting": None, ("pi", "p"): (w["pi", "p"] or frozenset()) | {"a"}}

    yield from start("a", waits)
    yield from pi_lock("p")
    yield from put("c", 1)
    moved = yield from atomically(move)
    yield from note("m")
    yield from pi_unlock("p")
    yield from join("a")
    return f"{(yield from log())}, moved {moved}, then 0"


def futex_requeue_pi_owner_ends():
    def ends():
        yield from pi_lock("p")
        yield from pi_dies("p")

    def waits():
        if (yield from atomically(lambda w, me: ("EAGAIN", {}) if w["c"] else ("waits", {"waiting": True}))) == "EAGAIN":
            return "EAGAIN"
        yield from when(lambda w, me: w["p"] == me, lambda w, me: (None, {}))
        died = yield from get(("died", "p"), None)
        yield from pi_unlock("p")
        return "died" if died else "0"

    def move(w, me):
        if not w["waiting"]:
            return "none", {}
        if w["p"] is None:
            return "1", {"waiting": None, "p": "b"}
        if w["dead", w["p"]]:
            return "ESRCH", {}
        return "1", {"waiting": None, ("pi", "p"): (w["pi", "p"] or frozenset()) | {"b"}}

    yield from start("a", ends)
    yield from start("b", waits)
    moved = yield from atomically(move)
    yield from put("c", 1)
    waiter = (yield from join("b")) if moved == "1" else "left"
    yield from join("a")
    return f"moved {moved}, waiter {waiter}"


def futex_waitv():
    def wakes(word):
        yield from put(word, 1)
        return (yield from waitv_wake(word))

    yield from start("a", lambda: waitv(("first", "second")))
    second = yield from wakes("second")
    first = yield from wakes("first")
    result = yield from join("a")
    return f"{second} {first}, {result}"


def futex_waitv_timeout():
    yield from start("a", lambda: waitv(("first", "second"), timeout=True))
    woken = yield from waitv_wake("second")
    return f"{woken}, {(yield from join('a'))}"


def futex_bitset_timeout():
    yield from start("a", lambda: futex_wait("x", 0, timeout=True))
    yield from atomically(lambda w, me: (None, {}))  # its mask has nothing in common
    woken = yield from futex_wake("x", 1)
    return f"0 {woken}, {(yield from join('a'))}"


# The rest


def recursive_mutex():
    def twice(letter):
        def body():
            yield from recursive_lock("m")
            yield from recursive_lock("m")
            yield from note(letter)
            yield from unlock("m")
            yield from note(letter)
            yield from unlock("m")

        return body

    yield from both(twice("a"), twice("b"))
    return (yield from log())


def cancel_join():
    def joins():
        yield from cancellable(lambda w, me: [(None, {})] if w["ended", "first"] else [])
        return "ended"

    yield from start("first", lambda: sem_wait("s"))
    value = yield from cancels(joins)
    yield from sem_post("s")
    yield from join("first")
    return f"{value}, then 0"


def c11_exit():
    yield from both(noting("a"), noting("b"))
    return f"{(yield from log())} 1 2"


rwlock_clock = rwlock_timed
sem_clockwait = sem_timedwait_program
thread_detach = detach
atomic_wait_long = atomic_wait_program


def semaphore_release_two():
    """Each unit is a step of its own, or both are one: nobody can tell."""

    def acquires(letter):
        def body():
            yield from sem_wait("s")
            yield from note(letter)

        return body

    yield from start("a", acquires("a"))
    yield from start("b", acquires("b"))
    yield from note(".")
    yield from sem_post("s", 2)
    yield from join("a")
    yield from join("b")
    return (yield from log())


def sleep_order():
    yield from both(noting("a"), noting("b"))
    return (yield from log())


def stop_request_once():
    def request(letter):
        def body():
            if not (yield from swap("stop", 1)):
                yield from note(letter)

        return body

    yield from both(request("a"), request("b"))
    return (yield from log())


# A program with the name of one of model.py's primitives is called name_program above.


def program(name):
    """The description of a program, or None."""
    if name + "_program" in globals():
        return globals()[name + "_program"]
    return None if hasattr(model, name) else globals().get(name)
