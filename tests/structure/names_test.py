#!/usr/bin/env python3
"""A name stands for one thing: no two types of src/ and include/ have one name, no two files, and no two files of a folder have names that a reader confuses.

Names that are shared all the same are listed below, with the reason. The lists only shrink: an entry that is no longer needed fails the test, too.
"""

import collections
import os
import pathlib
import re
import sys
import tempfile

# Both sides of a C interface, the engine's type being made of the interface's.
OF_THE_INTERFACE = {"Expansion", "Survey", "Taken", "Outcome"}
# Words of P or of C++, which the two front ends and the public headers take over as they are.
OF_THE_LANGUAGES = {"Event", "Machine", "Module", "Place", "Value", "Object", "Order", "Op"}
# The runtimes inside tested and enforced programs, which nothing outside includes.
OF_THE_RUNTIMES = {"Block", "Failure", "LogEntry", "Pages", "Pool", "Step", "Where", "Phase"}
SHARED_TYPES = OF_THE_INTERFACE | OF_THE_LANGUAGES | OF_THE_RUNTIMES
SHARED_FILES = {
    "execution.h", "footprint.h", "futex.cc", "library_counts.cc", "main.cc", "modules.cc", "modules.h", "output.cc", "random.cc", "raw.h", "real.h", "spin.cc", "text.h", "tsan.cc",
}  # fmt: skip
# Statements and states are P's own words.
CONFUSED = {("parse_statements", "parse_states")}

OPENS = re.compile(r"(?:inline )?namespace ([\w:]*) ?\{")
CLOSES = re.compile(r"\}  // namespace")
TYPE = re.compile(r"(?:struct|class|enum class|enum|union)\s+(?:\[\[.*?\]\]\s*|alignas\(.*?\)\s*)?(\w+)\s*(?:final\s*)?(?::(?!:)|\{)")


def types(path):
    """The types that a file defines for others: not within another type, not in a namespace without a name."""
    spaces = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if opens := OPENS.match(line):
            spaces.append(opens.group(1))
        elif CLOSES.match(line):
            spaces and spaces.pop()
        elif (found := TYPE.match(line)) and "" not in spaces:
            yield found.group(1)


def are_confused(a, b):
    """sync and synchronization, value and values, declare and declarations: one is the start of the other, or nearly."""
    short, long = sorted((a, b), key=len)
    common = len(os.path.commonprefix([a, b]))
    return common >= max(4, len(short) - 1) and "_" not in long[common:] and (common == len(short) or len(long) > len(short) + 2)


def check(root, shared_types=frozenset(), shared_files=frozenset(), confused=frozenset()):
    """All names of more than one thing, and all entries of the lists that are not needed."""
    by_type, by_name, by_folder = (collections.defaultdict(set) for _ in range(3))
    for top in ("src", "include"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cc"):
                continue
            place = str(path.relative_to(root))
            by_name[path.name].add(place)
            by_folder[path.parent].add(path.stem)
            for name in types(path):
                by_type[name].add(place)
    twice_types = {name for name, places in by_type.items() if len(places) > 1}
    twice_files = {name for name, places in by_name.items() if len(places) > 1}
    pairs = {(a, b) for stems in by_folder.values() for a in stems for b in stems if a < b and are_confused(a, b)}
    wrong = [f"type {name}: {', '.join(sorted(by_type[name]))}" for name in sorted(twice_types - shared_types)]
    wrong += [f"file {name}: {', '.join(sorted(by_name[name]))}" for name in sorted(twice_files - shared_files)]
    wrong += [f"files that a reader confuses: {a} and {b}" for a, b in sorted(pairs - confused)]
    wrong += [f"{name} is shared no longer: take it off the list" for name in sorted((shared_types - twice_types) | (shared_files - twice_files))]
    return wrong


def notices():
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for folder in ("src/a", "src/b", "include"):
            (root / folder).mkdir(parents=True)
        (root / "src/a/gate.h").write_text("namespace tarry {\nstruct Program {\n};\nnamespace {\nstruct Own {\n};\n}  // namespace\n}  // namespace tarry\n", encoding="utf-8")
        (root / "src/b/gate.h").write_text("namespace tarry::b {\nclass Program final : X {\n};\n}  // namespace tarry::b\n", encoding="utf-8")
        for stem in ("value", "values", "sync", "synchronization", "declare", "declarations", "space", "spawn"):
            (root / f"src/b/{stem}.cc").write_text("namespace {\nstruct Own {\n};\n}  // namespace\n", encoding="utf-8")
        found = check(root, frozenset({"Gone"}))
        return found == [
            "type Program: src/a/gate.h, src/b/gate.h",
            "file gate.h: src/a/gate.h, src/b/gate.h",
            "files that a reader confuses: declarations and declare",
            "files that a reader confuses: sync and synchronization",
            "files that a reader confuses: value and values",
            "Gone is shared no longer: take it off the list",
        ] or found


def main():
    if (seen := notices()) is not True:
        print("names_test: does not notice what it is to notice:", *seen, sep="\n")
        return 1
    root = pathlib.Path(os.environ.get("SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
    wrong = check(root, SHARED_TYPES, SHARED_FILES, CONFUSED)
    print("\n".join([*wrong, f"{len(wrong)} names stand for more than one thing"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
