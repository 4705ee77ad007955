#!/usr/bin/env python3
"""C++ models that go wrong: what is wrong is told in words, and a verdict says what it rests on."""

import concurrent.futures
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from common import PHILOSOPHERS, SANITIZED, CliTest  # noqa: E402
from registry import searches  # noqa: E402

MODEL = r"""
#include <tarry/model.h>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
static void* volatile kept;
struct M {
  struct State { STATE };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, tarry::Run& run) { STEP }
  MEMBERS
};
TARRY_MODEL(M)
"""
COUNTS = "if (s.pc[p] == 2) return run.ended(); ++s.pc[p];"


class ModelTest(CliTest):
    def model(self, name="model.cpp", state="tarry::Upto<3> pc[2]; TARRY_FIELDS(pc)", step=COUNTS, members=""):
        return self.write(name, MODEL.replace("STATE", state).replace("STEP", step).replace("MEMBERS", members))


class WideStates(ModelTest):
    """A state may be wide, and padded in any way. gcc's own builtin for padding is wrong behind arrays of padded structs, and clang does not fold more than 256 terms."""

    NODE = "struct Node { bool up; std::int64_t n; TARRY_FIELDS(up, n) }; "
    FINE = (NODE + "Node node[5]; tarry::Upto<3> pc[2]; TARRY_FIELDS(node, pc)",
            NODE + "Node node[5]; std::int64_t wide[300]; tarry::Upto<3> pc[2]; TARRY_FIELDS(node, wide, pc)")  # fmt: skip
    FORGETFUL = NODE + "Node node[5]; std::int64_t wide[300]; tarry::Upto<3> pc[2]; bool forgotten; TARRY_FIELDS(node, wide, pc)"

    def test_with_both_compilers(self):
        step = "if (s.pc[p] == 2) return run.ended(); ++s.pc[p]; s.node[4].n = -1;"
        for compiler in ("g++", "clang++"):
            for number, state in enumerate(self.FINE):
                with self.subTest(compiler=compiler, state=number):
                    done = self.tarry("check", self.model(state=state, step=step), "--search", "dfs", env={"CXX": compiler}, expect=0)
                    self.assertIn("verified: all 9 reachable states", done.out)
            with self.subTest(compiler=compiler, state="forgetful"):
                done = self.tarry("check", self.model(state=self.FORGETFUL), env={"CXX": compiler}, expect=2)
                self.assertIn("must name every field", done.err)


class Ranges(ModelTest):
    """A value outside of the declared range is found where it is made, whether its bits have room for it or not."""

    def test_counted_enums(self):
        for count, base in ((3, "int"), (5, "std::uint8_t"), (6, "std::uint16_t"), (8, "int")):
            names = ", ".join(f"k{i}" for i in range(count))
            state = f"enum class C : {base} {{ {names}, count_ }}; C before; C c; C after; bool done; TARRY_FIELDS(before, c, after, done)"
            step = "if (p == 1 || s.done) return run.ended(); if (static_cast<int>(s.c) + 1 == atoi(getenv(\"LAST\"))) { s.done = true; return; } s.c = static_cast<State::C>(static_cast<int>(s.c) + 1);"
            with self.subTest(count=count, base=base):
                path = self.model(state=state, step=step)
                self.assertEqual(self.check_json(path, expect=0, env={"LAST": str(count)})["states"], count + 1)
                finding = self.check_json(path, expect=1, env={"LAST": str(count + 1)})["findings"][0]
                self.assertEqual(finding["kind"], "exception")
                self.assertIn("outside of its declared range", finding["message"])


class ManyOutcomes(ModelTest):
    """--step-timeout is about one step, not about all outcomes of a state together."""

    def test_none_of_them_is_slow(self):
        path = self.model(state="std::uint16_t x; bool done; TARRY_FIELDS(x, done)",
                          step="if (p == 1 || s.done) return run.ended(); s.x = static_cast<std::uint16_t>(run.choose(4000)); s.done = true; for (volatile int i = 0; i < 500000; i = i + 1) {}")
        for search in ("dfs", "bfs", "fair-cycle", "ses"):
            with self.subTest(search=search):
                report = self.check_json(path, "--search", search, "--jobs", "1", "--step-timeout", "1s", expect=0)
                self.assertEqual((report["verdict"], report["states"]), ("verified", 4001), report["verdict_text"])

    def test_slow_outcomes_of_a_state_are_steps_each(self):
        """Thirty steps of a twenty-fifth of a second each, and each of them once more to be compared."""
        spin = "timespec from, now; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from); do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); while ((now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec - from.tv_nsec < 40000000);"
        path = self.model(state="std::uint16_t x; bool done; TARRY_FIELDS(x, done)",
                          step="if (p == 1 || s.done) return run.ended(); s.x = static_cast<std::uint16_t>(run.choose(30)); s.done = true; " + spin)
        for search in ("dfs", "ses", "ndfs"):
            with self.subTest(search=search):
                report = self.check_json(path, "--search", search, "--jobs", "1", "--step-timeout", "1s", expect=0)
                self.assertEqual((report["verdict"], report["states"]), ("verified", 31), report["verdict_text"])

    def test_the_search_stays_answerable(self):
        path = self.model(state="std::uint16_t x; bool done; TARRY_FIELDS(x, done)",
                          step="if (p == 1 || s.done) return run.ended(); s.x = static_cast<std::uint16_t>(run.choose(60000)); s.done = true; for (volatile int i = 0; i < 5000000; i = i + 1) {}")
        for search in ("dfs", "bfs"):
            with self.subTest(search=search):
                report = self.check_json(path, "--search", search, "--jobs", "1", "--time", "1s", expect=0)
                self.assertEqual((report["verdict"], report["stopped_by"]), ("no-bug-found", "time"), report["verdict_text"])
                self.assertNotIn("did not come back", str(report))


class FailuresUnderFormulas(ModelTest):
    """The state of a failing step is compared like any other, whether the automaton has a word of its own or not."""

    FAILS = {"invariant": "run.expect(s.x != 2, \"x is 2\");", "at_end": "run.expect(s.x != 2, \"x is 2\");"}

    def test_every_search_tells_the_failure_only(self):
        for bits in (30, 32, 64):  # with the automaton's: one word, a second word that is new, a third
            for member, fails in self.FAILS.items():
                path = self.model(name=f"m{bits}{member}.cpp", state=f"tarry::Upto<3> x; bool pad[{bits - 2}]; TARRY_FIELDS(x, pad)",
                                  step="if (p == 1 || s.x == 2) return run.ended(); s.x = s.x + 1;",
                                  members=f'void labels(const State&, tarry::Labels& l) {{ l.add("b", false); }} void {member}(const State& s, tarry::Run& run) {{ {fails} }}')
                for search in searches(models=True):
                    for formula in ("b", "F b", "X (b W X b)"):
                        with self.subTest(bits=bits, member=member, search=search, formula=formula):
                            found = self.check_json(path, "--search", search, "--ltl", formula, "--time", "20s", expect=1)["findings"]
                            self.assertNotIn("nondeterminism", [finding["kind"] for finding in found])
                            if search in ("bfs", "dfs", "ses"):
                                self.assertEqual([finding["kind"] for finding in found], ["assertion"])

    def test_labels_that_fail_in_the_first_state(self):
        path = self.model(members='void labels(const State&, tarry::Labels&) { throw std::runtime_error("no labels today"); }')
        self.assertIn("'labels' fails in the first state: no labels today", self.tarry("check", path, "--ltl", "F a", expect=2).err)

    def test_marks_that_are_no_function_of_the_state(self):
        path = self.model(members='void liveness(const State&, tarry::Liveness& l) { static int asked; l.infinitely_often("a", ++asked / 3 % 2 == 0); }')
        for search in ("ndfs", "fair-cycle"):
            with self.subTest(search=search):
                self.assertEqual(self.check_json(path, "--search", search, "--jobs", "1", expect=1)["findings"][0]["kind"], "nondeterminism")


class MisuseInChecks(ModelTest):
    """A check only expects: what is for steps is refused there, and cuts nothing off."""

    CALLS = {"run.ended()": "blocked(), idle() and ended() are for 'step': a check only expects", "run.idle()": "blocked(), idle() and ended() are for 'step'",
             "run.blocked()": "blocked(), idle() and ended() are for 'step'", "run.choose(2)": "choose() is for 'step': a check only expects",
             "run.sends(1)": "sends() is for 'step'", "run.yields()": "yields() is for 'step'", "run.accepts()": "accepts() is for 'step'",
             "run.moves_first(1)": "moves_first() and moves_last() are for 'step'", "run.moves_last(1)": "moves_first() and moves_last() are for 'step'",
             "run.seal()": "seal() is for 'step': a check only expects", "run.unseal()": "unseal() is for 'step': a check only expects"}

    def test_it_is_told(self):
        # One model for all calls: the environment says which one, and in which member.
        calls = "\n".join(f"case {number}: {call}; break;" for number, call in enumerate(self.CALLS))
        function = 'void MEMBER(const State& s, tarry::Run& run) { if (s.pc[0] == 2 && getenv("WHERE") == std::string("MEMBER")) switch (atoi(getenv("CALL"))) {\n' + calls + "\n} }\n"
        path = self.model(members="".join(function.replace("MEMBER", member) for member in ("invariant", "at_end")))
        text = (self.folder / path).read_text(encoding="utf-8")
        for number, (call, message) in enumerate(self.CALLS.items()):
            for member in ("invariant", "at_end"):
                with self.subTest(call=call, member=member):
                    report = self.check_json(path, "--search", "dfs", expect=1, env={"CALL": str(number), "WHERE": member})
                    self.assertEqual(report["findings"][0]["kind"], "misuse", report)
                    self.assertIn(message, report["findings"][0]["message"])
                    line = 1 + text[: text.index(f"{call};", text.index(f"void {member}"))].count("\n")
                    self.assertEqual(report["findings"][0]["location"], f"model.cpp:{line}")

    def test_it_is_told_of_the_first_state(self):
        path = self.model(members="void invariant(const State&, tarry::Run& run) { run.expect(run.choose(2) == 0, \"chosen\"); }")
        self.assertEqual(self.check_json(path, expect=1)["findings"][0]["kind"], "misuse")

    def test_a_step_says_one_thing(self):
        for says in ("run.blocked(); run.idle();", "run.idle(); run.ended();", "run.ended(); run.blocked();"):
            with self.subTest(says=says):
                report = self.check_json(self.model(step="if (s.pc[p] == 1) { " + says + " return; } ++s.pc[p];"), "--search", "dfs", expect=1)
                self.assertEqual(report["findings"][0]["kind"], "misuse", report)
                self.assertIn("blocked(), idle() and ended() exclude each other", report["findings"][0]["message"])
        for says in ("run.idle(); run.idle();", "run.ended(); run.ended();"):
            with self.subTest(says=says):
                self.check_json(self.model(step="if (s.pc[p] == 1) { " + says + " return; } ++s.pc[p];"), "--search", "dfs", expect=0)

    def test_steps_may(self):
        step = "if (s.pc[p] == 2) return run.ended(); if (s.pc[p] == 1 && s.pc[1 - p] == 0) return run.blocked(); s.pc[p] = s.pc[p] + 1 + run.choose(1);"
        self.check_json(self.model(step=step), expect=0)


class NamesGivenTwice(ModelTest):
    """A formula, and a verdict, must mean one label and one property."""

    LABELS = "void labels(const State& s, tarry::Labels& l) { l.add(\"x\", true); l.add(\"SECOND\", s.pc[0] == 1); }"
    LIVENESS = "void liveness(const State& s, tarry::Liveness& l) { l.eventually(\"x\", s.pc[0] == 2); l.FUNCTION(\"SECOND\", s.pc[1] == 2); }"

    def test_labels(self):
        finding = self.check_json(self.model(members=self.LABELS.replace("SECOND", "x")), "--ltl", "G x", expect=1)["findings"][0]
        self.assertEqual((finding["kind"], finding["steps"]), ("misuse", 0))
        self.assertIn("'labels' gives 'x' twice", finding["message"])
        self.check_json(self.model(members=self.LABELS.replace("SECOND", "xx")), "--ltl", "G x", expect=0)

    def test_properties(self):
        for function in ("eventually", "infinitely_often"):
            members = self.LIVENESS.replace("FUNCTION", function)
            finding = self.check_json(self.model(members=members.replace("SECOND", "x")), expect=1)["findings"][0]
            self.assertEqual(finding["kind"], "misuse")
            self.assertIn("'liveness' names 'x' twice", finding["message"])
            self.check_json(self.model(members=members.replace("SECOND", "X")), expect=0)

    def test_names_need_not_outlive_their_call(self):
        members = """void labels(const State& s, tarry::Labels& l) { for (int i = 0; i < 2; ++i) l.add(("done" + std::to_string(i)).c_str(), s.pc[i] == 2); }
          void liveness(const State& s, tarry::Liveness& l) { for (int i = 0; i < 2; ++i) l.eventually(("ends" + std::to_string(i)).c_str(), s.pc[i] == 2); }"""
        self.check_json(self.model(members=members), "--ltl", "F (done0 && done1)", expect=0)


class WideChoices(ModelTest):
    """What Tarry cannot do is a limit, and no finding."""

    STEP = "if (p == 1 || s.x != 0) return run.ended(); s.x = 1 + run.choose(NUMBER) % 2;"

    def test_more_values_than_tarry_can_tell_apart(self):
        state = "std::uint32_t x; TARRY_FIELDS(x)"
        for number, stopped in (("65536", "limit"), ("65535", None)):
            path = self.model(state=state, step=self.STEP.replace("NUMBER", number))
            for search in ("dfs", "bfs", "ses"):
                with self.subTest(search=search, number=number):
                    report = self.check_json(path, "--search", search, expect=0)
                    self.assertEqual(report["findings"], [])
                    if stopped:
                        self.assertEqual(report["stopped_by"], stopped)
                        self.assertIn("a choice of more than 65,535 values", report["verdict_text"])
                    else:
                        self.assertNotEqual(report["stopped_by"], "limit")

    def test_more_choices_in_a_step_than_tarry_keeps(self):
        state = "std::uint32_t x; TARRY_FIELDS(x)"
        for number, stopped in (("33", "limit"), ("32", None)):
            path = self.model(state=state, step=f"if (p == 1 || s.x != 0) return run.ended(); for (int i = 0; i < {number}; ++i) s.x += run.choose(i < 31 ? 1 : 2); ++s.x;")
            report = self.check_json(path, "--search", "dfs", expect=0)
            self.assertEqual(report["findings"], [])
            self.assertEqual("more than 32 choices in one step" in report["verdict_text"], stopped == "limit", report["verdict_text"])
            self.assertEqual(report["verdict"], "no-bug-found" if stopped == "limit" else "verified")

    def test_in_a_check_it_is_misuse(self):
        path = self.model(members="void invariant(const State&, tarry::Run& run) { run.choose(65536); }")
        self.assertEqual(self.check_json(path, expect=1)["findings"][0]["kind"], "misuse")


class FaultyMembers(ModelTest):
    """Each member that Tarry calls may crash, throw or not come back; what is told is that, at the step that led there."""

    MEMBERS = {"invariant": "void invariant(const State& s, tarry::Run&) { if (s.pc[0] == 2) fault(); }",
               "at_end": "void at_end(const State& s, tarry::Run&) { if (s.pc[0] == 2) fault(); }",
               "liveness": "void liveness(const State& s, tarry::Liveness& l) { if (s.pc[0] == 2) fault(); l.eventually(\"x\", true); }",
               "labels": "void labels(const State& s, tarry::Labels& l) { if (s.pc[0] == 2) fault(); l.add(\"a\", true); }",
               "processes": "static constexpr int max_processes = 2; int processes(const State& s) { if (s.pc[0] == 2) fault(); return 2; }"}
    # Not UTF-8, and where it is cut in the note of a crash, half a character is left.
    NAME = "std::string process_name(int) { std::string name = \"Caf\\xe9\"; for (int i = 0; i < 40; i++) name += \"\\u00e9\"; return name; }\n"
    # The environment decides which one, so that one compilation does for all.
    FAULT = "static void fault() { switch (*getenv(\"FAULT\")) { case 'c': *static_cast<volatile int*>(nullptr) = 1; break; case 'e': throw 1; default: for (;;) kept = nullptr; } }\n"
    KINDS = ("crash", "exception", "nontermination")

    def test_kinds(self):
        for member, code in self.MEMBERS.items():
            path = self.model(members=self.FAULT + self.NAME + code)
            if member == "processes":
                text = (self.folder / path).read_text(encoding="utf-8")
                (self.folder / path).write_text(text.replace("static constexpr int processes = 2;", ""), encoding="utf-8")
            for kind in self.KINDS:
                more = ["--ltl", "G a"] if member == "labels" else []
                for search in ("dfs", "fair-cycle"):
                    with self.subTest(member=member, kind=kind, search=search):
                        env = {"FAULT": kind}
                        finding = self.check_json(path, *more, "--search", search, "--step-timeout", "200ms", expect=1, env=env)["findings"][0]
                        self.assertEqual(finding["kind"], kind, finding)
                        self.assertGreaterEqual(finding["steps"], 2)
                        again = self.tarry("replay", finding["trace"], "--json", expect=1, env=env).json()
                        self.assertEqual((again["verdict"], again["kind"]), ("reproduced", kind), again)


class Checks(ModelTest):
    """A verdict says which checks there were."""

    def checks(self, **parts):
        return self.check_json(self.model(**parts), "--search", "dfs", expect=0)["checks"]

    def test_invariant_and_end_check(self):
        invariant = "void invariant(const State& s, tarry::Run& run) { run.expect(s.pc[0] < 3, \"x\"); }"
        at_end = "void at_end(const State& s, tarry::Run& run) { run.expect(s.pc[0] == 2, \"x\"); }"
        self.assertEqual(self.checks(members=invariant + at_end), {"made": ["invariant", "end check"], "missing": []})
        self.assertIn("explored; checks: invariant, end check\n", self.tarry("check", "model.cpp", expect=0).out)

    def test_nothing_is_checked(self):
        missing = "the model has no 'invariant', no 'at_end' and comes to no run.expect()"
        self.assertEqual(self.checks(), {"made": [], "missing": [missing]})
        self.assertIn(f"explored; checks: only what every program is checked for; {missing}\n", self.tarry("check", "model.cpp", expect=0).out)

    def test_steps_that_expect(self):
        self.assertEqual(self.checks(step=COUNTS + "run.expect(true, \"x\");")["made"], ["expectations in steps"])

    def test_checks_that_check_nothing(self):
        checks = self.checks(members="void invariant(const State&, tarry::Run&) {} void at_end(const State&, tarry::Run&) {}")
        self.assertEqual(checks, {"made": [], "missing": ["'invariant' came to no run.expect()", "'at_end' came to no run.expect()"]})

    def test_an_end_that_never_comes(self):
        checks = self.checks(step="s.pc[p] = 1 - s.pc[p];", members="void at_end(const State&, tarry::Run& run) { run.expect(false, \"x\"); }")
        self.assertEqual(checks["missing"], ["'at_end' was not asked: no state was met in which no process can run"])


class Refused(ModelTest):
    def test_an_invariant_that_cannot_be_called(self):
        self.model(members="void invariant(State& s, tarry::Run& run) { run.expect(s.pc[0] < 1, \"x\"); }")
        run = self.refused("check", "model.cpp", says=["model.cpp:14:1: error: ", "expected, and public: void invariant(const State& s, tarry::Run& run)"])
        self.assertEqual(run.err.count("error:"), 1, run.err)

    def test_the_same_as_json(self):
        self.model(members="void Invariant(const State&, tarry::Run&) {}")
        run = self.tarry("check", "model.cpp", "--json", expect=2)
        error = run.json()
        self.assertEqual((error["verdict"], error["exit_code"], error["error"]["kind"]), ("error", 2, "input"))
        self.assertIn("did you mean 'void invariant(const State& s, tarry::Run& run)'?", error["error"]["message"])
        self.assertIn("did you mean", run.err)


class FirstStates(ModelTest):
    """The first state is a function of nothing at all."""

    MODEL = r"""
#include <tarry/model.h>
#include <cstdlib>
static int made;
struct M {
  struct State { tarry::Upto<3> pc[2]; TARRY_FIELDS(pc) };
  static constexpr int processes = 2;
  const int which = atoi(getenv("WHICH"));
  int number = which == 2 ? made++ % 2 : which == 4 ? 1 : which == 5 ? made++ : 0;
  State initial() {
    State s{};
    switch (which) {
      case 0: s.pc[0] = rand() % 2; break;
      case 1: s.pc[0] = made++ % 2; break;
      case 2: s.pc[0] = number; break;
      case 3: s.pc[0] = number++ % 2; break;
      case 4: s.pc[0] = number; break;
      case 5: s.pc[0] = number < 0 ? 1 : 0; break;
    }
    return s;
  }
  void step(State& s, int p, tarry::Run& run) { if (s.pc[p] == 2) return run.ended(); ++s.pc[p]; }
};
TARRY_MODEL(M)
"""

    def setUp(self):
        super().setUp()
        self.path = self.write("first.cpp", self.MODEL)

    def test_those_that_differ_from_call_to_call_are_told(self):
        for which in range(4):
            for search in ("portfolio", "dfs", "pct"):
                with self.subTest(which=which, search=search):
                    env = {"WHICH": str(which)}
                    (finding,) = self.check_json(self.path, "--search", search, expect=1, env=env)["findings"]
                    self.assertEqual((finding["kind"], finding["steps"]), ("nondeterminism", 0))
                    self.assertIn("two calls of 'initial' gave different states", finding["message"])
                    self.assertIn("reproduced nondeterminism", self.tarry("replay", finding["trace"], expect=1, env=env).out)

    def test_those_that_do_not_are_fine(self):
        for which in (4, 5):
            with self.subTest(which=which):
                self.assertEqual(self.check_json(self.path, expect=0, env={"WHICH": str(which)})["verdict"], "verified")


class LongTexts(ModelTest):
    """What a model says is cut where nobody reads on."""

    FAILS = COUNTS + ' run.label("{}", std::string(LABEL)); run.expect(s.pc[0] != 2, "{}", std::string(MESSAGE));'

    def finding(self, label, message, name="p"):
        step = self.FAILS.replace("LABEL", label).replace("MESSAGE", message)
        (finding,) = self.check_json(self.model(step=step, members=f"std::string process_name(int) {{ return std::string({name}); }}"), "--search", "bfs", expect=1)["findings"]
        return finding, self.tarry("replay", finding["trace"], expect=1).out

    def test_they_are_cut(self):
        finding, told = self.finding("5000000, 'x'", "5000000, 'y'", "5000000, 'z'")
        self.assertEqual(finding["message"], "y" * 65536 + "... (5,000,000 bytes in all)")
        self.assertIn("x" * 65536 + "... (5,000,000 bytes in all)", told)
        self.assertIn("z" * 256 + "... ", told)
        self.assertLess(len(told), 1_000_000)

    def test_no_character_is_cut_in_two(self):
        finding, _ = self.finding('"x"', '"y" + [] { std::string s; for (int i = 0; i < 50000; ++i) s += "\\xC3\\xA9"; return s; }()', '"p"')
        self.assertEqual(finding["message"], "y" + "\u00e9" * 32767 + "... (100,001 bytes in all)")

    def test_others_are_whole(self):
        finding, told = self.finding("60000, 'x'", "65536, 'y'", "256, 'z'")
        self.assertEqual(finding["message"], "y" * 65536)
        self.assertIn("x" * 60000, told)
        self.assertNotIn("...", told)


class Misuse(ModelTest):
    def finding(self, *args, expect=1, env=None, **parts):
        report = self.check_json(self.model(**parts), "--search", "dfs", *args, expect=expect, env=env)
        return report["findings"][0] if report["findings"] else report

    def test_fork(self):
        finding = self.finding(step=COUNTS + " if (p == 1) fork();")
        self.assertEqual((finding["kind"], finding["steps"]), ("misuse", 1))
        self.assertIn("called fork() in a step of process 1", finding["message"])
        replayed = self.tarry("replay", finding["trace"], expect=1)
        self.assertIn("called fork()", replayed.out)

    def test_numbers_of_values(self):
        step = 'if (s.pc[p] == 1) return run.ended(); ++s.pc[p]; run.choose(std::atoi(std::getenv("VALUES")));'
        for values, message in (("0", "choose(0): there is nothing to choose from"), ("-1", "choose(-1): a number of values is not negative")):
            with self.subTest(values=values):
                finding = self.finding(step=step, env={"VALUES": values})
                self.assertEqual((finding["kind"], finding["steps"]), ("misuse", 1))
                self.assertIn(message, finding["message"])

    def test_relatives_of_fork(self):
        for call in ("vfork", "_Fork"):
            with self.subTest(call=call):
                finding = self.finding(step=COUNTS + f" if (p == 1 && {call}() == 0) _exit(3);")
                self.assertEqual((finding["kind"], finding["steps"]), ("misuse", 1))
                self.assertIn(f"called {call}() in a step of process 1", finding["message"])

    def test_exec(self):
        calls = ("execl(\"/bin/true\", \"true\", nullptr)", "execlp(\"true\", \"true\", nullptr)", "execle(\"/bin/true\", \"true\", nullptr, environ)",
                 "execv(\"/bin/true\", arguments)", "execvp(\"true\", arguments)", "execve(\"/bin/true\", arguments, environ)")
        cases = " ".join(f"case {number}: {call}; break;" for number, call in enumerate(calls))  # one model for all
        for number, call in enumerate(calls):
            with self.subTest(call=call):
                finding = self.finding(step=COUNTS + ' static char* arguments[] = {nullptr}; if (p == 1) switch (atoi(getenv("CALL"))) { ' + cases + " }", env={"CALL": str(number)})
                self.assertEqual((finding["kind"], finding["steps"]), ("misuse", 1))
                self.assertIn(f"called {call.split('(')[0]}() in a step of process 1: a step must not replace its process", finding["message"])

    def test_a_child_may_run_another_program(self):
        spawn = " char* const arguments[] = {const_cast<char*>(\"true\"), nullptr}; pid_t pid; if (posix_spawnp(&pid, \"true\", nullptr, nullptr, arguments, environ) != 0) abort(); waitpid(pid, nullptr, 0);"
        source = MODEL.replace("STATE", "tarry::Upto<3> pc[2]; TARRY_FIELDS(pc)").replace("STEP", COUNTS + spawn).replace("MEMBERS", "")
        path = self.write("model.cpp", "#include <spawn.h>\n#include <sys/wait.h>\n" + source)
        self.assertEqual(self.check_json(path, "--search", "dfs", expect=0)["verdict"], "verified")

    def test_another_program_may_be_run(self):
        report = self.finding(step=COUNTS + " if (system(\"true\") != 0) abort();", expect=0)
        self.assertEqual(report["verdict"], "verified")

    def test_marks_name_the_users_line(self):
        seals = "static constexpr bool uses_seals = true;"
        step = "if (p == 1) { if (s.pc[1] == 1) return run.ended(); s.pc[1] = 1; return; }\n" \
               "if (s.pc[0] == 0) { s.pc[0] = 1; return run.seal(); }\n" \
               "if (s.pc[1] == 0) return run.blocked();\n" \
               "if (s.pc[0] == 2) return run.ended();\n" \
               "s.pc[0] = 2; run.unseal();\n"
        finding = self.finding(step=step, members=seals)
        self.assertEqual((finding["kind"], finding["location"]), ("misuse", "model.cpp:15"))
        self.assertIn("unseal() without a seal(); a process that blocks, is idle or ends has given its seal up", finding["message"])
        finding = self.finding(step=COUNTS + "run.seal();\n")
        self.assertEqual(finding["location"], "model.cpp:11")
        finding = self.finding(step=COUNTS + "run.choose(2);\nif (s.pc[p] == 2) run.blocked();")
        self.assertEqual((finding["message"], finding["location"]), ("blocked() after a choose() in the same step", "model.cpp:12"))
        finding = self.finding(step=COUNTS + "for (int i = 0; i < 65; ++i)\n run.sends(0);")
        self.assertEqual(finding["location"], "model.cpp:12")

    def test_unsealing_first_is_not_made_good_later(self):
        finding = self.finding(step=COUNTS + "run.unseal(); run.seal();", members="static constexpr bool uses_seals = true;")
        self.assertEqual(finding["kind"], "misuse")


class Memory(ModelTest):
    WIDE = "std::uint32_t at[2]; TARRY_FIELDS(at)"

    def held(self, step, *args):
        self.model(state=self.WIDE, step=step)
        return self.check_json("model.cpp", "--memory", "100M", "--time", "20s", *args, expect=0)

    def test_a_model_that_leaks_is_stopped_and_told(self):
        for search in ("dfs", "random-walk"):
            report = self.held("++s.at[p]; kept = malloc(65536); memset(kept, 1, 65536);", "--search", search)
            self.assertEqual(report["stopped_by"], "memory", report)
            self.assertTrue(any("takes memory that it does not give back" in note for note in report["notes"]), report["notes"])
            self.assertLess(report["peak_rss"], 1 << 30)

    def test_one_step_that_takes_everything(self):
        report = self.held("if (++s.at[p] == 3) while (true) { kept = malloc(1 << 20); memset(kept, 1, 1 << 20); }", "--search", "dfs")
        self.assertEqual((report["verdict"], report["stopped_by"]), ("no-bug-found", "memory"))
        self.assertLess(report["peak_rss"], 3 << 30)

    @unittest.skipIf(SANITIZED, "what is freed is kept for a while, so that late uses are found")
    def test_a_model_that_gives_back_what_it_takes(self):
        report = self.held("if (s.at[p] == 20) return run.ended(); ++s.at[p]; void* volatile own = malloc(1 << 20); memset(own, 1, 1 << 20); free(own);", "--search", "dfs")
        self.assertEqual((report["verdict"], report["notes"]), ("verified", []))

    def test_bitstate_takes_memory_as_it_comes(self):
        report = self.check_json(PHILOSOPHERS, "--search", "dfs", "--store", "bitstate", "--memory", "2G", expect=0)
        self.assertEqual(report["verdict"], "no-bug-found")
        self.assertLess(report["peak_rss"], 256 << 20)  # and not half of what is allowed, at once


class Folders(ModelTest):
    def test_tools_that_run_at_once_keep_all_of_their_traces(self):
        self.model(step=COUNTS + "run.expect(s.pc[0] < 2, \"two\");")
        self.tarry("check", "model.cpp", expect=1)
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            runs = list(pool.map(lambda _: self.tarry("check", "model.cpp", "--search", "dfs", "--json"), range(24)))
        traces = [run.json()["findings"][0]["trace"] for run in runs]
        self.assertEqual(len(set(traces)), 24, traces)
        for trace, run in zip(traces, runs):
            self.assertTrue((self.folder / trace).is_file(), trace)
            self.assertFalse([note for note in run.json()["notes"] if "not written" in note])
        self.assertEqual(len(list((self.folder / "tarry-out").glob("model-assertion-*.tarry"))), 25)

    def test_a_cache_folder_that_cannot_be_written(self):
        self.model()
        (self.folder / "file").write_text("no folder", encoding="utf-8")
        (self.folder / "tmp").mkdir()
        for cache in (str(self.folder / "file"), "/proc/no"):
            run = self.tarry("check", "model.cpp", env={"XDG_CACHE_HOME": cache, "TMPDIR": str(self.folder / "tmp")}, expect=0)
            self.assertIn("verified", run.out)
        self.assertTrue(list((self.folder / "tmp").glob("tarry-*/model-*.so")))

    def test_a_cache_folder_that_can(self):
        self.model()
        (self.folder / "tmp").mkdir()
        self.tarry("check", "model.cpp", env={"XDG_CACHE_HOME": str(self.folder / "cache"), "TMPDIR": str(self.folder / "tmp")}, expect=0)
        self.assertTrue(list((self.folder / "cache").glob("tarry/model-*.so")))
        self.assertFalse(list((self.folder / "tmp").iterdir()))

    def test_somebody_elses_temporary_folder_is_not_used(self):
        self.model()
        (self.folder / "tmp").mkdir()
        taken = self.folder / "tmp" / f"tarry-{os.getuid()}"
        taken.mkdir()
        taken.chmod(0o777)
        self.tarry("check", "model.cpp", env={"XDG_CACHE_HOME": "/proc/no", "TMPDIR": str(self.folder / "tmp")}, expect=0)
        self.assertFalse(list(taken.iterdir()))


class Errors(CliTest):
    """--json is one object on standard output, whatever happens."""

    def test_input_and_command_line(self):
        self.write("empty.tarry", "")
        for args in (["check", "nowhere.cpp"], ["check", PHILOSOPHERS, "--stroe", "exact"], ["check", PHILOSOPHERS, "--search", "no"],
                     ["check", PHILOSOPHERS, "--time"], ["check"], ["replay", "empty.tarry"], ["list", "nothing"]):
            run = self.tarry(*args, "--json", expect=2)
            error = json.loads(run.out)
            self.assertEqual((error["verdict"], error["exit_code"]), ("error", 2), run)
            self.assertIn(error["error"]["message"], run.err)

    def test_behind_two_dashes_it_is_the_programs_own(self):
        self.assertEqual(self.tarry("check", "nowhere.cpp", "--", "--json", expect=2).out, "")

    def test_a_report_that_cannot_be_written(self):
        self.write("file", "")
        run = self.tarry("check", PHILOSOPHERS, "--json", "--junit", "file/x.xml", expect=2)
        self.assertEqual(json.loads(run.out)["verdict"], "error")
        run = self.tarry("check", PHILOSOPHERS, "-D", "BUG=1", "--json", "--junit", "file/x.xml", expect=1)
        self.assertEqual(json.loads(run.out)["verdict"], "bug")
        self.assertIn("file", run.err)


if __name__ == "__main__":
    unittest.main()
