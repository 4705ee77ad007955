#!/usr/bin/env python3
"""tarry cc and tarry c++: a compiler like any other, and what it makes calls Tarry's runtime, never libtsan."""

import os
import shutil
import subprocess
import unittest

from common import TARRY, CliTest, Run

MAIN = "#include <pthread.h>\nextern int counter;\nvoid add(int);\nint main(void) { add(2); return counter; }\n"
ADD = "int counter;\nvoid add(int n) { counter += n; }\n"


def compilers():
    return [("gcc", "g++"), ("clang", "clang++")]


class CompilerTest(CliTest):
    def setUp(self):
        super().setUp()
        self.write("main.c", MAIN)
        self.write("add.c", ADD)

    def run_in(self, *command, env=None):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, timeout=120, env={**os.environ, **(env or {})}, check=False)
        return Run(done)

    def needed(self, file):
        return self.run_in("readelf", "-d", file).out

    def undefined(self, file):
        return self.run_in("nm", "-u", file).out


class Building(CompilerTest):
    MAKEFILE = "CC = gcc\nprogram: main.o add.o\n\tgcc main.o add.o -o program\n%.o: %.c\n\t$(CC) -c $< -o $@\n"

    def test_a_makefile_that_names_its_compiler(self):
        self.write("Makefile", self.MAKEFILE)
        self.tarry("build", "--", "make", "-j2", expect=0)
        self.assertIn("__tsan_init", self.undefined("main.o"))
        self.assertIn("libtarry_rt.so", self.needed("program"))
        self.assertEqual(self.run_in(self.folder / "program").code, 2)
        self.tarry("check", "./program", "--time", "20s", expect=0)

    def test_each_name_is_its_own_compiler(self):
        for name in ("gcc", "g++", "clang", "clang++", "cc", "c++"):
            plain = self.run_in(name, "--version").out
            self.assertEqual(self.tarry("build", name, "--version", expect=0).out, plain, name)

    def test_a_compiler_by_its_path_in_the_environment(self):
        path = shutil.which("gcc")
        self.tarry("build", "--", "sh", "-c", "$CC -c add.c", expect=0, env={"CC": path})
        self.assertIn("__tsan_init", self.undefined("add.o"))

    def test_the_exit_code_is_the_commands(self):
        self.tarry("build", "--", "sh", "-c", "exit 7", expect=7)
        self.assertIn("could not be started", self.tarry("build", "--", "./not_there", expect=2).err)
        self.assertIn("expected a build command", self.tarry("build", expect=2).err)
        self.assertIn("unknown option", self.tarry("build", "-j2", expect=2).err)


class Compiling(CompilerTest):
    def test_objects_libraries_and_programs(self):
        for c, _ in compilers():
            env = {"TARRY_CC": c}
            self.tarry("cc", "-c", "main.c", "-o", "main.o", expect=0, env=env)
            self.assertIn("__tsan_init", self.undefined("main.o"), c)
            self.tarry("cc", "-fPIC", "-shared", "-Wl,-z,defs", "add.c", "-o", "libadd.so", expect=0, env=env)
            self.tarry("cc", "main.o", "-L.", "-ladd", "-Wl,-rpath,.", "-o", "with_library", expect=0, env=env)
            self.tarry("cc", "main.c", "add.c", "-o", "in_one_go", expect=0, env=env)
            for program in ("with_library", "in_one_go"):
                self.assertIn("libtarry_rt.so", self.needed(program), c)
                self.assertNotIn("libtsan", self.needed(program), c)
                self.assertEqual(self.run_in(self.folder / program).code, 2, c)  # runs without Tarry, too

    def test_our_header_is_found_unless_the_project_has_its_own(self):
        self.write("choose.c", "#include <tarry/test.h>\nint main(void) { return tarry_choose(1); }\n")
        self.write("choose.cpp", "#include <tarry/test.h>\nint main() { return static_cast<int>(tarry::choose(1)); }\n")
        for c, cxx in compilers():
            self.tarry("cc", "-Wall", "-Werror", "choose.c", "-o", "chooses", expect=0, env={"TARRY_CC": c})
            self.tarry("c++", "-std=c++17", "-Wall", "-Werror", "choose.cpp", "-o", "chooses", expect=0, env={"TARRY_CXX": cxx})
            self.tarry("build", "--", c, "choose.c", "-o", "chooses", expect=0)
        (self.folder / "own" / "tarry").mkdir(parents=True)
        self.write("own/tarry/test.h", "enum { own = 3 };\n")
        self.write("other.c", "#include <tarry/test.h>\nint main(void) { return own; }\n")
        self.tarry("cc", "-Iown", "other.c", "-o", "other", expect=0)
        self.tarry("check", "other.c", "-I", "own", "--expect-exit", "3", expect=0)

    def test_every_read_is_seen(self):
        self.write("x.cpp", "int x; void f() { x++; }\n")
        for _, cxx in compilers():
            self.tarry("c++", "-O2", "-c", "x.cpp", expect=0, env={"TARRY_CXX": cxx})
            self.assertIn("__tsan_read4", self.undefined("x.o"), cxx)
            self.assertIn("__tsan_write4", self.undefined("x.o"), cxx)

    def test_warnings_of_the_instrumentation_are_no_errors(self):
        self.write("fence.cpp", "#include <atomic>\nvoid f() { std::atomic_thread_fence(std::memory_order_seq_cst); }\n")
        self.write("unused.cpp", "static int unused() { return 1; }\n")
        for _, cxx in compilers():
            self.tarry("c++", "-Wall", "-Wextra", "-Werror", "-O2", "-c", "fence.cpp", expect=0, env={"TARRY_CXX": cxx})
            self.tarry("c++", "-Wall", "-Wextra", "-Werror", "-O2", "-c", "unused.cpp", expect=1, env={"TARRY_CXX": cxx})

    def test_debug_information_and_frame_pointers_are_there(self):
        self.tarry("cc", "-c", "-O2", "add.c", expect=0)
        self.assertIn(".debug_info", self.run_in("readelf", "-S", "add.o").out)
        self.tarry("cc", "-c", "-g0", "add.c", expect=0)
        self.assertNotIn(".debug_info", self.run_in("readelf", "-S", "add.o").out)

    def test_warnings_as_errors_do_not_trip_over_our_options(self):
        for c, _ in compilers():
            for how in (["-c", "main.c"], ["-S", "main.c"], ["-fsyntax-only", "main.c"], ["-E", "main.c", "-o", "main.i"], ["-MM", "main.c"], ["main.c", "add.c", "-o", "p"]):
                run = self.tarry("cc", "-Wall", "-Werror", *how, expect=0, env={"TARRY_CC": c})
                self.assertEqual(run.err, "", str(run))

    def test_response_files_and_standard_input(self):
        self.write("all.rsp", "main.c add.c\n-o 'from file'\n")
        self.tarry("cc", "@all.rsp", expect=0)
        self.assertIn("libtarry_rt.so", self.needed("from file"))
        done = subprocess.run([TARRY, "cc", "-x", "c", "-", "-c", "-o", "stdin.o"], input=ADD, cwd=self.folder, text=True, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn("__tsan_", self.undefined("stdin.o"))

    def test_precompiled_headers(self):
        self.write("all.h", "struct Precompiled { int x; };\n#define PRECOMPILED_TOO 1\n")
        self.write("user.cpp", "int f(Precompiled* p) { return p->x; }\n")
        for c, cxx in compilers():
            for how in (["all.h"], ["-x", "c++-header", "all.h"]):
                self.tarry("c++", *how, "-o", "all.h.gch", expect=0, env={"TARRY_CXX": cxx})
                use = ["-include", "all.h"] if cxx == "g++" else ["-include-pch", "all.h.gch"]
                run = self.tarry("c++", "-Winvalid-pch", "-Werror", *use, "-c", "user.cpp", expect=0, env={"TARRY_CXX": cxx})
                self.assertIn("__tsan_read4", self.undefined("user.o"), str(run))
            (self.folder / "all.h.gch").unlink()
            # Beside a source it is no program's start.
            self.tarry("cc", "main.c", "add.c", "-include", "all.h", "-o", "p", expect=0, env={"TARRY_CC": c})
            self.assertIn("libtarry_rt.so", self.needed("p"), c)

    def test_optimized_when_linked(self):
        for c, _ in compilers():
            self.tarry("cc", "-O2", "-flto", "-c", "main.c", "add.c", expect=0, env={"TARRY_CC": c})
            self.tarry("cc", "-O2", "-flto", "main.o", "add.o", "-o", "p", expect=0, env={"TARRY_CC": c})
            self.assertIn("__tsan_read4", self.undefined("p"), c)
            self.assertEqual(self.run_in(self.folder / "p").code, 2, c)

    def test_from_the_preprocessor_and_from_the_compiler(self):
        for c, _ in compilers():
            env = {"TARRY_CC": c}
            self.tarry("cc", "-E", "main.c", "-o", "main.i", expect=0, env=env)
            self.tarry("cc", "-S", "main.i", "-o", "main.s", expect=0, env=env)
            self.tarry("cc", "main.s", "add.c", "-o", "p", expect=0, env=env)
            self.assertIn("libtarry_rt.so", self.needed("p"), c)
            self.assertEqual(self.run_in(self.folder / "p").code, 2, c)

    @unittest.skipUnless(shutil.which("ccache"), "needs ccache")
    def test_with_a_compiler_cache(self):
        env = {"CCACHE_DIR": str(self.folder / "cache")}
        self.tarry("cc", "-c", "main.c", "add.c", expect=0, env={**env, "TARRY_CC": "ccache gcc"})
        self.assertIn("__tsan_", self.undefined("main.o"))
        path = os.path.dirname(TARRY) + ":" + os.environ["PATH"]
        run = self.run_in("ccache", "tarry-cc", "-c", "add.c", env={**env, "PATH": path})
        self.assertEqual(run.code, 0, str(run))
        self.assertIn("__tsan_", self.undefined("add.o"))

    def test_the_standard_library_is_shared(self):
        left_out = "tarry: note: -static-libstdc++ was left out"
        self.write("throws.cpp", "int main() { try { throw 1; } catch (int) { return 7; } }\n")
        self.write("static.rsp", "-static-libstdc++ -static-libgcc throws.cpp\n-o 'from file'\n")
        for _, cxx in compilers():
            env = {"TARRY_CXX": cxx}
            for name, arguments in (("p", ["-static-libstdc++", "-static-libgcc", "throws.cpp", "-o", "p"]), ("from file", ["@static.rsp"])):
                self.assertIn(left_out, self.tarry("c++", *arguments, expect=0, env=env).err)
                self.assertIn("libstdc++.so", self.needed(name), cxx)
                self.assertEqual(self.run_in(self.folder / name).code, 7, cxx)
            self.assertEqual(self.tarry("c++", "-static-libstdc++", "-c", "throws.cpp", expect=0, env=env).err, "")

    def test_assembler_is_passed_on(self):
        self.write("a.s", ".globl f\nf: ret\n")
        self.write("b.S", "#define NAME g\n.globl NAME\nNAME: ret\n")
        self.tarry("cc", "-c", "a.s", expect=0)
        self.tarry("cc", "-c", "b.S", expect=0)


class LikeTheCompiler(CompilerTest):
    def test_questions_get_the_compilers_own_answers(self):
        for c, cxx in compilers():
            for question in (["--version"], ["-dumpmachine"], ["-dumpversion"], ["-print-search-dirs"], ["-print-file-name=libc.so"], ["-v"], []):
                ours, theirs = self.tarry("cc", *question, env={"TARRY_CC": c}), self.run_in(shutil.which(c), *question)
                self.assertEqual((ours.code, ours.out, ours.err), (theirs.code, theirs.out, theirs.err))
            self.assertEqual(self.tarry("c++", "--version", env={"TARRY_CXX": cxx}).out, self.run_in(cxx, "--version").out)

    def test_errors_are_the_compilers_own(self):
        self.write("wrong.c", "int f( { return 1; }\n")
        ours, theirs = self.tarry("cc", "-c", "wrong.c", env={"TARRY_CC": "gcc"}), self.run_in(shutil.which("gcc"), "-c", "wrong.c")
        self.assertEqual((ours.code, ours.out, ours.err), (theirs.code, theirs.out, theirs.err))
        self.assertNotEqual(self.tarry("cc", "main.c", "-o", "p").code, 0)  # add is missing

    def test_static_programs_are_refused(self):
        self.refused("cc", "-static", "main.c", "add.c", says="a program that is linked with -static cannot be checked")
        self.tarry("cc", "-static", "-c", "main.c", expect=0)

    def test_profiled_programs_are_refused(self):
        self.refused("cc", "-pg", "main.c", "add.c", says="a program that is linked with -pg cannot be checked")

    def test_memory_sanitizer_is_refused(self):
        self.refused("cc", "-fsanitize=memory", "-c", "main.c", says="MemorySanitizer")

    def test_undefined_behaviour_beside_threads(self):
        self.write("shift.c", "int main(int n, char** v) { (void)v; volatile int by = 40; return n << by; }\n")
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler):
                self.tarry("cc", "-fsanitize=undefined", "-o", "shift", "shift.c", env={"CC": compiler}, expect=0)

    def test_which_compiler(self):
        self.assertIn("'nonesuch'", self.tarry("cc", "-c", "main.c", env={"CC": "nonesuch"}, expect=2).err)
        self.tarry("cc", "-c", "main.c", env={"CC": f"{TARRY} cc"}, expect=0)  # as within make
        self.assertIn("is to name a compiler", self.tarry("cc", "-c", "main.c", env={"TARRY_CC": "tarry cc"}, expect=2).err)

    def test_names_of_one_word(self):
        for name in ("tarry-cc", "tarry-c++"):
            run = self.run_in(os.path.join(os.path.dirname(TARRY), name), "-c", "add.c")
            self.assertEqual(run.code, 0, str(run))
            self.assertIn("__tsan_", self.undefined("add.o"))

    def test_help(self):
        self.assertIn('make CC="tarry cc"', self.tarry("help", "cc", expect=0).out)


class Builds(CompilerTest):
    def test_make(self):
        self.write("Makefile", "prog: main.o add.o\n\t$(CC) $(LDFLAGS) -o $@ $^\n%.o: %.c\n\t$(CC) $(CFLAGS) -c $<\n")
        run = self.run_in("make", f"CC={TARRY} cc", "CFLAGS=-O2 -Wall")
        self.assertEqual(run.code, 0, str(run))
        self.assertIn("libtarry_rt.so", self.needed("prog"))
        self.assertEqual(self.run_in("./prog").code, 2)

    @unittest.skipUnless(shutil.which("cmake"), "needs cmake")
    def test_cmake(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(p C CXX)\nfind_package(Threads REQUIRED)\n"
                   "add_library(add SHARED add.c)\nadd_executable(prog main.c more.cpp)\ntarget_link_libraries(prog add Threads::Threads)\n")
        self.write("more.cpp", "int more = 1;\n")
        bin_folder = os.path.dirname(TARRY)
        run = self.run_in("cmake", "-B", "b", f"-DCMAKE_C_COMPILER={bin_folder}/tarry-cc", f"-DCMAKE_CXX_COMPILER={bin_folder}/tarry-c++")
        self.assertEqual(run.code, 0, str(run))
        run = self.run_in("cmake", "--build", "b")
        self.assertEqual(run.code, 0, str(run))
        self.assertIn("libtarry_rt.so", self.needed("b/prog"))
        self.assertEqual(self.run_in("b/prog").code, 2)


if __name__ == "__main__":
    unittest.main()
