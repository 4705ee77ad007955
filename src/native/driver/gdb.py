"""The commands that `tarry replay --gdb` adds to gdb.

  tarry threads         all threads of the program: number, name, what each is doing, and its backtrace
  tarry thread N        goes to thread N: bt, up, print work in it (not while the program runs on)

The runtime runs all threads of the program on one thread of the kernel, so gdb's own `info threads` cannot tell them apart.
"""
import gdb

STATES = ["unused", "ready", "running", "waits", "ended"]


REGISTERS = {"rip": "rip", "rsp": "rsp", "rbp": "rbp", "fs_base": "fsbase"}  # of gdb, and where the runtime keeps them


def table():
    """(id, state, registers, name) of every thread that there is or was."""
    try:
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
        self.before = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in self.registers}
        self.put(self.registers)

    def __exit__(self, *_):
        self.put(self.before)

    @staticmethod
    def put(registers):
        for name, value in registers.items():
            gdb.execute(f"set ${name} = {value}", to_string=True)


def in_runtime(frame):
    return (gdb.solib_name(frame.pc()) or "").endswith("/libtarry_rt.so")


class WithoutRuntime:
    """A frame filter: backtraces leave out what is Tarry's (`bt -no-filters` shows it)."""

    name, priority, enabled = "tarry", 100, True

    def filter(self, frames):
        return (frame for frame in frames if not in_runtime(frame.inferior_frame()))


def go_to_program():
    """Selects the innermost frame that is not Tarry's."""
    frame = gdb.newest_frame()
    while frame is not None and in_runtime(frame):
        frame = frame.older()
    if frame is not None:
        frame.select()


class Tarry(gdb.Command):
    """Commands of Tarry: tarry threads, tarry thread N."""

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


class Thread(gdb.Command):
    """Goes to a thread of the program, by its number in `tarry threads`; `tarry thread` alone goes back to the one that runs."""

    def __init__(self):
        super().__init__("tarry thread", gdb.COMMAND_STACK)
        self.visit = None

    def invoke(self, argument, from_tty):
        if self.visit:
            self.visit.__exit__()
            self.visit = None
        if not argument.strip():
            return
        for number, state, registers, name in table():
            if number == int(argument):
                if state == 4:
                    raise gdb.GdbError(f"thread {number} has ended")
                if state != 2:
                    self.visit = Visit(registers)
                    self.visit.__enter__()
                go_to_program()
                gdb.execute("bt 8")
                return
        raise gdb.GdbError(f"there is no thread {argument}; see 'tarry threads'")


gdb.frame_filters[WithoutRuntime.name] = WithoutRuntime()
Tarry()
Threads()
Thread()
gdb.execute("set startup-with-shell off")
gdb.execute("set print thread-events off")
for signal in ("SIGSYS", "SIGSEGV"):  # the runtime's own business; after a crash of the program it stops with SIGTRAP
    gdb.execute(f"handle {signal} nostop noprint pass", to_string=True)
