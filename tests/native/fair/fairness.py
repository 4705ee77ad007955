"""Algorithm 1 of Musuvathi and Qadeer, Fair Stateless Model Checking (PLDI 2008), as it is printed, and what explores with it.

A scheduler is a value: (P, windows, yields). P holds edges (t, u): t goes behind u. A window of u is (E, D, S), since its last yield that counted.
"""

import collections

NOTHING = (frozenset(), (), ())


class Fair:
    def __init__(self, every=1):
        self.every = every

    def schedulable(self, scheduler, enabled):
        return enabled - {t for t, u in scheduler[0] if u in enabled}

    def after(self, scheduler, thread, enabled, enabled_after, alive_after, yielded):
        edges, windows, yields = scheduler[0], dict(scheduler[1]), dict(scheduler[2])
        edges = {(t, u) for t, u in edges if u != thread}
        for u, (e, d, s) in windows.items():
            windows[u] = (e & enabled_after, d | (enabled - enabled_after) if u == thread else d, s | {thread})
        if yielded:
            yields[thread] = yields.get(thread, 0) + 1
            if yields[thread] == self.every:
                del yields[thread]
                if thread in windows:
                    e, d, s = windows[thread]
                    edges |= {(thread, u) for u in (e | d) - s}
                windows[thread] = (enabled_after, frozenset(), frozenset())
        # Who ended will never run: the scheduler is the same without it.
        live = alive_after
        windows = {u: tuple(part & live for part in parts) for u, parts in windows.items() if u in live}
        edges = frozenset((t, u) for t, u in edges if t in live and u in live)
        return (edges, tuple(sorted(windows.items())), tuple(sorted((u, n) for u, n in yields.items() if u in live)))


class Unfair:
    """No fairness, with the same face."""

    def schedulable(self, _scheduler, enabled):
        return enabled

    def after(self, scheduler, *_):
        return scheduler


def step(program, fair, state, scheduler, thread):
    after, yielded = program.steps(state)[thread]
    return after, fair.after(scheduler, thread, program.enabled(state), program.enabled(after), program.alive(after), yielded), yielded


class Graph:
    """All that can be reached: nodes are (state, scheduler), edges (to, thread, yielded). `most` nodes, else `too_many`."""

    def __init__(self, program, fair, most=200_000):
        self.program = program
        self.nodes = [(program.initial(), NOTHING)]
        self.edges = []
        numbers = {self.nodes[0]: 0}
        self.too_many = False
        for number, (state, scheduler) in enumerate(self.nodes):  # grows while it is walked
            edges = []
            for t in sorted(fair.schedulable(scheduler, program.enabled(state))):
                after, then, yielded = step(program, fair, state, scheduler, t)
                node = (after, then)
                if node not in numbers:
                    numbers[node] = len(self.nodes)
                    self.nodes.append(node)
                edges.append((numbers[node], t, yielded))
            self.edges.append(edges)
            if number > most:
                self.too_many = True
                return

    def states(self):
        return {state for state, _ in self.nodes}

    def parts(self, inside=None, allowed=lambda n, edge: True):
        """Strongly connected parts with an edge inside (Tarjan, without recursion), of these nodes and edges."""
        inside = set(range(len(self.nodes))) if inside is None else set(inside)
        index, low, on, stack, out = {}, {}, set(), [], []
        for root in sorted(inside):
            if root in index:
                continue
            work = [(root, iter(self.edges[root]))]
            index[root] = low[root] = len(index)
            stack.append(root)
            on.add(root)
            while work:
                node, edges = work[-1]
                for edge in edges:
                    to = edge[0]
                    if to not in inside or not allowed(node, edge):
                        continue
                    if to not in index:
                        index[to] = low[to] = len(index)
                        stack.append(to)
                        on.add(to)
                        work.append((to, iter(self.edges[to])))
                        break
                    if to in on:
                        low[node] = min(low[node], index[to])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[node])
                    if low[node] == index[node]:
                        part = set()
                        while node not in part:
                            part.add(stack.pop())
                        on -= part
                        if len(part) > 1 or any(e[0] == node and allowed(node, e) for e in self.edges[node]):
                            out.append(part)
        return out

    def inside(self, part, allowed=lambda n, edge: True):
        """Threads that run, that yield, and that are enabled in a part."""
        edges = [e for n in part for e in self.edges[n] if e[0] in part and allowed(n, e)]
        enabled = set().union(*(self.program.enabled(self.nodes[n][0]) for n in part))
        return {e[1] for e in edges}, {e[1] for e in edges if e[2]}, enabled

    def has_cycle(self):
        return bool(self.parts())

    def has_samaritan_cycle(self, inside=None, without=frozenset()):
        """An endless execution in which everybody who runs for ever yields for ever."""

        def allowed(_, edge):
            return edge[1] not in without

        for part in self.parts(inside, allowed):
            runs, yields, _ = self.inside(part, allowed)
            if runs <= yields or self.has_samaritan_cycle(part, without | (runs - yields)):
                return True
        return False

    def has_selfish_cycle(self):
        """An endless execution in which somebody runs for ever and yields only finitely often."""
        for t in range(len(self.program.threads)):

            def allowed(_, edge, t=t):
                return edge[1] != t or not edge[2]

            if any(t in self.inside(part, allowed)[0] for part in self.parts(None, allowed)):
                return True
        return False

    def has_fair_cycle(self, inside=None):
        """An endless execution that is strongly fair: who is enabled in a part runs there, or its states go."""
        for part in self.parts(inside):
            runs, _, enabled = self.inside(part)
            starved = enabled - runs
            if not starved or self.has_fair_cycle({n for n in part if not self.program.enabled(self.nodes[n][0]) & starved}):
                return True
        return False


def bounded(program, fair, preemptions=None, depth=None, most=2_000_000):
    """States that can be reached with so many preemptions and steps, as iterative context bounding counts them: whoever takes the turn from a
    thread that could go on, that fairness did not put behind another and that did not just yield, pays one."""
    first = (program.initial(), NOTHING, None)
    best = {first: {(0, 0)}}
    work = collections.deque([(first, 0, 0)])
    states = set()
    while work:
        node, cost, length = work.popleft()
        state, scheduler, running = node
        states.add(state)
        if depth is not None and length == depth:
            continue
        open_now = fair.schedulable(scheduler, program.enabled(state))
        for t in open_now:
            price = cost + (1 if running in open_now and t != running else 0)
            if preemptions is not None and price > preemptions:
                continue
            after, then, yielded = step(program, fair, state, scheduler, t)
            # What does not count is not told apart.
            to = (after, then, None if yielded or preemptions is None else t)
            cost_now, length_now = (0 if preemptions is None else price), (0 if depth is None else length + 1)
            known = best.setdefault(to, set())
            if any(c <= cost_now and n <= length_now for c, n in known):
                continue
            known.add((cost_now, length_now))
            if len(best) > most:
                raise OverflowError("too many states")
            work.append((to, cost_now, length_now))
    return states


def schedules(program, fair, most):
    """Every complete execution as the threads that it runs; None if there are more."""
    out = set()
    work = [(program.initial(), NOTHING, "")]
    while work:
        state, scheduler, path = work.pop()
        open_now = fair.schedulable(scheduler, program.enabled(state))
        if not open_now:
            out.add(path)
            if len(out) > most:
                return None
        if len(path) > 500 or len(work) > most:
            return None
        for t in open_now:
            after, then, _ = step(program, fair, state, scheduler, t)
            work.append((after, then, path + str(t)))
    return out


def without_yields(program):
    """States of yield count zero: those that some execution without yields comes to."""
    seen = {program.initial()}
    work = list(seen)
    while work:
        for after, yielded in program.steps(work.pop()).values():
            if not yielded and after not in seen:
                seen.add(after)
                work.append(after)
    return seen
