#!/usr/bin/env python3
"""Which compiler a program with threads is compiled with, and that a replay takes the same one."""

import shutil
import unittest

from common import LOST_UPDATE, CliTest


class WhichCompiler(CliTest):
    def check(self, *args, **more):
        return self.tarry("check", "--no-progress", *args, **more)

    def script(self, name, text):
        self.write(name, text)
        (self.folder / name).chmod(0o755)

    def test_a_replay_takes_the_compiler_of_the_check(self):
        self.write("lost.cpp", LOST_UPDATE)
        self.write("lost.c", "#include <assert.h>\nint main(void) { assert(0); }\n")
        trace = "tarry-out/lost-assertion-1.tarry"
        # Named in the environment, which is gone or says something else at the replay; named as an option; a script of the user's.
        self.script("my-cxx", '#!/bin/sh\nexec clang++ "$@"\n')
        for source, options, environment in (
            ("lost.cpp", [], {"TARRY_CXX": "clang++"}),
            ("lost.cpp", [], {"CXX": "clang++ -DOF_THE_COMPILER", "CC": "nonesuch"}),
            ("lost.cpp", ["--cxx", "clang++"], {"TARRY_CXX": "nonesuch"}),
            ("lost.cpp", [], {"TARRY_CXX": "./my-cxx"}),
            ("lost.c", [], {"TARRY_CC": "clang", "TARRY_CXX": "nonesuch"}),
            ("lost.cpp", [], {"TARRY_CXX": "g++"}),
        ):
            self.check(source, *options, expect=1, env=environment)
            for now in ({"CXX": "", "CC": ""}, {"TARRY_CXX": "g++", "TARRY_CC": "gcc"}, {"TARRY_CXX": "clang++", "TARRY_CC": "clang"}):
                run = self.tarry("replay", str(self.folder / trace), expect=1, env=now, cwd="/")
                self.assertIn("reproduced assertion", run.out)
            shutil.rmtree(self.folder / "tarry-out")

    def test_a_compiler_that_is_not_there(self):
        self.write("lost.cpp", LOST_UPDATE)
        self.script("my-cxx", '#!/bin/sh\nexec g++ "$@"\n')
        self.check("lost.cpp", "--cxx", "./my-cxx", expect=1)
        (self.folder / "my-cxx").unlink()
        self.refused("replay", "tarry-out/lost-assertion-1.tarry", says="my-cxx' was not found, or cannot be run")
        self.refused("check", "lost.cpp", "--cxx", "nonesuch", says="compiler 'nonesuch' was not found, or cannot be run")
        self.refused("check", "lost.cpp", "--cxx", "tarry c++", says="expected a compiler that Tarry can call, found 'tarry c++'")
        self.tarry("c++", "lost.cpp", "-o", "lost", expect=0)
        self.refused("check", "./lost", "--cxx", "g++", says="is compiled already")

    def test_options_that_a_replay_cannot_follow(self):
        self.write("lost.cpp", LOST_UPDATE)
        self.write("known", "race:nobody\n")
        self.check("lost.cpp", "--suppressions", "known", expect=1)
        (self.folder / "known").unlink()
        run = self.refused("replay", "tarry-out/lost-assertion-1.tarry", says="it was written with options that cannot be followed now")
        self.assertIn("known: error: cannot be read", run.err)


if __name__ == "__main__":
    unittest.main()
