#!/usr/bin/env python3
"""C++ libraries from Debian's source packages: their tests, built through `tarry c++`, have the recorded verdicts. Programs of this machine
(bash, ls, sort, xz) write under control what they write without.

The sources come from Debian's mirror ($DEBIAN_MIRROR) and are kept in $BUILD_DIR/debian; without network they are skipped.
"""

import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "slow_native" / "debian"))
import sources  # noqa: E402

TARRY = sources.TARRY
HERE = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "slow_native" / "debian"
os.environ["LANG"] = "C.UTF-8"
os.environ.pop("LC_ALL", None)

LEVELDB = [
    TARRY, "c++", "-std=c++17", "-O1", "-I.", "-Iinclude", "-DLEVELDB_PLATFORM_POSIX=1", "-DHAVE_FDATASYNC=1", "-DHAVE_FULLFSYNC=0", "-DHAVE_O_CLOEXEC=1",
    "-DHAVE_CRC32C=0", "-DHAVE_SNAPPY=0", *(f"util/{name}.cc" for name in ("arena", "coding", "env", "env_posix", "hash", "logging", "status", "testutil")),
]  # fmt: skip
RWQ = ["--disable-prompt", "--run"]

# package: the file in the mirror's pool, its SHA-256, changes of the sources (file, text, other text), how it is built in its folder, its checks:
# program, options, arguments, the verdict. A verdict is "verified", "none" (no finding; whether the search ends depends on the machine), or
# a dictionary: kind of a finding: a regular expression that each of its messages matches. The first kind must be found.
PACKAGES = {
    # Rounds of a loop are reduced from a million to three. The search of the "blocking" test finds a loop in
    # LightweightSemaphore::waitWithPartialSpinning that takes and gives back the count until the writer has posted the semaphore, and
    # never yields to the writer. The loop is there; it ends as soon as the writer goes on.
    "readerwriterqueue": (
        "main/r/readerwriterqueue/readerwriterqueue_1.0.6.orig.tar.gz", "fc68f55bbd49a8b646462695e1777fb8f2c0b4f342d5e6574135211312ba56c1",
        [("tests/unittests/unittests.cpp", "1000000;", "3;"), ("tests/unittests/unittests.cpp", "100000;", "3;")],
        [[TARRY, "build", "--", "make", "-C", "tests/unittests"]],
        [
            ("tests/unittests/unittests", [], [*RWQ, "threaded"], "verified"),
            ("tests/unittests/unittests", [], [*RWQ, "peek"], "verified"),
            ("tests/unittests/unittests", [], [*RWQ, "pop"], "verified"),
            ("tests/unittests/unittests", ["--time", "10s"], [*RWQ, "size_approx"], "none"),
            ("tests/unittests/unittests", [], [*RWQ, "blocking"], {"good-samaritan": "without ever yielding"}),
            ("tests/unittests/unittests", ["-s", "3"], [*RWQ, "blocking_circular_buffer"], "none"),
        ],
    ),
    # The reader of the skip list reads until it is told to stop, without a wait: random schedules end, others need not.
    "leveldb": (
        "main/l/leveldb/leveldb_1.23.orig.tar.gz", "9a37f8a6174f09bd622bc723b55881dc541cd50747cbd08831c2a82d620f6d76",
        [("db/skiplist_test.cc", "const int N = 1000;", "const int N = 1;"), ("db/skiplist_test.cc", "const int kSize = 1000;", "const int kSize = 3;")],
        [
            [*LEVELDB, "util/env_test.cc", "-lgmock", "-lgtest", "-o", "env_test"],
            [*LEVELDB, "db/skiplist_test.cc", "-lgmock", "-lgtest", "-o", "skiplist_test"],
        ],
        [
            ("env_test", ["-tc", "EnvTest.StartThread"], [], "verified"),
            ("env_test", ["-tc", "EnvTest.RunImmediately"], [], "verified"),
            ("env_test", ["-tc", "EnvTest.RunMany", "--time", "10s"], [], "none"),
            ("skiplist_test", ["-tc", "SkipTest.Concurrent1", "-s", "100"], [], "none"),
        ],
    ),
    # Both kinds of findings are bugs of the library by the memory model of C++, which processors of x86-64 hide:
    # - smr::alloc_thread_data takes the record of a thread that has ended by a relaxed compare-exchange (hp.cpp:270), so what that thread
    #   wrote to the record is not ordered before;
    # - smr::inplace_scan reads hazard pointers relaxed (hp.cpp:381), so the last access of a reader that has just cleared its pointer is not
    #   ordered before the free.
    "libcds": (
        "main/libc/libcds/libcds_2.3.3.orig.tar.gz", "f090380ecd6b63a3c2b2f0bdb27260de2ccb22486ef7f47cc1175b70c6e4e388", [],
        [[TARRY, "c++", "-std=c++17", "-O1", "-I.", str(HERE / "libcds.cpp"), *(f"src/{name}.cpp" for name in ("init", "hp", "dhp", "thread_data", "topology_linux",
          "urcu_gp", "urcu_sh")), "-o", "libcds_test"]],
        [
            ("libcds_test", ["--time", "10s"], ["vyukov"], "none"),
            ("libcds_test", ["--time", "10s"], ["msqueue"], {"data-race": r"(gc/hp\.h|retired_ptr\.h|src/hp\.cpp):", "memory": r"a free by .*retired_ptr\.h:71"}),
            ("libcds_test", ["--time", "10s"], ["stack"], {"data-race": r"(gc/hp\.h|retired_ptr\.h|src/hp\.cpp):", "memory": r"a free by .*retired_ptr\.h:71"}),
        ],
    ),
    # Threads are fewer, and a mutex looks twice instead of 250 times before it yields. Threads that are made and joined before main are
    # outside of what Tarry controls, so that part of the lifetime test is left out.
    "abseil": (
        "main/a/abseil/abseil_20220623.1.orig.tar.gz", "abfe2897f3a30edaa74bc34365afe3c2a3cd012091a97dc7e008f7016adcd5fe",
        [
            ("absl/synchronization/mutex.cc", "[AGGRESSIVE] = 5000", "[AGGRESSIVE] = 2"),
            ("absl/synchronization/mutex.cc", "[GENTLE] = 250", "[GENTLE] = 2"),
            ("absl/synchronization/mutex.cc", "num_cpus > 1 ? 1500 : 0", "2"),
            ("absl/synchronization/blocking_counter_test.cc", "num_workers = 10", "num_workers = 2"),
            ("absl/synchronization/notification_test.cc", "kNumThreads = 10", "kNumThreads = 2"),
            ("absl/synchronization/lifetime_test.cc", "OnConstruction test_early_const_init([] {\n  RunTests(&early_const_init_mutex, nullptr);\n});", ""),
        ],
        [["make", "-j2", "-f", str(HERE / "abseil.mk"), f"CXX={TARRY} c++"]],
        [
            ("lifetime_test", ["--time", "10s", "--expect-exit", "0"], [], "none"),
            ("notification_test", ["--time", "10s"], [], "none"),
            ("blocking_counter_test", ["-tc", "BlockingCounterTest.BasicFunctionality", "--time", "10s"], [], "none"),
        ],
    ),
}  # fmt: skip

# sort starts a thread for more than 131,072 lines only.
LINES = [b"%d \xc3\xa4\n" % (7919 * i % 140_000) for i in range(140_000)]

# program: its arguments ("FILE" holds LINES), what its output must be, at least how many steps an execution has.
INSTALLED = {
    "bash": (["-c", 'for word in b a "\u00e4"; do echo "$word"; done; x=$((6 * 7)); [[ $x == 42 ]] && printf "%s\\n" "${#word}"'], lambda out: out == b"b\na\n\xc3\xa4\n1", 1),
    "ls": (["-1", "FILE"], lambda out: out == b"FILE", 1),
    "sort": (["--parallel=2", "FILE"], lambda out: out.splitlines() == [line[:-1] for line in sorted(LINES)], 40),
    "xz": (["-T2", "-0", "--block-size=1MiB", "-c", "FILE"], lambda out: lzma.decompress(out) == b"".join(LINES), 20),
}


def change(source, changes):
    for name, text, other in changes:
        path = source / name
        content = path.read_text()
        if text not in content:
            raise sources.Wrong(f"{name} has no '{text}'")
        path.write_text(content.replace(text, other))


def verdict_of(program, options, arguments, folder):
    limits = ["--time", "60s", "--memory", "1G"]
    command = [TARRY, "check", program, "--json", "--no-progress", *limits, *options, "--", *arguments]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode not in (0, 1):
        raise sources.Wrong(f"exit code {done.returncode}: {done.stdout[-1000:]}{done.stderr[-1000:]}")
    return json.loads(done.stdout)


def check_package(name, folder):
    path, checksum, changes, commands, checks = PACKAGES[name]
    source = sources.unpack(name, sources.source_of(path, checksum), folder)
    change(source, changes)
    for command in commands:
        sources.run(command, source)
    wrong = []
    for program, options, arguments, expected in checks:
        title = " ".join([name + ":", program, *options, *arguments])
        answer = verdict_of(source / program, options, arguments, folder)
        found = [(finding["kind"], finding["message"]) for finding in answer["findings"]]
        print(f"{title}: {answer['verdict_text']} ({answer['executions']} executions, {answer['seconds']:.1f} s)", flush=True)
        if not as_recorded(answer["verdict"], found, expected):
            wrong.append(f"{title}: {answer['verdict']} {found} instead of {expected}")
    if wrong:
        raise sources.Wrong("\n".join(wrong))


def as_recorded(verdict, found, expected):
    if not isinstance(expected, dict):
        return not found and (expected == "none" or verdict == expected)
    explained = all(kind in expected and re.search(expected[kind], message) for kind, message in found)
    return explained and next(iter(expected)) in {kind for kind, _ in found}


def check_installed(name, folder):
    program = shutil.which(name)
    if program is None:
        raise sources.NotThere("not installed")
    arguments, right, steps = INSTALLED[name]
    (folder / "FILE").write_bytes(b"".join(LINES))
    out = sources.outputs_under_control(pathlib.Path(program), folder, arguments, steps)
    if not right(out):
        raise sources.Wrong(f"it writes {out[:300]} … {out[-300:]}")
    print(f"{name}: {len(out)} bytes as expected")


def check(name, folder):
    (check_package if name in PACKAGES else check_installed)(name, folder)


if __name__ == "__main__":
    sys.exit(sources.exit_code(sys.argv[1:] or [*INSTALLED, *PACKAGES], check))
