"""Work stealing, as table 2 of Fair Stateless Model Checking has it, on the queues of examples/threads/work_stealing: an owner that pushes and pops, and
thieves that go on until it has finished. Access by access as the headers have them; queues.cpp runs the headers themselves.
"""

from model import Program

CAPACITY = 2


def the_push(item):
    tail = yield ("load", "tail")
    yield ("store", f"item{tail % CAPACITY}", item)
    yield ("store", "tail", tail + 1)


def the_pop():
    tail = (yield ("load", "tail")) - 1
    yield ("store", "tail", tail)
    if (yield ("load", "head")) <= tail:
        yield ("load", f"item{tail % CAPACITY}")
        return
    yield ("store", "tail", tail + 1)
    yield ("lock", "thieves")
    if (yield ("load", "head")) <= tail:
        yield ("store", "tail", tail)
        yield ("load", f"item{tail % CAPACITY}")
    yield ("unlock", "thieves")


def the_steal():
    yield ("lock", "thieves")
    head = yield ("load", "head")
    yield ("store", "head", head + 1)
    found = head + 1 <= (yield ("load", "tail"))
    if found:
        yield ("load", f"item{head % CAPACITY}")
    else:
        yield ("store", "head", head)
    yield ("unlock", "thieves")
    return found


def chase_lev_push(item):
    bottom = yield ("load", "bottom")
    if bottom - (yield ("load", "top")) >= CAPACITY:
        return
    yield ("store", f"item{bottom % CAPACITY}", item)
    yield ("store", "bottom", bottom + 1)


def chase_lev_pop():
    bottom = (yield ("load", "bottom")) - 1
    yield ("store", "bottom", bottom)
    top = yield ("load", "top")
    if top > bottom:
        yield ("store", "bottom", bottom + 1)
        return
    yield ("load", f"item{bottom % CAPACITY}")
    if top < bottom:
        return
    yield ("cas", "top", top, top + 1)
    yield ("store", "bottom", bottom + 1)


def chase_lev_steal():
    top = yield ("load", "top")
    if top >= (yield ("load", "bottom")):
        return False
    yield ("load", f"item{top % CAPACITY}")
    return bool((yield ("cas", "top", top, top + 1)))


QUEUES = {"the": ({"head": 0, "tail": 0, "thieves": -1, "item0": 0, "item1": 0}, the_push, the_pop, the_steal),
          "chase_lev": ({"top": 0, "bottom": 0, "item0": 0, "item1": 0}, chase_lev_push, chase_lev_pop, chase_lev_steal)}


def work_stealing(queue, thieves):
    objects, push, pop, steal = QUEUES[queue]
    creating = [f"create{t + 1}" for t in range(thieves)]
    joining = [f"join{t + 1}" for t in range(thieves)]
    order = ["start", "push1", *creating, "push2", "pop1", "pop2", "done", *joining, "exit"]

    def owner(stage):
        if stage.startswith("push"):
            yield from push(int(stage[4:]))
        elif stage.startswith("pop"):
            yield from pop()
        elif stage == "done":
            yield ("store", "done", 1)
        elif stage[-1].isdigit():
            yield (stage[:-1], int(stage[-1]))
        else:
            yield (stage,)
        return None if stage == "exit" else order[order.index(stage) + 1]

    def thief(stage):
        if stage == "start":
            yield ("start",)
            return "look"
        if stage == "look":
            return None if (yield ("load", "done")) else "steal"
        if stage == "steal":
            return "look" if (yield from steal()) else "rest"
        yield ("yield",)
        return "look"

    return Program({**objects, "done": 0}, [("start", owner)] + [("start", thief)] * thieves)
