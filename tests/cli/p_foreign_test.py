#!/usr/bin/env python3
"""Foreign functions of P programs: how they are found, what is said if they are not, and what is found in them."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import CliTest  # noqa: E402

# Three workers, made by two makers, so that a search and a replay number them in different orders. Each sends its number; the server, which may
# get a data choice in, hands it to a foreign function. On one order of arrival that breaks down.
PROGRAM = """
event eGo: int;
fun Next(seen: seq[int], choice: int): seq[int];
fun Check(seen: seq[int]);
machine Main {
  start state Init {
    entry {
      var server: Server;
      server = new Server();
      new Maker((server = server, first = 1));
      new Maker((server = server, first = 3));
    }
  }
}
machine Maker {
  start state Init {
    entry (p: (server: Server, first: int)) {
      new Worker((server = p.server, number = p.first));
      new Worker((server = p.server, number = p.first + 1));
    }
  }
}
machine Worker {
  start state Init {
    entry (p: (server: Server, number: int)) { send p.server, eGo, p.number; }
  }
}
machine Server {
  var seen: seq[int];
  start state Init {
    on eGo do (number: int) {
      var extra: int;
      if (number == 4) extra = choose(3);
      seen = Next(seen, number * 10 + extra);
    }
  }
}
spec Watches observes eGo {
  var seen: seq[int];
  start state Init {
    on eGo do (number: int) {
      seen += (sizeof(seen), number);
      Check(seen);
    }
  }
}
test tcAll [main = Main]: { Main, Maker, Worker, Server };
test tcSpec [main = Main]: assert Watches in { Main, Maker, Worker, Server };
"""

FOREIGN = """
#include <tarry/foreign.h>
#include <cassert>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>
using Seen = std::vector<std::int64_t>;
static int recurse(volatile int* x) { volatile int a[64]; a[0] = *x; int r = recurse(a); return r + a[0]; }
[[maybe_unused]] static void overflow() { volatile int zero = 0; recurse(&zero); }
Seen next(Seen seen, std::int64_t number) {
  seen.push_back(number);
  if (seen.size() >= 2 && seen[0] == 30 && seen.back() == 41) { NEXT; }
  return seen;
}
void check(const Seen& seen) { if (seen == Seen{3, 1}) { CHECK; } }
TARRY_FOREIGN("Next", next)
TARRY_FOREIGN("Check", check)
"""


def foreign(next_="", check=""):
    return FOREIGN.replace("NEXT", next_).replace("CHECK", check)


# What can happen in Next and in Check. The environment says which, by number, so that one compilation does for all.
IN_NEXT = ["*(volatile int*)0 = 1", "abort()", "overflow()", "exit(3)", "assert(seen.empty())", "for (volatile int i = 0;; i = i + 1) {}", 'throw std::runtime_error("no luck")', "throw 7"]
IN_CHECK = ["abort()", 'throw std::runtime_error("not this")']


def any_of(variable, codes):
    return f'switch (atoi(getenv("{variable}"))) {{ ' + " ".join(f"case {number}: {code}; break;" for number, code in enumerate(codes)) + " }"


class Finding(CliTest):
    """Whatever happens in a foreign function is found, and its trace replays."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.program = pathlib.Path(folder.name) / "a.p"
        cls.program.write_text(PROGRAM, encoding="utf-8")
        cls.program.with_suffix(".cpp").write_text(foreign(any_of("IN_NEXT", IN_NEXT), any_of("IN_CHECK", IN_CHECK)), encoding="utf-8")

    def finds(self, kind, message, *args, test="tcAll", jobs=2, search="bfs", next_=None, check=None):
        env = {"IN_NEXT": str(IN_NEXT.index(next_) if next_ else -1), "IN_CHECK": str(IN_CHECK.index(check) if check else -1)}
        report = self.check_json(self.program, "-tc", test, "--search", search, "--jobs", jobs, "--time", "30s", "--step-timeout", "1s", *args, expect=1, env=env)
        (finding,) = report["findings"]
        self.assertEqual(finding["kind"], kind, finding)
        self.assertRegex(finding["message"], "^" + message + "$")
        self.assertEqual([note for note in report.get("notes", []) if "confirmed" in note or "cannot follow" in note], [])
        again = self.tarry("replay", finding["trace"], "--json", expect=1, env=env).json()
        self.assertEqual(again["verdict"], "reproduced")
        for key in ("kind", "message", "steps"):
            self.assertEqual(again[key], finding[key], key)
        self.assertTrue((again["location"] or "").endswith(finding["location"] or ""), again["location"])
        return finding

    def test_no_bug(self):
        self.write("a.p", PROGRAM)
        self.write("a.cpp", foreign())
        report = self.check_json("a.p", "-tc", "tcAll", expect=0)
        self.assertEqual(report["verdict"], "verified")

    def test_crash(self):
        message = "foreign function 'Next' crashed with SIGSEGV at address 0x0 in a step of Server.2."
        for search in ("bfs", "dfs", "random-walk", "ses"):
            with self.subTest(search=search):
                self.finds("crash", message, next_="*(volatile int*)0 = 1", search=search)

    def test_parallel_crash_with_many_workers(self):
        self.finds("crash", "foreign function 'Next' crashed with SIGABRT in a step of Server.2.", next_="abort()", jobs=6)

    def test_stack_overflow(self):
        self.finds("crash", "foreign function 'Next' overflowed its stack in a step of Server.2.", next_="overflow()")

    def test_a_crash_is_told_with_the_step_that_an_exception_is_told_with(self):
        """A step that passes points over and fails is told from point to point. A crash cannot be taken again, so it is not behind such points."""
        program = """
          fun Bad(n: int);
          event e: int;
          machine Main { start state S { entry { send this, e, 0; send this, e, 1; } on e do (n: int) { Bad(n); } } }
          spec Sees observes e { start state S { on e do (n: int) { Bad(n); } } }
          machine Told { start state S { entry { raise e, 0; } on e do (n: int) { if (n < 1) { new Other(); raise e, n + 1; } announce e, 1; } } }
          machine Other { start state S { } }
          test tcMachine [main = Main]: { Main };
          test tcSpec [main = Told]: assert Sees in { Told, Other };
        """
        source = '#include <tarry/foreign.h>\n#include <cstdlib>\n#include <stdexcept>\nvoid bad(std::int64_t n) { if (n != 1) return; if (getenv("ABORTS")) abort(); throw std::runtime_error("no"); }\nTARRY_FOREIGN("Bad", bad)\n'
        self.write("b.p", program)
        self.write("b.cpp", source)
        for test in ("tcMachine", "tcSpec"):
            for search in ("bfs", "dfs", "portfolio"):
                with self.subTest(test=test, search=search):
                    told = []
                    for env, points in (({"ABORTS": "yes"}, "needed"), ({}, "needed"), ({"ABORTS": "yes"}, "p")):
                        report = self.check_json("b.p", "b.cpp", "-tc", test, "--search", search, "--points", points, expect=1, env=env)
                        (finding,) = report["findings"]
                        told.append((finding["kind"], finding["steps"]))
                        again = self.tarry("replay", finding["trace"], "--json", expect=1, env=env).json()
                        self.assertEqual((again["verdict"], again["steps"]), ("reproduced", finding["steps"]))
                    self.assertEqual([kind for kind, _ in told], ["crash", "runtime-error", "crash"])
                    self.assertEqual(len({steps for _, steps in told}), 1, told)

    def test_exit(self):
        self.finds("crash", "foreign function 'Next' called exit.3. in a step of Server.2.", next_="exit(3)")

    def test_assert(self):
        finding = self.finds("assertion", "assertion 'seen.empty..' failed in a step of Server.2.", next_="assert(seen.empty())")
        self.assertIn("a.cpp:", finding["location"])

    def test_endless(self):
        self.finds("nontermination", "foreign function 'Next' did not come back within 1 s in a step of Server.2.",
                   next_="for (volatile int i = 0;; i = i + 1) {}")

    def test_exception(self):
        finding = self.finds("runtime-error", "foreign function 'Next': no luck .R23.", next_='throw std::runtime_error("no luck")')
        self.assertIn("a.p:34", finding["location"])

    def test_something_else_thrown(self):
        self.finds("runtime-error", "foreign function 'Next': threw something that is no std::exception .R23.", next_="throw 7")

    def test_crash_in_a_spec(self):
        finding = self.finds("crash", "foreign function 'Check' crashed with SIGABRT in a step of Worker.[5-8].", check="abort()", test="tcSpec")
        self.assertGreater(finding["steps"], 3)

    def test_exception_in_a_spec(self):
        self.finds("runtime-error", "foreign function 'Check': not this .R23.", check='throw std::runtime_error("not this")', test="tcSpec")

    def test_crash_in_the_first_step(self):
        self.write("b.p", "fun F(); machine Main { start state S { entry { F(); } } }")
        self.write("b.cpp", '#include <tarry/foreign.h>\n#include <cstdlib>\nvoid f() { abort(); }\nTARRY_FOREIGN("F", f)\n')
        (finding,) = self.check_json("b.p", expect=1)["findings"]
        self.assertEqual(finding["message"], "foreign function 'F' crashed with SIGABRT in a step of Main(1)")
        self.tarry("replay", finding["trace"], expect=1)

    def test_crash_of_one_of_thousands_of_machines(self):
        """Far down a chain of creators, under another number in the search than in the replay."""
        self.write("b.p", """
            fun F();
            event e;
            machine M { start state S { entry (n: int) { if (n < 6000) new M(n + 1); else send new Last(), e; } } }
            machine Last { start state S { on e do { F(); } } }
            machine Main { start state S { entry { new M(1); new M(5500); } } }
        """)
        self.write("b.cpp", '#include <tarry/foreign.h>\n#include <cstdlib>\nvoid f() { abort(); }\nTARRY_FOREIGN("F", f)\n')
        (finding,) = self.check_json("b.p", "--search", "bfs", expect=1)["findings"]
        self.assertRegex(finding["message"], r"^foreign function 'F' crashed with SIGABRT in a step of Last\([0-9]+\)$")
        self.tarry("replay", finding["trace"], expect=1)

    def test_passes_through(self):
        """A bug of the program itself, behind foreign code."""
        self.write("c.p", PROGRAM.replace("seen = Next(seen, number * 10 + extra);", "seen = Next(seen, number); assert seen != default(seq[int]) && seen[0] != 3;"))
        self.write("c.cpp", foreign())
        (finding,) = self.check_json("c.p", "-tc", "tcAll", expect=1)["findings"]
        self.assertEqual(finding["kind"], "assertion")
        self.assertIn("c.p:", self.tarry("replay", finding["trace"], expect=1).out)

    def test_not_a_function(self):
        """It has a memory of its own: said to be nondeterminism, or found by luck, but never a wrong trace."""
        self.write("a.p", PROGRAM)
        self.write("a.cpp", foreign().replace("seen.push_back(number);", "static int calls; seen.push_back(number); if (++calls > 40) abort();"))
        (finding,) = self.check_json("a.p", "-tc", "tcAll", "--jobs", "1", expect=1)["findings"]
        self.assertEqual(finding["kind"], "nondeterminism")


class Files(CliTest):
    def test_missing_ones_are_all_named(self):
        self.write("a.p", PROGRAM)
        run = self.refused("check", "a.p", says=["a.p:3:5: error: foreign function 'Next' has no implementation; ",
                                                 "a.p:4:5: error: foreign function 'Check' has no implementation; ", 'TARRY_FOREIGN("Next", function)', "--foreign"])
        self.assertNotIn("tarry-out", os.listdir(self.folder), str(run))

    def test_only_what_the_test_calls_is_needed(self):
        self.write("a.p", PROGRAM)
        self.write("a.cpp", foreign().replace('TARRY_FOREIGN("Check", check)', ""))
        self.tarry("check", "a.p", "-tc", "tcAll", expect=0)
        run = self.refused("check", "a.p", says="foreign function 'Check' has no implementation")
        self.assertNotIn("'Next'", run.err)

    def test_nothing_is_built_if_nothing_is_called(self):
        self.write("a.p", "type tThing; fun F(x: tThing); machine Main { var x: tThing; start state S { entry { x = default(tThing); } } }")
        self.write("a.cpp", "#error\nTARRY_FOREIGN(1, 2)\n")
        self.tarry("check", "a.p", expect=0)

    def test_named_files(self):
        self.write("a.p", PROGRAM)
        (self.folder / "elsewhere").mkdir()
        text = foreign('throw std::runtime_error("no luck")')
        self.write("elsewhere/next.cpp", text.replace('TARRY_FOREIGN("Check", check)', ""))
        self.write("elsewhere/check.cpp", text.replace('TARRY_FOREIGN("Next", next)', ""))
        both = ["--foreign", "elsewhere/next.cpp", "--foreign=elsewhere/check.cpp"]
        self.refused("check", "a.p", *both[:2], says="'Check' has no implementation")
        for test in ("tcAll", "tcSpec"):
            (finding,) = self.check_json("a.p", "-tc", test, *both, expect=1)["findings"]
            self.assertEqual(finding["kind"], "runtime-error")
            self.tarry("replay", finding["trace"], expect=1)

    def test_named_with_the_program(self):
        self.write("a.p", PROGRAM)
        self.write("other.cpp", foreign())
        self.tarry("check", "a.p", "other.cpp", "-tc", "tcAll", expect=0)

    def test_project(self):
        (self.folder / "PSrc").mkdir()
        (self.folder / "PForeign").mkdir()
        self.write("PSrc/a.p", PROGRAM)
        self.write("PForeign/f.cc", foreign())
        self.write("PForeign/unused.cpp", "int main() {}\n")
        self.write("a.pproj", "<Project><ProjectName>A</ProjectName><InputFiles><PFile>./PSrc</PFile><PFile>./PForeign</PFile></InputFiles></Project>")
        run = self.tarry("check", ".", "-tc", "tcAll", expect=0)
        self.assertIn("unused.cpp: note: is not used: TARRY_FOREIGN is not in it", run.err)

    def test_identity(self):
        """A trace is refused once the C++ has changed, and stands if it has only been touched."""
        self.write("a.p", PROGRAM)
        text = foreign('throw std::runtime_error("no luck")')
        self.write("a.cpp", text)
        (finding,) = self.check_json("a.p", "-tc", "tcAll", expect=1)["findings"]
        self.write("a.cpp", text)
        self.tarry("replay", finding["trace"], expect=1)
        self.write("a.cpp", text + "\nint more;\n")
        self.refused("replay", finding["trace"], says="the program has changed")

    def test_unknown_names(self):
        self.write("a.p", PROGRAM)
        self.write("a.cpp", foreign() + 'TARRY_FOREIGN("Nxt", next)\n')
        run = self.tarry("check", "a.p", "-tc", "tcAll", expect=0)
        self.assertIn("a.cpp: note: 'Nxt' is no foreign function of the program", run.err)

    def test_twice(self):
        self.write("a.p", PROGRAM)
        self.write("a.cpp", foreign())
        self.write("b.cpp", foreign())
        self.refused("check", "a.p", "--foreign", "b.cpp", says="a.p:3:5: error: foreign function 'Next' is implemented twice, in 'b.cpp' and in 'a.cpp'")

    def test_wrong_number_of_parameters(self):
        self.write("a.p", PROGRAM)
        self.write("a.cpp", foreign().replace("Seen next(Seen seen, std::int64_t number) {", "Seen next(Seen seen) { int number = 0;"))
        self.refused("check", "a.p", says="a.p:3:5: error: foreign function 'Next' has 2 parameters, but its implementation in 'a.cpp' has 1")

    def test_what_is_no_foreign_function(self):
        self.write("a.p", PROGRAM)
        self.write("b.cpp", "int main() {}\n")
        self.refused("check", "a.p", "--foreign", "b.cpp", says="b.cpp: error: has no foreign functions")
        self.refused("check", "a.p", "--foreign", "none.cpp", says="none.cpp: error: no such file")
        self.write("c.cpp", "#include <tarry/foreign.h>\nTARRY_FOREIGN(\"F\", nothing)\n")
        self.refused("check", "a.p", "--foreign", "c.cpp", says="c.cpp:2")
        self.write("d.so", "no object")
        self.refused("check", "a.p", "--foreign", "d.so", says="is not a shared object")
        self.write("e.cpp", foreign() + "struct Early { Early() { abort(); } } early;\n")
        self.refused("check", "a.p", "--foreign", "e.cpp", says="e.cpp: error: it crashes, exits or does not come back when it is loaded")

    def test_only_for_p(self):
        self.write("m.cpp", "#include <tarry/model.h>\n")
        self.refused("check", "m.cpp", "--foreign", "a.cpp", says="--foreign is for P programs")


if __name__ == "__main__":
    unittest.main()
