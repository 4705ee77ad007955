"""Checks logs of runs against a set of admissible traces, without anything of the run-time library.

A run adheres to a trace if its threads did the events of the trace, each thread in its own order, and of every two events that depend on each other in
the trace the earlier one was over before the later one began. Both times are numbers of one counter, drawn before and behind the access. Events depend on each
other if they touch one object and not both only read it; which objects they touch is in the set (`tarry schedules show --json`). Addresses on heaps and stacks differ from
run to run: they have to be in one-to-one correspondence with those of the trace.
"""

import collections

Event = collections.namedtuple("Event", "thread kind size claimed done object also")


def runs_of(path):
    """Yields (events, trace hash, verified) of every run in a log."""
    events = []
    with open(path) as log:
        for line in log:
            words = line.rstrip("\n").split(" ")
            if words[0] == "run":
                events = []
            elif words[0] == "end":
                yield events, words[1], words[2] == "verified"
            else:
                thread, kind, size, claimed, done, thing, also = words
                events.append(Event(int(thread), kind, int(size), int(claimed), int(done), thing, also))


def by_thread(items, thread_of):
    lanes = collections.defaultdict(list)
    for item in items:
        lanes[thread_of(item)].append(item)
    return lanes


class Matching:
    """Addresses of the run and of the trace that belong together."""

    def __init__(self):
        self.there, self.here = {}, {}

    def fits(self, run, trace):
        if not trace.startswith("m:"):
            return run == trace or trace.startswith("s:")
        return self.there.setdefault(run, trace) == trace and self.here.setdefault(trace, run) == run


def adheres(events, trace, labels):
    """None, or what is wrong."""
    lanes = by_thread(sorted(events, key=lambda event: event.claimed), lambda event: event.thread)
    expected = by_thread([labels[number] for number in trace], lambda label: label["thread"])
    if set(lanes) != set(expected):
        return "other threads"
    matching = Matching()
    for thread, lane in lanes.items():
        if len(lane) != len(expected[thread]):
            return f"thread {thread} has {len(lane)} events and not {len(expected[thread])}"
        for event, label in zip(lane, expected[thread]):
            if event.kind != label["kind"] or event.size != label["size"]:
                return f"thread {thread} does {event.kind} and not {label['kind']}"
            if not matching.fits(event.object, label["object"]) or not matching.fits(event.also, label["also"]):
                return f"thread {thread} does {event.kind} of {event.object} and not of {label['object']}"
    last_write, reads, everything = {}, collections.defaultdict(list), None
    taken = collections.Counter()
    before = []
    for number in trace:
        label = labels[number]
        event = lanes[label["thread"]][taken[label["thread"]]]
        taken[label["thread"]] += 1
        needs = [everything] if everything else []
        for thing, use in label["touches"]:
            if thing == "everything":
                needs += before
            elif thing in last_write:
                needs.append(last_write[thing])
            if use == "write":
                needs += reads[thing]
        for other in needs:
            if other is not event and other.done >= event.claimed:
                return f"{event} began before {other} was over"
        for thing, use in label["touches"]:
            if thing == "everything":
                everything = event
            elif use == "write":
                last_write[thing] = event
                reads[thing] = []
            else:
                reads[thing].append(event)
        before.append(event)
    return None


def first_that_adheres(events, schedules):
    """The number of a trace that the run adheres to, or None."""
    for number, trace in enumerate(schedules["traces"]):
        if adheres(events, trace, schedules["labels"]) is None:
            return number
    return None
