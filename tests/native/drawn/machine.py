"""All interleavings of a small thread program, by brute force, without anything of Tarry.

A thread is a list of instructions; thread 0 is main, which joins the others at its end. Every instruction that others can notice is a step; where a thread
stands is its place in the list, its registers, its time and its signals. `explore` walks all states and gives what complete executions write, whether one
gets stuck, and which objects race: two threads are about to access one, both could, and one would write.

What is bounded is bounded as Tarry says: a clock jumps, and freed memory is used again, so many times in an execution, and only memory whose address
another thread had when it was freed. A signal is handled at any moment after it was sent, at the latest before the thread's next call that enters the kernel.
"""

END = -1

# Shared state, by place.
X, Y, W, P, Q, K, HEAD, M, N, Z, S, G, O, WAITING, FREED, KNOWN, BLOCKS, REUSES, JUMPS, OUT, TIMES = range(21)
NAMES = {"x": X, "y": Y, "w": W, "p": P, "q": Q, "k": K, "head": HEAD, "m": M, "n": N, "z": Z, "s": S, "g": G, "o": O}
FREE = -1

PLAIN_READS = {"pread", "sread"}
PLAIN_WRITES = {"pwrite", "sappend", "sassign"}
READS = {"load", "pread", "sread", "await"}
# Without an object that others have, too.
ALONE = {"sleep", "now", "yield", "free", "malloc", "exit"}
# Calls that enter the kernel: a signal that has come is handled there.
FORCED = {"yield", "join", "exit", "kill", "unmask", "center", "creturn", "semwait", "semtimed", "timedlock", "out", "sleep"}

JUMP, START, FUTURE = 600_000, 1_000_000, 2_000_000_000_000  # milliseconds


class TooMany(Exception):
    pass


class Answer:
    def __init__(self):
        self.outputs, self.stuck, self.races, self.states = set(), False, set(), 0


def put(values, place, value):
    return values[:place] + (value,) + values[place + 1:]


class Machine:
    """`codes`: of each thread, and of the handler of the signal (last). `result`: registers of all threads and the shared state to the text at the end."""

    def __init__(self, codes, handler, result, registers, reuses=2, jumps=1):
        self.codes, self.handler, self.result = codes, handler, result
        self.registers, self.reuses, self.jumps = registers, reuses, jumps
        self.timed = any(one[0] == "now" for code in codes for one in code)

    def initial(self):
        shared = [0] * 21
        for place, value in ((M, FREE), (N, FREE), (G, ""), (O, ""), (WAITING, ()), (FREED, ()), (KNOWN, ((), (0,))), (TIMES, ()), (HEAD, 1), (BLOCKS, 1), (REUSES, self.reuses), (JUMPS, self.jumps), (OUT, "")):
            shared[place] = value
        # A thread: place, registers, place to return to from the handler, pending, masked, time, latest deadline.
        threads = tuple((0, (0,) * self.registers, None, False, False, START) for _ in self.codes)
        state = (threads, tuple(shared))
        for t in range(len(self.codes)):
            state = self.settled(state, t)
        return state

    def code(self, t, thread):
        return self.handler if thread[2] is not None else self.codes[t]

    def settled(self, state, t):
        """Instructions that nobody else can notice are taken at once."""
        threads, shared = state
        place, registers, back, pending, masked, time = threads[t]
        while place != END:
            code = self.handler if back is not None else self.codes[t]
            if place == len(code):
                place, back = back, None  # the handler returns
                continue
            op, *args = code[place]
            if op == "set":
                registers = put(registers, args[0], args[1])
            elif op == "inc":
                registers = put(registers, args[0], registers[args[0]] + 1)
            elif op == "copy":
                registers = put(registers, args[0], registers[args[1]])
            elif op == "later":  # r0 = r1 - r2 >= milliseconds
                registers = put(registers, args[0], int(registers[args[1]] - registers[args[2]] >= args[3]))
            elif op == "branch":  # if the register is not zero
                place = args[1] if registers[args[0]] else place + 1
                continue
            elif op == "jump":
                place = args[0]
                continue
            else:
                break
            place += 1
        return threads[:t] + ((place, registers, back, pending, masked, time),) + threads[t + 1:], shared

    def objects(self, t, thread):
        """What the next instruction of the thread works on, and whether it changes it."""
        op, *args = self.code(t, thread)[thread[0]]
        if op in ALONE:
            return []
        if op in ("casr", "exchange"):
            return [("head", True)]
        if op in ("kill", "join"):
            return [(args[0], True)]
        if op in ("mask", "unmask"):
            return [(t, True)]
        if op == "out":
            return [("out", True)]
        if op == "spinlock":
            return [("z", True)]
        if op in ("post", "semwait", "semtry", "semtimed"):
            return [("s", True)]
        if op in ("signal", "broadcast"):
            return [("c", True)]
        if op in ("center", "creturn"):
            return [("c", True), ("m", True)]
        return [(args[0], op not in READS)]

    def with_time(self, state, t, objects):
        """Who sees what others did sees no earlier time than they had then."""
        threads, shared = state
        times = dict(shared[TIMES])
        time = threads[t][5]
        for name, writes in objects:
            written, read = times.get(name, (0, 0))
            time = max(time, written, read if writes else 0)
            times[name] = (time, read) if writes else (written, max(read, time))
        return threads[:t] + ((*threads[t][:5], time),) + threads[t + 1:], put(shared, TIMES, tuple(sorted(times.items(), key=str)))

    def steps(self, state, t):
        """States after a step of the thread."""
        place = state[0][t][0]
        if not self.timed or place == END:
            yield from self.steps_in(state, t)
            return
        threads, shared = state
        thread = threads[t]
        due = thread[3] and not thread[4] and thread[2] is None
        if due:
            yield from self.steps_in(self.with_time(state, t, [(t, True)]), t, handles=True)
            state = (threads[:t] + ((*thread[:3], False, *thread[4:]),) + threads[t + 1:], shared) if self.code(t, thread)[place][0] not in FORCED else None
            if state is None:
                return
        op, *args = self.code(t, thread)[place]
        seen = self.with_time(state, t, self.objects(t, thread))
        after = list(self.steps_in(seen, t))
        if due:
            after = [(put(one[0], t, (*one[0][t][:3], True, *one[0][t][4:])), one[1]) for one in after]
            seen = (put(seen[0], t, (*seen[0][t][:3], True, *seen[0][t][4:])), seen[1])
        if not after and op in ("await", "spinlock") and seen != state:
            after = [seen]  # it looked in vain, and was seen
        if op == "join":
            over = threads[args[0]]
            after = [(put(one[0], t, (*one[0][t][:5], max(one[0][t][5], over[5]))), one[1]) for one in after]
        yield from after

    def steps_in(self, state, t, handles=False):
        threads, shared = state
        thread = threads[t]
        place, registers, back, pending, masked, time = thread
        if place == END:
            return
        due = pending and not masked and back is None
        if due:
            yield self.settled((threads[:t] + ((0, registers, place, False, masked, time),) + threads[t + 1:], shared), t)
            if handles:
                return
        op, *args = self.code(t, thread)[place]
        if due and op in FORCED:
            return
        for after, values in self.performed(t, threads, shared, op, args):
            others = threads
            if op == "kill" and others[args[0]][0] != END:
                to = others[args[0]]
                others = put(others, args[0], (*to[:3], True, *to[4:]))
            if op == "join" and threads[args[0]][0] != END:
                return
            yield self.settled((others[:t] + (after,) + others[t + 1:], values), t)

    def performed(self, t, threads, shared, op, args):
        """(thread, shared state) after the instruction: none if it cannot go on, several if there is a choice."""
        place, registers, back, pending, masked, time = threads[t]

        def done(reg=None, value=None, values=shared, now=time, to=None, mask=masked):
            after = registers if reg is None else put(registers, reg, value)
            return (place + 1 if to is None else to, after, back, pending, mask, now), values

        if op in ("load", "pread", "sread"):
            at = NAMES[args[0]]
            value = shared[at]
            yield done(args[1], value, self.known(shared, t, value) if at == HEAD else shared, max(time, value) if at == W else time)
        elif op in ("store", "pwrite", "sassign"):
            value = registers[args[2]] if len(args) > 2 else args[1]
            yield done(values=put(shared, NAMES[args[0]], value))
        elif op == "sappend":
            at = NAMES[args[0]]
            yield done(values=put(shared, at, shared[at] + args[1]))
        elif op == "add":
            at = NAMES[args[0]]
            yield done(args[1], shared[at], put(shared, at, shared[at] + 1))
        elif op == "cas":  # object, expected, new, register
            at = NAMES[args[0]]
            same = shared[at] == args[1]
            yield done(args[3], int(same), put(shared, at, args[2]) if same else shared)
        elif op == "casr":  # of head: expected and new are registers
            same = shared[HEAD] == registers[args[0]]
            values = self.known(shared, t, shared[HEAD])
            yield done(args[2], int(same), put(values, HEAD, registers[args[1]]) if same else values)
        elif op == "exchange":  # of head: the new one is a register
            yield done(args[1], shared[HEAD], put(self.known(shared, t, shared[HEAD]), HEAD, registers[args[0]]))
        elif op == "await":
            if shared[NAMES[args[0]]] == args[1]:
                yield done()
        elif op == "spinlock":
            if shared[Z] == 0:
                yield done(values=put(shared, Z, 1))
        elif op == "lock":
            if shared[NAMES[args[0]]] == FREE:
                yield done(values=put(shared, NAMES[args[0]], t))
        elif op == "unlock":
            yield done(values=put(shared, NAMES[args[0]], FREE))
        elif op in ("trylock", "timedlock"):
            at = NAMES[args[0]]
            if shared[at] == FREE:
                yield done(args[1], 1, put(shared, at, t))
            else:
                yield done(args[1], 0, now=max(time, FUTURE) if len(args) > 2 and args[2] else time)
        elif op == "post":
            yield done(values=put(shared, S, shared[S] + 1))
        elif op in ("semwait", "semtry", "semtimed"):
            if shared[S] > 0:
                yield done(args[0], 1, put(shared, S, shared[S] - 1))
            elif op != "semwait":
                yield done(args[0], 0, now=max(time, FUTURE) if op == "semtimed" else time)
        elif op == "center":  # gives m back and waits
            yield done(values=put(put(shared, M, FREE), WAITING, shared[WAITING] + ((t, False),)))
        elif op == "creturn":  # register, timed: the next instruction locks m
            if (t, True) in shared[WAITING]:
                if shared[M] == FREE:  # woken, and the mutex in one
                    rest = tuple(one for one in shared[WAITING] if one[0] != t)
                    yield done(args[0], 0, put(put(shared, M, t), WAITING, rest), to=place + 2)
            elif args[1]:
                yield done(args[0], 1, put(shared, WAITING, tuple(one for one in shared[WAITING] if one[0] != t)), now=max(time, FUTURE))
        elif op in ("signal", "broadcast"):
            waiting = [i for i, (_, woken) in enumerate(shared[WAITING]) if not woken]
            if not waiting:
                yield done()
            for which in ([[i] for i in waiting] if op == "signal" else [waiting] if waiting else []):
                yield done(values=put(shared, WAITING, tuple((who, woken or i in which) for i, (who, woken) in enumerate(shared[WAITING]))))
        elif op == "sleep":
            yield done(now=time + args[0])
        elif op == "now":
            yield done(args[0], time)
            if shared[JUMPS] > 0:
                yield done(args[0], time + JUMP, put(shared, JUMPS, shared[JUMPS] - 1), now=time + JUMP)
        elif op == "malloc":
            number = shared[BLOCKS] + 1
            yield done(args[0], number, put(put(shared, BLOCKS, number), KNOWN, shared[KNOWN] + ((t,),)))
            if shared[REUSES] > 0:
                for block in shared[FREED]:
                    values = put(put(shared, FREED, tuple(b for b in shared[FREED] if b != block)), REUSES, shared[REUSES] - 1)
                    yield done(args[0], block, self.known(values, t, block))
        elif op == "free":
            block = registers[args[0]]
            values = shared
            if block and any(who != t and threads[who][0] != END for who in shared[KNOWN][block]):
                values = put(shared, FREED, tuple(sorted(shared[FREED] + (block,))))
            yield done(values=values)
        elif op == "out":
            yield done(values=put(shared, OUT, shared[OUT] + args[0]))
        elif op == "unmask" and pending:  # the handler runs before the call returns
            yield (0, registers, place + 1, False, False, time), shared
        elif op in ("mask", "unmask"):
            yield done(mask=op == "mask")
        elif op in ("kill", "yield", "join"):
            yield done()
        elif op == "exit":
            yield done(to=END)
        else:
            raise AssertionError(op)

    @staticmethod
    def known(shared, t, block):
        """The thread has the address of the block."""
        if not block or t in shared[KNOWN][block]:
            return shared
        return put(shared, KNOWN, put(shared[KNOWN], block, tuple(sorted(shared[KNOWN][block] + (t,)))))

    def racing(self, state):
        threads, shared = state
        accesses = {}
        for t, thread in enumerate(threads):
            if thread[0] == END:
                continue
            op, *args = self.code(t, thread)[thread[0]]
            if op in PLAIN_READS or op in PLAIN_WRITES:
                accesses.setdefault(args[0], []).append(op in PLAIN_WRITES)
        return {name for name, writes in accesses.items() if len(writes) > 1 and any(writes)}

    def explore(self, most):
        answer = Answer()
        first = self.initial()
        seen, left = {first}, [first]
        while left:
            state = left.pop()
            answer.races |= self.racing(state)
            over = True
            for t in range(len(self.codes)):
                for after in self.steps(state, t):
                    over = False
                    if after not in seen:
                        seen.add(after)
                        left.append(after)
            if len(seen) > most:
                raise TooMany
            if over and state[0][0][0] == END:
                answer.outputs.add(self.result(state))
            elif over:
                answer.stuck = True
        answer.states = len(seen)
        return answer
