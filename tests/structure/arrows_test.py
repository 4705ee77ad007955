#!/usr/bin/env python3
"""The one-way arrows between the folders of src/, checked over every #include, and the length of files.

  cli -> cluster -> (front ends, explore) -> enforce, process -> toolchain -> trace, store -> core -> base

The subfolders of plang and native have arrows of their own (INNER), and those of native/rt (RUNTIME). cli meets front ends in core/target.h: it includes only those of their headers
that its commands for one kind of program need (FOR_ONE_KIND). A folder includes itself, the public headers and what ARROWS allows; explore and the front ends meet in core only. The public
headers include each other and the standard library, nothing else. Run it by hand: tests/structure/arrows_test.py [ROOT]
"""

import os
import pathlib
import re
import sys
import tempfile

LONGEST = 600  # lines; at that length split by idea

BELOW = {"base", "core", "ltl", "store", "trace", "toolchain", "process"}
MIDDLE = {"explore", "plang", "native", "cppmodel", "enforce"}
ARROWS = {
    "base": set(),
    "core": {"base"},
    "ltl": {"base"},
    "store": {"core", "base"},
    "trace": {"core", "base"},
    "toolchain": {"trace", "core", "base"},
    "process": {"toolchain", "trace", "core", "base"},
    **{folder: BELOW for folder in MIDDLE},
    "native": BELOW | {"enforce"},  # what verifies writes down what enforcement reads
    "cluster": BELOW | MIDDLE,
    "cli": BELOW | MIDDLE | {"cluster"},
}
# Subfolders, and what each may include of its own folder. `target` is the front end as core/target.h has it: nothing includes it.
INNER = {
    "plang": {
        "syntax": set(),
        "project": {"syntax"},
        "sema": {"syntax"},
        "code": {"syntax", "sema", "vm"},  # values and foreign functions of the VM are part of the code
        "vm": {"syntax", "sema", "code", "foreign"},
        "foreign": {"sema", "code", "vm"},
        "trace": {"vm"},
        "target": {"project", "sema", "code", "vm", "foreign", "trace"},
    },
    "native": {"abi": set(), "races": set(), "cxx": set(), "pass": set(), "driver": {"abi"}, "rt": {"abi", "races"}, "target": {"abi", "driver"}},
    "cppmodel": {"target": set()},
}
# The layers of the runtime, as folders of native/rt: what everything stands on, the threads and what they did, the primitives and other calls that are taken
# over, the session. What a primitive keeps of each thread is a header of its folder that the threads may include, and that includes nothing but base.
PRIMITIVES = {"posix", "time", "effects", "calls"}
RUNTIME = {
    "base": set(),
    "threads": {"base"},
    **{folder: {"base", "threads"} | PRIMITIVES for folder in PRIMITIVES},
    "session": {"base", "threads"} | PRIMITIVES,
}
OF_THREAD = "_of_thread.h"
# The files of cli that may include a front end, because what they do is for one kind of program.
FOR_ONE_KIND = {"p.cc", "cc.cc", "build.cc", "run.cc", "verify.cc", "schedules.cc", "enforced_process.cc", "enforced_process.h"}
FRONT_ENDS = {"plang", "native", "cppmodel"}
# Base stands on nothing of ours, the public headers included.
WITHOUT_PUBLIC = {"base"}
# A library, by the first part of its headers' names, and the only folder that may include it.
CONFINED = {"llvm": "src/native/pass/", "llvm-c": "src/native/pass/", "clang": "src/native/pass/", "mpi.h": "src/cluster/"}

STANDARD = set(
    """algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits clocale
    cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib
    cstring ctime cuchar cwchar cwctype deque exception execution filesystem format forward_list fstream functional future
    initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new
    numbers numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location
    span sstream stack stdexcept stop_token streambuf string string_view strstream syncstream system_error thread tuple
    type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version""".split()
)

STANDARD.update({"stdint.h", "stdio.h", "stdlib.h"})  # C's own, for <tarry/test.h>
STANDARD.update({"emmintrin.h", "xmmintrin.h"})  # come with the compiler, as the standard library does. Not <immintrin.h>: it takes half a second to compile

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*(?:include|include_next|import)\b[ \t]*(.*)$", re.MULTILINE)
OPERAND = re.compile(r'<([^>]+)>|"([^"]+)"')


def includes(text):
    """Yields (line, name, is_quoted) of every #include; name is None if it cannot be read off."""
    text = COMMENT.sub(lambda match: "\n" * match.group().count("\n"), text)
    for match in INCLUDE.finditer(text):
        operand = OPERAND.match(match.group(1))
        line = text.count("\n", 0, match.start()) + 1
        if operand is None:
            yield line, None, False
        else:
            yield line, operand.group(1) or operand.group(2), operand.group(2) is not None


def judge(path, name, quoted):
    """What is wrong with the file at path including name, or None."""
    if name is None:
        return "an #include must name its file, so that it can be checked"
    first = name.split("/")[0]
    if first in CONFINED and not path.startswith(CONFINED[first]):
        return f"only {CONFINED[first]} may include '{name}'"
    if path.startswith("include/"):
        if quoted or not (first == "tarry" or name in STANDARD):
            return f"public headers include only <tarry/...> and the standard library, not '{name}'"
        return None
    folder = path.split("/")[1]
    if first == "tarry":
        return f"'{folder}' may not include public headers" if folder in WITHOUT_PUBLIC else None
    if not quoted:
        return f"'{name}' is ours: include it in quotes" if first in ARROWS and "/" in name else None
    if first in CONFINED:
        return None
    if first not in ARROWS or "/" not in name:
        return f"'{name}' must be written relative to src/, as in \"core/search.h\""
    if first != folder and first not in ARROWS[folder]:
        return f"'{folder}' may not include '{first}', but it includes '{name}'"
    if folder == "cli" and first in FRONT_ENDS and path.split("/")[-1] not in FOR_ONE_KIND:
        return f"'{path}' is for all kinds of programs: it may not include '{name}', but ask core/target.h"
    if first == folder and folder in INNER:
        return judge_inner(folder, path.split("/")[2:], name.split("/")[1:])
    return None


def judge_inner(folder, place, included):
    """The same within a folder whose subfolders have arrows; files directly in the folder stand below its subfolders."""
    if len(included) < 2:
        return None
    here = place[0] if len(place) > 1 else ""
    if folder == "native" and here == included[0] == "rt":
        return judge_layer(place[1:], included[1:])
    allowed = INNER[folder].get(here, set())
    if included[0] in (here, *allowed):
        return None
    return f"'{folder}/{here}' may not include '{folder}/{included[0]}'"


def judge_layer(place, included):
    """The same within the runtime, all of whose files are in folders."""
    for path in (place, included):
        if len(path) != 2 or path[0] not in RUNTIME:
            return f"'native/rt/{'/'.join(path)}' is in no layer of the runtime; a new folder is entered in RUNTIME"
    here, there = place[0], included[0]
    if place[1].endswith(OF_THREAD):
        return None if there == "base" else f"'{place[1]}' is included by the threads: it may not include 'native/rt/{'/'.join(included)}'"
    if there == here or there in RUNTIME[here] or (here == "threads" and included[1].endswith(OF_THREAD)):
        return None
    return f"'native/rt/{here}' may not include 'native/rt/{'/'.join(included)}'"


def check(root):
    """All violations in the tree at root, as file:line: error: …"""
    errors = []
    files = [file for top in ("src", "include") for file in sorted((root / top).rglob("*")) if file.is_file()]
    for file in files:
        path = file.relative_to(root).as_posix()
        text = file.read_text(encoding="utf-8", errors="replace")
        lines = text.count("\n") + (not text.endswith("\n"))
        if lines > LONGEST:
            errors.append(f"{path}:{lines}: error: {lines} lines, over {LONGEST}: split it by idea")
        if path.startswith("src/") and path.split("/")[1] not in ARROWS:
            errors.append(f"{path}:1: error: 'src/{path.split('/')[1]}' is no folder of ours; a new one is entered in ARROWS")
            continue
        for line, name, quoted in includes(text):
            wrong = judge(path, name, quoted)
            if wrong is not None:
                errors.append(f"{path}:{line}: error: {wrong}")
    return len(files), errors


# The check of the check: each file by itself, and whether it is to be refused.
PLANTED = [
    ("src/base/a.h", "#include <vector>\n#include <xxhash.h>\n", False),
    ("src/base/b.h", '#include "base/a.h"\n', False),
    ("src/base/c.h", '#include "core/search.h"\n', True),
    ("src/base/d.h", "#include <tarry/model.h>\n", True),
    ("src/core/a.h", '#include <tarry/model.h>\n#include "base/a.h"\n', False),
    ("src/core/b.h", '#include "store/table.h"\n', True),
    ("src/core/c.h", '  #  include "cli/options.h"\n', True),
    ("src/store/a.h", '#include "trace/file.h"\n', True),
    ("src/trace/a.h", '#include "store/table.h"\n', True),
    ("src/trace/render/a.cc", '#include "trace/file.h"\n', False),
    ("src/explore/searches/a.cc", '#include "store/table.h"\n#include "explore/frontier.h"\n', False),
    ("src/explore/searches/b.cc", '#include "cppmodel/load.h"\n', True),
    ("src/explore/searches/c.cc", '#include "plang/vm.h"\n', True),
    ("src/explore/searches/d.cc", '#include "native/abi.h"\n', True),
    ("src/explore/searches/e.cc", '#include "helper.h"\n', True),
    ("src/explore/searches/f.cc", '#include "../explorers/x.h"\n', True),
    ("src/explore/searches/g.cc", '/* #include "cli/x.h"\n#include "cli/y.h" */\n// #include "cli/z.h"\n', False),
    ("src/explore/searches/h.cc", "#include TARRY_WHATEVER\n", True),
    ("src/cppmodel/a.cc", '#include "explore/frontier.h"\n', True),
    ("src/cppmodel/b.cc", '#include "native/abi.h"\n', True),
    ("src/cppmodel/c.cc", "#include <core/search.h>\n", True),
    ("src/native/driver/a.cc", '#include "llvm/IR/Module.h"\n', True),
    ("src/native/pass/a.cc", '#include "llvm/IR/Module.h"\n#include <clang/AST/AST.h>\n', False),
    ("src/cluster/a.cc", '#include <mpi.h>\n#include "explore/frontier.h"\n', False),
    ("src/explore/i.cc", "#include <mpi.h>\n", True),
    ("src/cluster/b.cc", '#include "cli/options.h"\n', True),
    ("src/cli/a.cc", '#include "explore/frontier.h"\n#include "core/target.h"\n#include <CLI/CLI.hpp>\n', False),
    ("src/cli/check.cc", '#include "cppmodel/load.h"\n', True),
    ("src/cli/p.cc", '#include "plang/target/compiled_project.h"\n', False),
    ("src/process/a.cc", '#include "toolchain/explorer_file.h"\n#include "trace/exchange.h"\n', False),
    ("src/process/b.cc", '#include "cppmodel/load.h"\n', True),
    ("src/toolchain/a.cc", '#include "process/supervise.h"\n', True),
    ("src/trace/b.cc", '#include "process/supervise.h"\n', True),
    ("src/plang/target/a.cc", '#include "process/supervise.h"\n#include "plang/vm/step.h"\n', False),
    ("src/plang/syntax/a.cc", '#include "plang/sema/checked_program.h"\n', True),
    ("src/plang/vm/a.cc", '#include "plang/target/compiled_project.h"\n', True),
    ("src/native/rt/a.cc", '#include "native/driver/launch.h"\n', True),
    ("src/native/rt/base/a.cc", '#include "native/rt/base/b.h"\n#include "native/abi/protocol.h"\n', False),
    ("src/native/rt/base/b.cc", '#include "native/rt/threads/scheduler.h"\n', True),
    ("src/native/rt/threads/a.cc", '#include "native/rt/base/b.h"\n#include "native/rt/posix/signals_of_thread.h"\n', False),
    ("src/native/rt/threads/b.cc", '#include "native/rt/posix/signal.h"\n', True),
    ("src/native/rt/threads/c.cc", '#include "native/rt/session/execution.h"\n', True),
    ("src/native/rt/posix/a.cc", '#include "native/rt/time/clock.h"\n#include "native/rt/threads/scheduler.h"\n', False),
    ("src/native/rt/posix/b.cc", '#include "native/rt/session/session.h"\n', True),
    ("src/native/rt/posix/c_of_thread.h", '#include "native/rt/threads/scheduler.h"\n', True),
    ("src/native/rt/session/a.cc", '#include "native/rt/effects/gate.h"\n', False),
    ("src/native/rt/b.cc", '#include "native/rt/base/side.h"\n', True),
    ("src/native/driver/b.cc", '#include "native/target/thread_subject.h"\n', True),
    ("src/cppmodel/load.cc", '#include "cppmodel/target/x.h"\n', True),
    ("src/cppmodel/target/a.cc", '#include "cppmodel/load.h"\n', False),
    ("src/utils/a.h", "#pragma once\n", True),
    ("src/core/long.cc", "\n" * (LONGEST + 1), True),
    ("src/core/just.cc", "\n" * LONGEST, False),
    ("include/tarry/a.h", "#include <cstdint>\n#include <tarry/detail/b.h>\n", False),
    ("include/tarry/b.h", "#include <fmt/format.h>\n", True),
    ("include/tarry/c.h", '#include "core/search.h"\n', True),
    ("include/tarry/d.h", '#include "a.h"\n', True),
]


def self_test():
    for path, text, refused in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True)
            file.write_text(text, encoding="utf-8")
            _, errors = check(pathlib.Path(folder))
        if bool(errors) != refused:
            sys.exit(f"arrows_test: '{path}' with {text[:80]!r} should {'' if refused else 'not '}be refused, but: {errors}")
    return sum(refused for _, _, refused in PLANTED)


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SOURCE_DIR", here))
    planted = self_test()
    count, errors = check(root)
    print("\n".join(errors))
    if count == 0:
        sys.exit(f"arrows_test: there is nothing to check in '{root}'")
    print(f"arrows_test: {count} files, {len(errors)} violations; {planted} planted ones were all found")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
