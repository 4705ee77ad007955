"""The commands that `tarry replay --gdb` adds to gdb.

  tarry threads         all threads of the program: number, name, what each is doing, and its backtrace
  tarry thread N        goes to thread N: bt, up, print work in it (not while the program runs on)
  tarry failure         goes back to where it failed

The runtime runs all threads of the program on one thread of the kernel, so gdb's own `info threads` cannot tell them apart.
"""
import gdb

STATES = ["unused", "ready", "running", "waits", "ended"]


REGISTERS = {"rip": "rip", "rsp": "rsp", "rbp": "rbp", "fs_base": "fsbase"}  # of gdb, and where the runtime keeps them


def table():
    """(id, state, registers, name) of every thread that there is or was."""
    try:
        if VISITS.now is None:  # the program may have gone on since it last stopped
            gdb.parse_and_eval("(void)tarry_rt_list_threads()")
        array = gdb.parse_and_eval("tarry_rt_threads")
    except gdb.error:
        raise gdb.GdbError("the runtime of Tarry is not in this program, or the program has not started")
    first, last = array.type.range()
    for i in range(first, last + 1):
        thread = array[i]
        if int(thread["state"]) != 0:
            registers = {name: int(thread[field]) for name, field in REGISTERS.items()}
            yield int(thread["id"]), int(thread["state"]), registers, thread["name"].string(errors="replace")


class Visit:
    """The registers of a thread that does not run, for as long as something is looked at. All others are on its stack."""

    def __init__(self, registers):
        self.registers = {name: value for name, value in registers.items() if value or name != "fs_base"}

    def __enter__(self):
        gdb.newest_frame().select()  # registers of others are what they saved: those would be changed on the stack
        self.before = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in self.registers}
        self.put(self.registers)

    def __exit__(self, *_):
        self.put(self.before)

    @staticmethod
    def put(registers):
        gdb.newest_frame().select()
        for name, value in registers.items():
            gdb.execute(f"set ${name} = {value}", to_string=True)


class Visits:
    """The thread that was gone to, until it is left."""

    now = None

    def leave(self):
        if self.now is not None:
            self.now.__exit__()
            self.now = None

    def go_to(self, registers):
        self.leave()
        self.now = Visit(registers)
        self.now.__enter__()


VISITS = Visits()


def in_runtime(frame):
    return (gdb.solib_name(frame.pc()) or "").endswith(("/libtarry_rt.so", "/libtarry_cxx.so"))


def is_users(frame):
    """With a source, and that neither Tarry's nor the system's."""
    place = frame.find_sal()
    return not in_runtime(frame) and place.symtab is not None and not place.symtab.fullname().startswith("/usr/")


class WithoutRuntime:
    """A frame filter: backtraces leave out what is Tarry's (`bt -no-filters` shows it)."""

    name, priority, enabled = "tarry", 100, True

    def filter(self, frames):
        return (frame for frame in frames if not in_runtime(frame.inferior_frame()))


def go_to_program():
    """Selects the innermost frame of the user's own; if there is none, the innermost that is not Tarry's."""
    frames = []
    frame = gdb.newest_frame()
    while frame is not None:
        frames.append(frame)
        frame = frame.older()
    for wanted in (is_users, lambda one: not in_runtime(one)):
        for frame in frames:
            if wanted(frame):
                return frame.select()


class Tarry(gdb.Command):
    """Commands of Tarry: tarry threads, tarry thread N, tarry failure."""

    def __init__(self):
        super().__init__("tarry", gdb.COMMAND_STACK, gdb.COMPLETE_NONE, True)


class Threads(gdb.Command):
    """Shows all threads of the program with their backtraces; `tarry threads 3` shows three frames each."""

    def __init__(self):
        super().__init__("tarry threads", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        frames = int(argument) if argument.strip() else 16
        for number, state, registers, name in table():
            name = name or ("main" if number == 0 else "")
            print(f"thread {number}{' (' + name + ')' if name else ''}: {STATES[state] if state < len(STATES) else state}")
            if state == 2:
                gdb.execute(f"bt {frames}")
            elif state != 4 and registers["rsp"]:
                with Visit(registers):
                    gdb.execute(f"bt {frames}")
        go_to_program()


def go_to_thread(wanted):
    VISITS.leave()
    for number, state, registers, _ in table():
        if number == wanted:
            if state == 4:
                raise gdb.GdbError(f"thread {number} has ended")
            if state != 2:
                VISITS.go_to(registers)
            return go_to_program()
    raise gdb.GdbError(f"there is no thread {wanted}; see 'tarry threads'")


class Thread(gdb.Command):
    """Goes to a thread of the program, by its number in `tarry threads`; `tarry thread` alone goes back to the one that runs."""

    def __init__(self):
        super().__init__("tarry thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if not argument.strip():
            return VISITS.leave()
        go_to_thread(int(argument))
        gdb.execute("bt 8")


class Failed(gdb.Command):
    """Goes to where the program failed: to the thread that did, and there to the innermost frame of its own code."""

    def __init__(self):
        super().__init__("tarry failure", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if gdb.selected_inferior().pid == 0:
            raise gdb.GdbError("the program has ended")
        failed = int(gdb.parse_and_eval("tarry_rt_failed"))
        VISITS.leave()
        if failed >= 0:
            print(f"thread {failed}{' (main)' if failed == 0 else ''}:")
            go_to_thread(failed)
        else:  # before Tarry has seen a failure: GoogleTest has, or a step does not end
            go_to_program()
        gdb.execute("frame")


gdb.frame_filters[WithoutRuntime.name] = WithoutRuntime()
Tarry()
Threads()
Thread()
Failed()
gdb.execute("set startup-with-shell off")
gdb.execute("set print thread-events off")
for signal in ("SIGSYS", "SIGSEGV"):  # the runtime's own business; after a crash of the program it stops with SIGTRAP
    gdb.execute(f"handle {signal} nostop noprint pass", to_string=True)
