#!/usr/bin/env python3
"""The runtime's state has one owner (src/native/rt/base/runtime.h): a variable beside its parts is on the list below, with the reason, or fails the test.

Looks at the sources of src/native/rt for variables of namespaces, of classes and of functions (static) that can change. What is looked up once and never
changes (`static auto* const`) is none. Also: each part that is listed has its room in one file, and what has a room is listed.
"""

import collections
import os
import pathlib
import re
import sys

FOLDER = "src/native/rt"
# Where it is, what it is called, and why it is no member of a part.
ALLOWED = {
    ("base/side.h", "g_side"): "whose code runs: asked first by every function that is taken over, also ahead of all else",
    ("threads/happened.h", "g_watch"): "another name of a part, no variable",
    ("threads/own_memory.cc", "g_mark_in_data"): "the mark of the section .data",
    ("threads/own_memory.cc", "g_mark_in_zeros"): "the mark of the section .bss",
    ("base/context.cc", "tarry_rt_no_fsgsbase"): "read by the assembly of a switch",
    ("session/debugger.cc", "tarry_rt_threads"): "read by gdb, by this name",
    ("session/debugger.cc", "tarry_rt_failed"): "read by gdb, by this name",
    ("calls/library_calls.cc", "tarry_library_result"): "read by the assembly of a stub",
    ("calls/libatomic.cc", "taken"): "a lock between real threads, where nothing is controlled",
    ("calls/annotations.cc", "fiber"): "has an address and no contents",
    ("posix/exit.cc", "exception"): "of the program's thread that unwinds, in its own storage",
}

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
ASSEMBLY = re.compile(r'R"\(.*?\)"', re.DOTALL)
CONSTANT = re.compile(r"\bconstexpr\b|\*\s*const\b|\bconst\s+[\w:]+\s+\w+\s*[=;{(]|\bconst auto\b|\bauto const\b|^(?:static\s+|inline\s+)*const\s+(?!.*\*)")
NOT_A_VARIABLE = re.compile(
    r"^(?:using|typedef|(?:inline )?namespace|template|concept|return|struct|class|enum|union|friend|static_assert|extern \"C\"|asm|else|case|default|public|private|goto|#|\}|TARRY_|__extension__)"
)
# A type, a name, and what a variable may go on with.
VARIABLE = re.compile(r"^(?P<type>(?:[\w:]+(?:<.*>)?(?:\s*[*&]+\s*|\s+))+)(?P<name>(?:\w+::)?\w+)(?:\s*\[[^\]]*\])*\s*(?:=[^=].*|\{.*|;.*|,.*)$")
GLOBAL = re.compile(r"\bg_\w+")


def variables(text):
    """Yields (line number, name) of what can change and is neither local nor a member."""
    text = COMMENT.sub(lambda match: "\n" * match.group().count("\n"), text)
    text = ASSEMBLY.sub(lambda match: "\n" * match.group().count("\n"), text)
    for number, line in enumerate(text.splitlines(), 1):
        indented = line.startswith((" ", "\t"))
        line = line.strip()
        if indented and not re.match(r"(?:inline\s+)?static\b", line):
            continue
        line = re.sub(r"__attribute__\(\(.*?\)\)+\s*|alignas\(.*?\)\s*|\[\[.*?\]\]\s*", "", line)
        if not line or NOT_A_VARIABLE.match(line) or CONSTANT.search(line.split("=")[0] + "=") or line.startswith("extern "):
            continue
        if match := VARIABLE.match(line):
            if "operator" in match.group("name") or match.group("type").split()[0] in ("return", "delete", "throw", "if"):
                continue
            yield number, match.group("name").split("::")[-1]


def check(root, allowed):
    """What is wrong in the tree at root, and which entries of the list were needed."""
    wrong, needed = [], set()
    rooms = collections.defaultdict(list)
    for path in sorted((root / FOLDER).rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        place, text = path.relative_to(root / FOLDER).as_posix(), path.read_text(encoding="utf-8")
        for part in re.findall(r"^template struct RoomOf<(\w+)>;", text, re.MULTILINE):
            rooms[part].append(place)
        for number, name in variables(text):
            if name == "part" and place in ("base/part.h", "base/runtime.h"):
                continue  # the parts themselves
            if (place, name) in allowed:
                needed.add((place, name))
            else:
                wrong.append(f"{FOLDER}/{place}:{number}: '{name}' is state beside the parts of the runtime: make it a member of one (runtime.h)")
        for match in GLOBAL.finditer(COMMENT.sub("", text)):
            if (place, match.group()) in allowed:
                needed.add((place, match.group()))
            elif match.group() not in {name for _, name in allowed}:
                wrong.append(f"{FOLDER}/{place}: '{match.group()}' has the name of a global variable, which is not on the list")
    return wrong, needed, rooms


def listed_parts(root):
    """The parts that runtime.h lists, in their order."""
    text = COMMENT.sub("", (root / FOLDER / "base" / "runtime.h").read_text(encoding="utf-8"))
    lists = re.findall(r"using \w+ = Parts<(.*?)>;", text, re.DOTALL)
    return [name.strip() for one in lists for name in one.split(",")]


# The check of the check: a line, and the name of the variable that is found in it.
PLANTED = [
    ("bool g_seen = false;", "g_seen"),
    ("std::vector<int> all;", "all"),
    ("std::map<int, std::vector<long>> all_of_it;", "all_of_it"),
    ("inline Side side{};", "side"),
    ("char* where = nullptr;", "where"),
    ("std::array<char, 8> rooms{};", "rooms"),
    ("unsigned char room[sizeof(int)];", "room"),
    ("  static std::vector<int> all;", "all"),
    ("  static int known = -1;", "known"),
    ("bool Lock::taken = false;", "taken"),
    ("  int local = 3;", None),
    ("constexpr int kMost = 3;", None),
    ("const char* const kText = \"x\";", None),
    ("  static auto* const real = find();", None),
    ("  static constexpr std::uint32_t kMost = 3;", None),
    ("  static void reset();", None),
    ("void f(int a);", None),
    ("bool f() { return true; }", None),
    ("using T = int;", None),
    ("extern Side side;", None),
    ("template struct RoomOf<Seals>;", None),
]  # fmt: skip


def main():
    for line, expected in PLANTED:
        found = [name for _, name in variables(line + "\n")]
        if found != ([expected] if expected else []):
            sys.exit(f"globals_test: found {found} in {line!r}, not {expected}")
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
    wrong, needed, rooms = check(root, ALLOWED)
    wrong += [f"'{name}' of {place} is not there: take it off the list" for place, name in sorted(set(ALLOWED) - needed)]
    parts = listed_parts(root)
    wrong += [f"the part '{part}' is in no file, or in several" for part in parts if len(rooms[part]) != 1]
    wrong += [f"the part '{part}' of {places} is not listed in runtime.h" for part, places in sorted(rooms.items()) if part not in parts]
    print("\n".join(wrong))
    print(f"globals_test: {len(parts)} parts, {len(needed)} variables beside them, {len(wrong)} violations; {len(PLANTED)} planted lines were judged right")
    return 1 if wrong or len(parts) < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
