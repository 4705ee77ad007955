#!/usr/bin/env python3
"""What users of P's own tools are used to: projects, options of `p check`, foreign functions in other languages; and help with mistakes."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import CliTest  # noqa: E402

PROJECT = """<Project><ProjectName>Demo</ProjectName><InputFiles><PFile>./PSrc/</PFile><PFile>./PForeign/</PFile></InputFiles></Project>"""
PROGRAM = """
event ePing;
machine Main { start state S { entry { send this, ePing; } on ePing do { if ($) { send this, ePing; } } } }
spec Seen observes ePing { start state S { ignore ePing; } }
test tc [main = Main]: assert Seen in { Main };
"""


class Projects(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "PSrc").mkdir()
        self.write("PSrc/Main.p", PROGRAM)

    def test_a_folder_with_a_project_needs_no_name(self):
        self.refused("check", says=["there is nothing to check", ".pproj"])
        self.write("Demo.pproj", PROJECT)
        run = self.tarry("check", "-tc", "tc", expect=0)
        self.assertIn("verified", run.out)
        self.assertIn("warning: no such folder: './PForeign/'", run.err)
        self.tarry("p", "check-syntax", expect=0)
        self.write("Other.pproj", PROJECT)
        self.refused("check", says="has several projects: Demo.pproj, Other.pproj; name one of them")

    def test_a_trace_of_it_replays_from_elsewhere(self):
        self.write("PSrc/Main.p", PROGRAM.replace("if ($) {", "assert !$; if ($) {"))
        self.write("Demo.pproj", PROJECT)
        self.tarry("check", "--trace", "bug.tarry", expect=1)
        self.tarry("replay", self.folder / "bug.tarry", cwd="/", expect=1)

    def test_what_other_systems_leave_is_not_read(self):
        self.write("Demo.pproj", PROJECT)
        self.write("PSrc/._Main.p", "\x00\x05\x16\x07 no P at all")
        run = self.tarry("check", expect=0)
        self.assertIn("._Main.p: note: is hidden, and not used", run.err)

    def test_capitals(self):
        os.rename(self.folder / "PSrc/Main.p", self.folder / "PSrc/MAIN.P")
        self.tarry("check", "PSrc/MAIN.P", expect=0)
        self.tarry("check", "PSrc", expect=0)


class Options(CliTest):
    def setUp(self):
        super().setUp()
        self.write("main.p", PROGRAM)

    def test_those_with_a_counterpart_are_understood(self):
        report = self.check_json("main.p", "--sch-random", "-s", "5", expect=0)
        self.assertEqual((report["search"], report["executions"]), ("random-walk", 5))
        for options in (("--sch-pct", "3"), ("--sch-pct=3",)):
            report = self.check_json("main.p", *options, "-s", "5", expect=0)
            self.assertEqual(report["search"], "pct")
        self.assertEqual(self.check_json("--pproj", "main.p", "-md", "bugfinding", "-m", "1", "--mode=pchecker", "--memout", "0.5", expect=0)["verdict"], "verified")
        self.refused("check", "main.p", "--sch-pct", says="--sch-pct of P's checker needs the number of priority changes")
        self.refused("check", "main.p", "-m", "much", says="a size in GB")

    def test_the_others_are_named_with_what_to_use_instead(self):
        for options, instead in ((["--sch-probabilistic", "3"], "--search pct"), (["-sp", "3"], "--search pct"), (["--sch-fairpct", "3"], "--search pct"),
                                 (["--sch-pos"], "--search pct"), (["--sch-rl"], "portfolio"), (["--sch-feedback"], "portfolio"), (["--sch-feedbackpct=3"], "portfolio"),
                                 (["--replay", "x.schedule"], "tarry replay"), (["-r", "x.schedule"], "tarry replay"), (["--graph-bug"], "--p-trace"),
                                 (["--xml-trace"], "--p-trace json"), (["--timeline-repr", "causal"], "portfolio"),
                                 (["--liveness-temperature-threshold", "5"], "--temperature N")):
            self.refused("check", "main.p", *options, says=[f"'{options[0].split('=')[0]}' is an option of P's checker", instead])
        self.refused("check", "main.p", "--mode", "pex", says="a mode of P's tools that Tarry does not have")

    def test_others_are_unknown_as_before(self):
        self.refused("check", "main.p", "--sch-other", says="unknown option '--sch-other'")


class Stubs(CliTest):
    PROGRAM = """
type tQueue;
enum tColor { RED = 1, GREEN = 5 }
type tJob = (id: int, color: tColor, by: machine);
event eJob: tJob;
fun Push(queue: tQueue, job: tJob): tQueue;
fun Size(queue: tQueue): int;
fun Shape(a: (int, bool), b: seq[float], c: map[string, set[tJob]], d: any, e: event, f: (x: int, new_: int)): (y: seq[tJob], z: string);
fun Log(text: string, delete: bool);
machine Main {
  var queue: tQueue;
  fun Pick(names: seq[string]): string;
  start state S {
    entry {
      queue = Push(queue, (id = 1, color = RED, by = this));
      assert Size(queue) == 1;
      Log("x", true);
    }
  }
}
machine Idle { fun Pick(colors: set[tColor]): tColor; start state S { } }
test tc [main = Main]: { Main };
"""

    def test_they_compile_and_say_what_to_do(self):
        (self.folder / "PSrc").mkdir()
        (self.folder / "PForeign").mkdir()
        self.write("Demo.pproj", PROJECT)
        self.write("PSrc/Queue.p", self.PROGRAM)
        self.write("PForeign/Queue.cs", "class Queue {}")
        run = self.tarry("check", "Demo.pproj", expect=2)
        self.assertIn("foreign function 'Push' has no implementation; ", run.err)
        self.assertIn("'tarry p foreign-stubs Demo.pproj' writes that file for you to fill in", run.err)
        run = self.tarry("p", "foreign-stubs", "Demo.pproj", expect=0)
        self.assertIn("6 foreign functions to fill in: PSrc/Queue.cpp", run.out)
        text = (self.folder / "PSrc/Queue.cpp").read_text(encoding="utf-8")
        for words in ("tQueue Push(const std::optional<tQueue>& /*queue*/, const tJob& /*job*/)", "std::int64_t Size(", 'TARRY_FOREIGN("Main.Pick", Main_Pick)',
                      "tColor Idle_Pick(const std::set<tColor>& /*colors*/)", "enum class tColor { RED = 1, GREEN = 5 };", "void Log(const std::string& /*text*/, bool /*delete*/)"):
            self.assertIn(words, text)
        report = self.check_json("Demo.pproj", expect=1)
        self.assertEqual(report["findings"][0]["kind"], "runtime-error")
        self.assertIn("'Push' is not written yet: fill it in, in Queue.cpp", report["findings"][0]["message"])
        self.assertIn("there is nothing to write", self.tarry("p", "foreign-stubs", "Demo.pproj", expect=0).out)

    def test_what_is_written_already_stays(self):
        self.write("q.p", self.PROGRAM)
        self.write("q.cpp", '#include <tarry/foreign.h>\nstatic void log_it(const std::string&, bool) {}\nTARRY_FOREIGN("Log", log_it)\n')
        self.refused("p", "foreign-stubs", "q.p", says="'q.cpp' is there already; name another file with -o")
        self.assertIn("5 foreign functions", self.tarry("p", "foreign-stubs", "q.p", "-o", "more.cpp", expect=0).out)
        self.assertNotIn('"Log"', (self.folder / "more.cpp").read_text(encoding="utf-8"))

    def test_a_program_without_foreign_functions(self):
        self.write("main.p", PROGRAM)
        self.assertIn("there is nothing to write", self.tarry("p", "foreign-stubs", "main.p", expect=0).out)


class Hints(CliTest):
    """Misspelled words and names, and what is said about them."""

    def says(self, text, *words):
        self.write("a.p", text)
        self.refused("p", "check-syntax", "a.p", says=list(words))

    def in_entry(self, text, *words):
        self.says("event ePing; machine Main { start state S { entry { " + text + " } on ePing do { } } }", *words)

    def test_keywords_of_declarations_and_states(self):
        self.says("machien Main { }", "found 'machien'; did you mean 'machine'?")
        self.says("machine Main { strat state S { } }", "did you mean 'start'?")
        self.says("machine Main { start stat S { } }", "did you mean 'state'?")
        self.says("machine Main { vra x: int; start state S { } }", "did you mean 'var'?")
        self.says("machine Main { start state S { entyr { } } }", "did you mean 'entry'?")
        self.says("machine Main { start state S { ignroe halt; } }", "did you mean 'ignore'?")
        self.says("event e; machine Main { start state S { on e od { } } }", "did you mean 'do'?")
        self.says("event e; spec S obsreves e { start state S { } }", "did you mean 'observes'?")
        self.says("machine Main { start state S { } } test t [mian = Main]: { Main };", "did you mean 'main'?")

    def test_keywords_of_statements(self):
        self.in_entry("sned this, ePing;", "did you mean 'send' instead of 'sned'?")
        self.in_entry("wihle (true) { }", "did you mean 'while' instead of 'wihle'?")
        self.in_entry("if (true) { } esle { }", "did you mean 'else' instead of 'esle'?")
        self.in_entry("reutrn;", "did you mean 'return' instead of 'reutrn'?")
        self.in_entry("receive { caes ePing: { } }", "did you mean 'case'?")
        self.in_entry("raise ePing, tru;", "did you mean 'true'?")
        self.in_entry("send thsi, ePing;", "did you mean 'this'?")
        self.in_entry("assert sizof(1) == 1;", "did you mean 'sizeof'?")

    def test_types_states_and_events(self):
        for wrong, right in (("itn", "int"), ("boolean", "bool"), ("String", "string"), ("double", "float"), ("mahcine", "machine")):
            self.says("machine Main { var x: " + wrong + "; start state S { } }", f"no type is named '{wrong}'; did you mean '{right}'?")
        for wrong, right in (("sqe", "seq"), ("List", "seq"), ("dict", "map")):
            self.says("machine Main { var x: " + wrong + "[int]; start state S { } }", f"did you mean '{right}' instead of '{wrong}'?")
        self.in_entry("goto T;", "no state is named 'T'")
        self.says("event ePing; machine Main { start state Start { on ePnig goto Sart; } }", "did you mean 'ePing'?", "did you mean 'Start'?")

    def test_print_with_values_wants_format(self):
        self.in_entry('print "{0}", 3;', "expected ';' after the text to print, found ','; values are put into a text by 'format(\"{0}\", value)'")
        self.in_entry('assert false, "{0}", 3;', "by 'format(")

    def test_names_that_are_far_from_any_word_get_no_hint(self):
        self.write("a.p", "machine Main { start state S { xyzzy { } } }")
        self.assertNotIn("did you mean", self.tarry("p", "check-syntax", "a.p", expect=2).err)
        self.write("a.p", "machine Main { start state S { entry { count 3; } } }")
        self.assertNotIn("did you mean", self.tarry("p", "check-syntax", "a.p", expect=2).err)


if __name__ == "__main__":
    unittest.main()
