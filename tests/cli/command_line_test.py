#!/usr/bin/env python3
"""The command line: help, lists, and every way to get it wrong (exit code 2, `tarry: error: …`, nothing on standard output)."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import BROKEN, PHILOSOPHERS, TARRY, CliTest  # noqa: E402


class Help(CliTest):
    def test_version(self):
        for command in ("--version", "version"):
            self.assertRegex(self.tarry(command, expect=0).out, r"^tarry \d+\.\d+\.\d+\n$")

    def test_help_begins_with_examples_and_ends_with_exit_codes(self):
        for args in (("check", "--help"), ("check", "--help-all"), ("help", "check")):
            text = self.tarry(*args, expect=0).out
            self.assertLess(text.index("Examples:"), text.index("--search"))
            self.assertLess(text.index("--search"), text.index("Exit codes:"))
            self.assertIn("pct:depth=5", text)
            self.assertNotIn("--delta", text)
        for command in ("replay", "list"):
            self.assertIn("Examples:", self.tarry(command, "-h", expect=0).out)
        self.assertIn("tarry check", self.tarry("--help", expect=0).out)

    def test_help_fits_one_screen_and_leads_to_the_rest(self):
        text = self.tarry("check", "--help", expect=0).out
        self.assertLess(text.count("\n"), 60)
        self.assertIn("tarry check --help-all shows all options", text)
        self.assertNotIn("--clock-jumps", text)
        self.assertIn("--clock-jumps", self.tarry("check", "--help-all", expect=0).out)

    def test_nothing_at_all_is_help_and_exit_code_2(self):
        run = self.tarry(expect=2)
        self.assertEqual(run.out, "")
        self.assertIn("tarry check", run.err)


class Lists(CliTest):
    def test_lines_are_name_and_summary(self):
        for what, known in (("searches", "dfs"), ("explorers", "run-to-completion")):
            lines = self.tarry("list", what, expect=0).out.splitlines()
            names = [re.fullmatch(r"([a-z][a-z0-9-]*)  +\S.*", line).group(1) for line in lines]
            self.assertIn(known, names)
            self.assertEqual(names, sorted(names))

    def test_json_tells_all(self):
        listed = self.tarry("list", "--json", expect=0).json()
        ses = next(s for s in listed["searches"] if s["name"] == "ses")
        self.assertTrue(ses["takes_explorer"] and ses["complete"] and ses["paper"] and ses["summary"])
        delta = next(p for p in ses["params"] if p["name"] == "delta")
        self.assertEqual(set(delta), {"name", "default", "min", "max", "help"})
        self.assertEqual((delta["default"], delta["min"]), (1, 1))
        self.assertTrue(all(e["name"] and e["summary"] for e in listed["explorers"]))

    def test_unknown(self):
        self.refused("list", "dogs", says="searches or explorers")


class WrongCommands(CliTest):
    def test_unknown_command_names_the_nearest(self):
        self.refused("chekc", says=["tarry: error: unknown command 'chekc'", "did you mean 'check'?"])
        self.refused("--frob", says="unknown option '--frob'")

    def test_options(self):
        for args, says in (
            (["--serch", "dfs"], ["unknown option '--serch'", "did you mean '--search'?"]),
            (["--seed", "abc"], "--seed=abc is not right: expected a number"),
            (["--seed=-1"], "--seed=-1"),
            (["--seed"], "--seed needs a value"),
            (["--time", "3x"], "expected a duration"),
            (["--memory", "lots"], "expected a size"),
            (["--jobs", "0"], "expected a number from 1 to 256"),
            (["--jobs", "257"], "expected a number from 1 to 256"),
            (["--store", "disk"], "expected exact, bitstate"),
            (["--store", "hash64"], "expected exact or bitstate (hash64 was removed"),
            (["--cache", "all"], "expected none, program, program+explorer"),
            (["--when-full", "cry"], "expected stop, replace"),
            (["--choice-cost", "2"], "expected value, unit"),
            (["--max-depth", "0"], "--max-depth=0"),
            (["--max-delays", "-3"], "--max-delays"),
            (["-s", "0"], "--samples=0"),
            (["--color", "blue"], "expected auto, always, never"),
            (["--step-timeout", "0s"], "expected a duration of at least"),
            (["-D", "=4"], "expected NAME or NAME=VALUE"),
            (["surplus"], "several files are checked together only if they are .p files"),
        ):
            with self.subTest(args):
                run = self.refused("check", PHILOSOPHERS, *args, says=says)
                self.assertTrue(run.err.startswith("tarry: error: "), str(run))
        self.refused("check", says="nothing to check")

    def test_searches_explorers_and_parameters(self):
        for args, says in (
            (["--search", "dsf"], ["unknown search 'dsf'", "did you mean 'dfs'?", "ses"]),
            (["--search", "ses", "--explorer", "round-robbin"], ["unknown explorer", "did you mean 'round-robin'?"]),
            (["--search", "dfs", "--explorer", "random"], "search 'dfs' does not support --explorer"),
            (["--search", "dfs", "--delta", "2"], "--delta is not a parameter of search 'dfs'"),
            (["--search", "ses", "--delta", "0"], "--delta=0 is out of range for search 'ses': expected 1 to "),
            (["--search", "ses", "--delta", "x"], "--delta=x is out of range for search 'ses'"),
            (["--search", "ses:delta=0"], "--delta=0 is out of range for search 'ses': expected 1 to "),
            (["--search", "pct:dept=3"], "--dept is not a parameter of search 'pct'; it has depth, steps"),
            (["--search", "dfs:delta=2"], "--delta is not a parameter of search 'dfs'; it has none"),
            (["--search", "pct:depth"], "expected parameters behind the colon, as in pct:depth=5"),
            (["--search", "pct:"], "expected parameters behind the colon"),
            (["--search", "nothing:x=1"], "unknown search 'nothing'"),
        ):
            with self.subTest(args):
                self.refused("check", PHILOSOPHERS, *args, says=says)


    def test_parameters_stand_behind_their_search(self):
        alone, behind = (self.check_json(PHILOSOPHERS, "--jobs", "1", *args, expect=0) for args in (["--search", "ses", "--delta", "3"], ["--search", "ses:delta=3"]))
        for fact in ("verdict", "search", "states", "transitions", "reached"):
            self.assertEqual(alone[fact], behind[fact], fact)
        self.assertEqual(behind["search"], "ses")
        self.write("broken.cpp", BROKEN)
        found = self.check_json("broken.cpp", "-DHOW=kExpect", "--search", "pct:depth=3,steps=20", "-s", "100000", "-j", "1", expect=1)["findings"][0]
        self.assertIn("reproduced", self.tarry("replay", found["trace"], expect=1).out)


class OptionsOfP(CliTest):
    """Spelled as in P's own tools."""

    def test_short_forms(self):
        self.write("a.p", "machine Main { start state S { entry { assert choose(2) < 2; } } }\n"
                          "test tcOne [main = Main]: { Main };\ntest tcTwo [main = Main]: { Main };\n")
        for args in (["-i", "7"], ["--schedules", "7"], ["--iterations", "7"], ["-s", "7"]):
            run = self.tarry("check", "a.p", "-tc", "tcO", *args, "-t", "30", "-ms", "50", "60", expect=0)
            self.assertIn("no bug found; 7 executions", run.out)
        self.assertIn("2 tests", self.tarry("check", "a.p", "--list-tests", expect=0).out)
        self.assertEqual(self.tarry("check", "a.p", expect=0).out.count("verified: all"), 2)
        self.refused("check", "a.p", "-tc", "tcX", says=["no test starts with 'tcX'", "tcOne, tcTwo"])
        self.refused("check", "a.p", "-ms", "5", "4", says="the second not smaller")
        self.refused("check", "a.p", "-D", "N=1", says="-D is for C++ models")


class WrongTargets(CliTest):
    def test_files(self):
        self.refused("check", "nothing.cpp", says="nothing.cpp: error: no such file")
        self.refused("check", ".", says=".: error: has no .pproj file")
        self.write("a.p", "")
        self.refused("check", "a.p", says="there is nothing to check")
        self.write("a.pproj", "")
        self.refused("check", "a.pproj", says="a.pproj:")
        self.write("a.txt", "")
        self.refused("check", "a.txt", says=["a.txt: error: is not a checkable target", "docs/threads.md", "docs/models.md"])
        self.write("a.so", "not one")
        self.refused("check", "a.so", says="a.so: error: is not a shared object")
        self.refused("check", "a.so", "-D", "N=2", says="compiled already")
        (self.folder / "dangling.cpp").symlink_to("gone.cpp")
        self.refused("check", "dangling.cpp", says="no such file")

    def test_unreadable(self):
        self.write("secret.cpp", "")
        (self.folder / "secret.cpp").chmod(0)
        if os.access(self.folder / "secret.cpp", os.R_OK):
            self.skipTest("root reads everything")
        self.refused("check", "secret.cpp", says="secret.cpp: error: cannot be read")

    def test_where_nothing_can_be_written(self):
        """Never an abort, nor an internal error: the exit code is 2, however long the output is."""
        for command in (["check", PHILOSOPHERS, "-D", "N=2", "-D", "BUG=1"], ["check", PHILOSOPHERS, "-D", "N=2"], ["check", pathlib.Path(PHILOSOPHERS).parents[1] / "p" / "ring", "--json"], ["nonsense"], ["--help"], ["check", "--help-all"]):
            for out, err in (("/dev/full", "/dev/full"), ("/dev/full", "/dev/null"), (None, None)):
                with self.subTest(command=command, out=out, err=err):
                    ends = f">{out} 2>{err}" if out else ">&- 2>&-"
                    done = subprocess.run(["sh", "-c", f'"$@" {ends}', "sh", TARRY, *map(str, command)], cwd=self.folder, stdin=subprocess.DEVNULL, timeout=120, check=False)
                    self.assertEqual(done.returncode, 2)

    def test_the_compilers_errors_are_shown(self):
        self.refused("check", PHILOSOPHERS, "-D", "N=1", says=["philosophers.cpp:", "must be from 2 to 16"])
        self.refused("check", self.write("typo.cpp", "TARRY_MODEL(X)\nint x = \n"), says="typo.cpp:")

    def test_explorers(self):
        self.refused("check", PHILOSOPHERS, "--search", "ses", "--explorer", "gone.cpp", says="gone.cpp: error: no such file")
        self.refused("check", PHILOSOPHERS, "--search", "ses", "--explorer", PHILOSOPHERS, says="does not export 'tarry_explorer_v1'")


if __name__ == "__main__":
    unittest.main()
