#!/usr/bin/env python3
"""Programs of 'tarry c++ --enforce': plain accesses behind flags. The sets are those of programs with a call at every access, and the runs adhere to them."""

import collections
import os
import pathlib
import re
import shutil
import sys

from adherence import first_that_adheres, runs_of
from common import PROGRAMS, SOURCE, TARRY, Folder, call, run, shown, traces, verify

LIBRARIES = pathlib.Path(TARRY).parent.parent / "lib"
VERSIONS = sorted(int(re.search(r"\d+", file.stem).group()) for file in LIBRARIES.glob("libtarry_pass_*.so"))


def version_of(clang):
    return int(re.search(r"clang version (\d+)", call(clang, "--version").stdout).group(1)) if shutil.which(clang) else 0


CLANGS = [clang for clang in ("clang++", *(f"clang++-{version}" for version in VERSIONS)) if version_of(clang) in VERSIONS]
CLANG = CLANGS[0] if CLANGS else None
NO_CHOICE = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX", "TARRY_CC", "TARRY_CXX")}


def compiled(source, out, *flags, enforce=True, clang=None):
    done = call(TARRY, "c++", *(["--enforce"] if enforce else []), "-std=c++20", source, "-o", out, "-pthread", *flags, env={**NO_CHOICE, "TARRY_CXX": clang or CLANG})
    assert done.returncode == 0, done.stderr
    return out


def words(file):
    """The traces without places and addresses on heaps: what each thread does, in the order of the word."""
    schedules = shown(file)
    labels = schedules["labels"]
    return sorted([(labels[i]["thread"], labels[i]["kind"], labels[i]["size"]) for i in trace] for trace in schedules["traces"])


def repeat(folder, program, file, times):
    log = folder / "log"
    log.unlink(missing_ok=True)
    outputs = collections.Counter()
    for i in range(times):
        done = run(file, program, "--log", log, "--disturb", "150", "--seed", i + 1)
        assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
        outputs[done.stdout] += 1
    schedules = shown(file)
    for events, _, verified in runs_of(log):
        assert verified and first_that_adheres(events, schedules) is not None, events
    return outputs


def test_both_ways_of_compiling_give_the_same_sets():
    for name, flags in (("overdrawn", "-O2"), ("two_orders", "-O0"), ("store_buffering", "-O2"), ("racing", "-O0"), ("racing", "-O2"), ("counter", "-O1")):
        source = next(PROGRAMS.glob(name + ".c*"))
        with Folder() as folder:
            language = ["-x", "c++"] if source.suffix == ".c" else []
            sets = []
            for enforce in (False, True):
                program = folder / f"program{enforce}"
                done = call(TARRY, "c++", *(["--enforce"] if enforce else []), "-std=c++20", flags, *language, source, "-o", program, "-pthread", env={**NO_CHOICE, "TARRY_CXX": CLANG})
                assert done.returncode == 0, done.stderr
                verify(program, folder / f"set{enforce}", "--free-runs", "0")
                sets.append((words(folder / f"set{enforce}"), shown(folder / f"set{enforce}")["complete"]))
            assert sets[0] == sets[1] and len(sets[0][0]) > 1, (name, flags, [len(each) for each, _ in sets], sets)
            assert shown(folder / "setFalse")["sites"] == [] and bool(shown(folder / "setTrue")["sites"]) == bool(shown(folder / "setTrue")["points"]), name


def test_a_racing_access_is_enforced_and_another_one_costs_its_flag():
    for optimization in ("-O0", "-O2", "-O3"):
        with Folder() as folder:
            program, file = compiled(PROGRAMS / "flags.cpp", folder / "flags", optimization), folder / "set"
            # No flag is set without Tarry.
            assert ", 0 of many" in call(program).stdout
            said = verify(program, file)
            # Of the four orders of two reads and two writes two lose nothing, and there are two of the lock. Only the read and the write in `count` race.
            assert "left out: crash" in said and traces(file) == 2 * 2, (traces(file), said)
            assert len(shown(file)["sites"]) == len(shown(file)["points"]) == 2, shown(file)["sites"]
            assert repeat(folder, program, file, 40) == {"2 31, 2 of many\n": 40}


def test_copies_and_vectors_are_accesses():
    avx = "avx2" in pathlib.Path("/proc/cpuinfo").read_text()
    for flags in (["-O0"], ["-O2"], ["-O3", "-mavx2"] if avx else ["-O3"]):
        with Folder() as folder:
            program, file = compiled(PROGRAMS / "copies.cpp", folder / "copies", *flags), folder / "set"
            said = verify(program, file, "--free-runs", "0")
            assert shown(file)["complete"] and traces(file) >= 2, said
            outputs = repeat(folder, program, file, 40)
            assert outputs.keys() <= {"1 4\n", "2 4\n"}, outputs


def test_long_copies_and_fills_are_enforced():
    with Folder() as folder:
        source = folder / "long.cpp"
        source.write_text("""#include <cstdio>
#include <cstring>
#include <thread>
char from[4000], to[4000];
__attribute__((noinline)) void copy(unsigned long n) { std::memcpy(to, from, n); }
__attribute__((noinline)) void fill(unsigned long n) { std::memset(from, 1, n); }
int main(int argc, char**) {
  std::thread one([&] { copy(3999ul + argc - 1); }), two([&] { fill(3999ul + argc - 1); });
  one.join(), two.join();
  int all = 0;
  for (const char byte : to) all += byte;
  std::printf("%d\\n", all);
}
""")
        program, file = compiled(source, folder / "long", "-O2"), folder / "set"
        verify(program, file, "--free-runs", "0")
        # The copy's read and the fill race, its write does not; both of its events are of one flag.
        assert traces(file) == 2 and shown(file)["complete"] and len(shown(file)["sites"]) == 2, shown(file)["sites"]
        assert {label["size"] for label in shown(file)["labels"] if label["kind"] in ("read", "write")} == {3999}
        outputs = repeat(folder, program, file, 60)
        assert outputs.keys() == {"0\n", "3999\n"}, outputs


def test_masked_lanes_are_accesses_one_by_one():
    if "avx2" not in pathlib.Path("/proc/cpuinfo").read_text():
        return
    with Folder() as folder:
        source = folder / "lanes.cpp"
        # The threads work on different cells of one vector, so nothing races; a mask that is passed over would make all cells race.
        source.write_text("""#include <cassert>
#include <cstdlib>
#include <thread>
alignas(32) int value[16], chosen[2][16];
__attribute__((noinline)) void add(int* __restrict to, const int* __restrict which, int n) { for (int i = 0; i < n; ++i) if (which[i] != 0) to[i] += which[i]; }
int main(int argc, char**) {
  for (int i = 0; i < 16; ++i) chosen[i % 2][i] = i + 1;
  if (argc > 1) chosen[1][4] = 1;
  std::thread one([] { add(value, chosen[0], 16); }), two([] { add(value, chosen[1], 16); });
  one.join(), two.join();
  for (int i = 0; i < 16; ++i) if (value[i] != i + 1 && argc == 1) std::abort();
}
""")
        program = compiled(source, folder / "lanes", "-O3", "-mavx2")
        assert "maskmov" in call("objdump", "-d", program).stdout, "the vectorizer makes no masks of this"
        verify(program, folder / "set", "--free-runs", "0")
        assert traces(folder / "set") == 1 and shown(folder / "set")["points"] == [] and shown(folder / "set")["complete"], shown(folder / "set")["points"]
        verify(program, folder / "other", "--free-runs", "0", "--", "more")
        assert shown(folder / "other")["points"], "one cell of both is not seen to race"


def test_locals_are_left_out_unless_their_address_escapes():
    with Folder() as folder:
        source = folder / "locals.cpp"
        source.write_text("""int use(int*);
int own(int n) { int a[8]; for (int i = 0; i < 8; ++i) a[i] = n + i; return a[n & 7]; }
int fresh(int n) { int* p = new int[64]; p[n] = n; int q = p[n & 1]; delete[] p; return q; }
const int table[4] = {1, 2, 3, 4};
int constant(int n) { return table[n & 3]; }
int shared(int* p) { return *p; }
int escapes(int n) { int a = n; use(&a); return a; }
""")
        for optimization in ("-O0", "-O2"):
            done = call(TARRY, "c++", "--enforce", optimization, "-S", source, "-o", "-", env={**NO_CHOICE, "TARRY_CXX": CLANG})
            assert done.returncode == 0, done.stderr
            calls = {name: done.stdout.split(f"\n_Z{len(name)}{name}")[1].split("cfi_endproc")[0].count("tarry_rt_before_access") for name in ("own", "constant", "shared", "escapes")}
            assert calls["own"] == 0 and calls["constant"] == 0 and calls["shared"] == 1 and calls["escapes"] >= 1, (optimization, calls)
        assert done.stdout.split("\n_Z5freshi")[1].split("cfi_endproc")[0].count("tarry_rt_before_access") == 0


def test_libraries_and_link_time_optimization():
    with Folder() as folder:
        part = folder / "part.cpp"
        part.write_text("int shared_counter; void bump() { shared_counter = shared_counter + 1; }\n")
        whole = folder / "whole.cpp"
        whole.write_text("#include <cstdio>\n#include <cstdlib>\n#include <thread>\nextern int shared_counter; void bump();\nint main() { std::thread one(bump), two(bump); one.join(), two.join(); std::printf(\"%d\\n\", shared_counter); if (shared_counter != 2) std::abort(); }\n")
        library = compiled(part, folder / "libpart.so", "-O1", "-shared", "-fPIC")
        with_library = compiled(whole, folder / "with_library", "-O1", library, f"-Wl,-rpath,{folder}")
        as_one = compiled(whole, folder / "as_one", "-O2", part, "-flto", "-fuse-ld=lld") if shutil.which("ld.lld") else None
        for program in (with_library, as_one):
            if program is None:
                continue
            file = folder / (program.name + ".schedules")
            said = verify(program, file)
            assert "left out: crash" in said and traces(file) == 2, said
            assert {site["module"] for site in shown(file)["sites"]} == {"libpart.so" if program is with_library else ""}, shown(file)["sites"]
            assert repeat(folder, program, file, 30) == {"2\n": 30}


def test_files_without_the_pass_are_named():
    with Folder() as folder:
        part, whole = folder / "unseen_part.cpp", folder / "whole.cpp"
        part.write_text("int n; void bump() { n = n + 1; }\n")
        whole.write_text("#include <thread>\nvoid bump();\nint main() { std::thread one(bump), two(bump); one.join(), two.join(); }\n")
        assert call(CLANG, "-c", part, "-o", folder / "unseen_part.o").returncode == 0
        said = verify(compiled(whole, folder / "whole", folder / "unseen_part.o"), folder / "set")
        assert "code that is not instrumented: unseen_part.o" in said, said
        # An object with a call at every access is seen, and enforced in the same run.
        done = call(TARRY, "c++", "-c", part, "-o", folder / "calls.o", env=NO_CHOICE)
        assert done.returncode == 0, done.stderr
        program = compiled(whole, folder / "mixed", folder / "calls.o")
        said = verify(program, folder / "mixed.schedules")
        assert "not instrumented" not in said and traces(folder / "mixed.schedules") == 4 and shown(folder / "mixed.schedules")["sites"] == [], said
        repeat(folder, program, folder / "mixed.schedules", 20)


def test_what_cannot_be_done_is_said():
    with Folder() as folder:
        source = folder / "main.c"
        source.write_text("int main(void) { return 0; }\n")
        if shutil.which("gcc"):
            done = call(TARRY, "cc", "--enforce", source, "-o", folder / "main", env={**NO_CHOICE, "CC": "gcc"})
            assert done.returncode == 2 and "$CC names 'gcc', and this build of Tarry has a pass for clang" in done.stderr, done.stderr
        done = call(TARRY, "cc", "--enforce", "-fsanitize=address", source, "-o", folder / "main", env={**NO_CHOICE, "TARRY_CC": CLANG.replace("++", "")})
        assert done.returncode == 2 and "AddressSanitizer" in done.stderr, done.stderr
        done = call(TARRY, "cc", "--enforce", "-O2", source, "-o", folder / "main", env=NO_CHOICE)  # finds its clang by itself
        assert done.returncode == 0 and call(folder / "main").returncode == 0, done.stderr
        for library in LIBRARIES.glob("libtarry_*.so"):
            assert not re.search(r"NEEDED\s+\S*LLVM", call("objdump", "-p", library).stdout), library
        # A build without the pass says what is missing.
        (folder / "bin").mkdir(), (folder / "lib").mkdir()
        shutil.copy(TARRY, folder / "bin" / "tarry")
        for library in LIBRARIES.glob("libtarry_[!p]*.so"):
            (folder / "lib" / library.name).symlink_to(library)
        done = call(folder / "bin" / "tarry", "cc", "--enforce", source, "-o", folder / "other", env=NO_CHOICE)
        assert done.returncode == 2 and "this build of Tarry has no pass for clang; install llvm-dev" in done.stderr and not (folder / "other").exists(), done.stderr


def test_other_clangs():
    for clang in CLANGS[1:]:
        if version_of(clang) == version_of(CLANG):
            continue
        with Folder() as folder:
            program, file = compiled(PROGRAMS / "flags.cpp", folder / "flags", "-O2", clang=clang), folder / "set"
            verify(program, file)
            assert traces(file) == 4 and repeat(folder, program, file, 10) == {"2 31, 2 of many\n": 10}


def main():
    if CLANG is None:
        print("this build has no pass, or there is no clang for it")
        sys.exit(77)
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
            print(name, "passed", flush=True)


main()
