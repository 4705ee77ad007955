"""Reads what --dump-traces writes (docs/trace-dump.md), and knows nothing of the search that wrote it."""

import collections
import json


class Broken(Exception):
    """The dump contradicts itself."""


def executions(file):
    """The executions of a dump, as (end, events)."""
    lines = file.read_text(encoding="utf-8").splitlines()
    header = json.loads(lines[0])
    if (header["format"], header["version"]) != ("tarry-traces", 1):
        raise Broken(f"a header that is not known: {header}")
    return [(one["end"], one["events"]) for one in map(json.loads, lines[1:])]


def examine(events):
    """Whether every event follows the last write of each of its objects, and every thread was created before it runs."""
    last, last_all, there = {}, None, {0}
    for number, event in enumerate(events):
        if event["t"] not in there:
            raise Broken(f"thread {event['t']} runs before it is created")
        for relation in ("rf", "co"):
            for name, before in event.get(relation, {}).items():
                wanted = max((one for one in (last.get(name), last_all) if one is not None), default=None)
                if before != wanted:
                    raise Broken(f"event {number} follows {before} on {name}, and the last write is {wanted}")
        for name in event.get("co", {}):
            last[name] = number
        if event.get("all"):
            last_all = number
        there.update(event.get("creates", []))


def trace_of(end, events):
    """The Mazurkiewicz trace: equal for executions that differ only in the order of independent events.

    An event is known by its thread and by how many events its thread has before it. Names of objects are left out: which events meet on
    one object is what the edges say."""
    examine(events)
    counts, names, out = collections.Counter(), [], []
    for event in events:
        name = (event["t"], counts[event["t"]])
        edges = sorted((relation, () if before is None else names[before]) for relation in ("rf", "co") for before in event.get(relation, {}).values())
        after_all = tuple(sorted(counts.items())) if event.get("all") else ()
        out.append((name, event["op"], event.get("expires", False), tuple(event.get("values", [])), tuple(event.get("creates", [])), tuple(edges), after_all))
        names.append(name)
        counts[event["t"]] += 1
    return end, tuple(sorted(out))


def traces(file):
    """How often each trace is there."""
    return collections.Counter(trace_of(end, events) for end, events in executions(file))


def orders(file):
    """Each execution as the orders of its objects: (write, reads that follow it), one after the other. Threads and their numbers are left out."""
    found = []
    for _, events in executions(file):
        examine(events)
        counts, objects = collections.Counter(), {}
        for event in events:
            name = (event["t"], counts[event["t"]])
            counts[event["t"]] += 1
            for relation in ("rf", "co"):
                for at in event.get(relation, {}):
                    if at.startswith("th"):
                        continue
                    sequence = objects.setdefault(at, [(None, set())])
                    if relation == "co":
                        sequence.append((name, set()))
                    else:
                        sequence[-1][1].add(name)
        found.append(canonical_orders(objects.values()))
    return found


def canonical_orders(sequences):
    return frozenset(tuple((write, frozenset(reads)) for write, reads in sequence) for sequence in sequences)
