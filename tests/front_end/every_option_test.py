"""Every option of `tarry check`, as `--help-all` lists them, with every front end: the option works, or it is refused with exit code 2 and a message that
names it. No combination ends in a fault of Tarry's, and an option that is accepted changes what the report says, unless QUIET says why it need not."""

import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["BUILD_DIR"])
TOOL = BUILD / "bin" / "tarry_with_graph"  # tarry, with the front end of graph_target.cc and the form of reports of csv_form.cc
os.environ["XDG_CACHE_HOME"] = str(BUILD / "test-cache")

TARGETS = {
    "a.graph": "left start waiting\nleft waiting done\nright start ready\nleft ready both\nright waiting late\nright both start\n",
    "a.p": """event ePing: int;
spec Answered observes ePing { start state Idle { on ePing do (n: int) { assert n < 9; } } }
machine Main { start state S { entry { var other: machine; other = new Pong(); new Second(other); send other, ePing, 1; if ($) send other, ePing, 2; } } }
machine Second { start state S { entry (other: machine) { send other, ePing, 0; } } }
machine Pong { start state S { on ePing do (n: int) { assert n < 3; } } }
test tcOne [main = Main]: assert Answered in { Main, Second, Pong };
test tcTwo [main = Main]: { Main, Second, Pong };
""",
    "a.c": """#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void* add(void* unused) {
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, add, 0);
  add(0);
#ifdef X
  add(0);
#endif
#ifndef __OPTIMIZE__
  add(0);
#endif
#if __STDC_VERSION__ < 201710L
  add(0);
#endif
#if __has_include("extra.h")
  add(0);
#endif
  if (getchar() != EOF) add(0);
  pthread_join(other, 0);
  printf("%d\\n", count);
  return 0;
}
""",
    "a.cpp": """#include <tarry/model.h>
struct Counter {
  struct State { tarry::Upto<3> pc[2]; TARRY_FIELDS(pc) };
#ifdef X
  static constexpr int processes = 1;
#else
  static constexpr int processes = 2;
#endif
  State initial() { return {}; }
  void labels(const State& s, tarry::Labels& labels) { labels.add("ePing", s.pc[0] == 1); }
  void step(State& s, int p, tarry::Run& run) {
    if (s.pc[p] == 2) return run.ended();
    s.pc[p]++;
    run.label("step {}", s.pc[p]);
  }
};
TARRY_MODEL(Counter)
""",
}
NAMES = {"a.graph": "graphs", "a.p": "P programs", "a.c": "programs with threads", "a.cpp": "C++ models"}
FILES = {
    "headers/extra.h": "",
    "races.txt": "race:nothing\n",
    "input.txt": "text\n",
    "foreign.cpp": '#include <tarry/foreign.h>\nstatic int twice(int x) { return 2 * x; }\nTARRY_FOREIGN("Twice", twice)\n',
}

# Values to try, by what the help calls the value. `a|b` in the help is tried as a and as b.
VALUES = {
    "N": ["3"],
    "N[:M]": ["2", "2:3"],
    "DURATION": ["2s"],
    "SIZE": ["512M"],
    "FILE": ["out.file"],
    "FOLDER": ["."],
    "TEXT": ["-g"],
    "NAME": ["tcO"],
    "NAME[=VALUE]": ["X=1"],
    "NAME[:PARAMETER=N]": ["dfs", "prss:searches=2"],
    "NAME|FILE": ["round-robin"],
    "STATE": ["both"],
    "STANDARD": ["gnu11"],
    "LIBRARY": ["m"],
    "LEVEL": ["0"],
    "WHAT": ["safety"],
    "[=K|=off]": ["", "=2", "=off"],
}
VALUES_OF = {
    "--suppressions": ["races.txt"],
    "--input": ["input.txt"],
    "--foreign": ["foreign.cpp"],
    "--ltl": ["G !x", "G !ePing"],
    "--cc": ["cc"],
    "--cxx": ["c++"],
    "--cflags": ["-DX"],
    "--ldflags": ["-Wl,-O1"],
    "--memory": ["1G"],
    "-I": ["headers"],
    "--max-depth": ["1"],
    "--max-delays": ["0"],
    "--max-preemptions": ["0"],
}
ENDS_AT_ONCE = {"-h", "--help", "--help-all", "--version"}
# Options that have an effect with another one only, or more surely: they are tried alone and with it. (The portfolio keeps to --max-delays and
# --max-preemptions with the members that have such a bound; another member may decide a small program before.)
COMPANIONS = {
    "--explorer": ["--search", "ses"],
    "--strict-bound": ["--search", "ses"],
    "--choice-cost": ["--search", "ses"],
    "--keep-going": ["-s", "3"],
    "--temperature": ["-s", "3"],
    "--fail-on-maxsteps": ["-s", "3"],
    "--max-steps": ["--search", "pct", "-s", "3"],
    "--max-delays": ["--search", "ses"],
    "--max-preemptions": ["--search", "preemption-bounded"],
    "--accept": ["--fail-unless-verified"],
}
# Accepted options that need not change what the report says of these programs, and the test that shows what they do.
QUIET = {
    "--accept": "cli/p_verdict_test.py",
    "--cache program+explorer": "explore/cache_key_test.cc",
    "--cc": "slow_native/compilers_test.py",
    "--choice-cost": "cli/command_line_test.py",
    "--choices": "cli/liveness_test.py",
    "--clock-jumps": "native/trust_test.py",
    "--color": "cli/verdict_test.py",
    "--coverage": "cli/p_trace_test.py",
    "--cxx": "slow_native/compilers_test.py",
    "--explore": "cli/p_trace_test.py",
    "--fail-on-maxsteps": "cli/p_steps_test.py",
    "--fail-unless-verified": "cli/verdict_test.py",
    "--fairness": "cli/liveness_test.py",
    "--fair-scheduling": "native/fair_test.py",
    "--folder": "native/replays_test.py",
    "--foreign": "cli/p_foreign_test.py",
    "--fresh": "native/effects_test.py",
    "--json": "cli/command_line_test.py",
    "--ldflags": "cli/threads_check_test.py",
    "--memory": "cli/memory_kept_test.py",
    "--no-progress": "cli/threads_check_test.py",
    "--p-trace": "cli/p_trace_test.py",
    "--races": "cli/threads_check_test.py",
    "--reuses": "native/reuse_test.py",
    "--samaritan": "native/awaits_test.py",
    "--awaits": "native/fair/native.py",
    "--spurious": "native/primitives/spurious_wait.options",
    "--step-timeout": "cli/crash_test.py",
    "--strict-errors": "cli/p_trace_test.py",
    "--suppressions": "cli/threads_check_test.py",
    "--temperature": "cli/p_steps_test.py",
    "--time": "native/time_kept_test.py",
    "--when-full": "slow_cli/memory_kept_test.py",
    "-L": "cli/threads_check_test.py",
    "-l": "cli/threads_check_test.py",
    "-o": "cli/replay_test.py",
    "-v": "cli/p_trace_test.py",
}
CHANGES_WITH_TIME = {"seconds", "search_seconds", "peak_rss", "bytes_per_state"}


def options_of_help():
    """(names, value, default) of each option."""
    text = subprocess.run([TOOL, "check", "--help-all"], capture_output=True, text=True, check=True, timeout=60).stdout
    found = []
    for block in re.findall(r"^  -.*(?:\n {6,}.*)*", text, re.MULTILINE):
        names, value = re.match(r"  (-[\w+-]+(?:, -[\w+-]+)*)(?: (\S+))?", block).groups()
        default = re.search(r"default: ([\w+-]+)", " ".join(block.split()))
        found.append((names.split(", "), value or "", default and default[1]))
    return found


def values_of(names, value):
    for name in names:
        if name in VALUES_OF:
            return VALUES_OF[name]
    if value == "":
        return [None]
    if value in VALUES:
        return VALUES[value]
    if re.fullmatch(r"[a-z0-9+]+(\|[a-z0-9+]+)+", value):
        return value.split("|")
    raise AssertionError(f"{names} takes {value!r}: give VALUES an example")


def words(name, value):
    if value is None:
        return [name]
    if value == "" or value.startswith("="):
        return [name + value]
    return [name, value]


class EveryOption(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        for name, text in {**TARGETS, **FILES}.items():
            (cls.folder / name).parent.mkdir(exist_ok=True)
            (cls.folder / name).write_text(text)
        cls.options = [option for option in options_of_help() if not ENDS_AT_ONCE & set(option[0])]

    def check(self, *arguments):
        return subprocess.run([TOOL, "check", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)

    def test_the_help_was_understood(self):
        self.assertGreater(len(self.options), 60)
        for name in ("--time", "--races", "--bad", "--csv", "-D", "-I", "--ltl", "--fair-scheduling", "--cache"):
            self.assertTrue(any(name in names for names, _, _ in self.options), name)

    def test_the_effect_of_quiet_options_is_tested_elsewhere(self):
        tests = pathlib.Path(os.environ["SOURCE_DIR"], "tests")
        for option, test in QUIET.items():
            name = "kProgramAndExplorer" if option.endswith(" program+explorer") else option
            self.assertRegex((tests / test).read_text(encoding="utf-8"), rf"(?<![\w-]){re.escape(name)}(?![\w-])", f"{test} does not use {option}")

    def facts(self, done):
        """What the report says, but for what changes from run to run."""
        report = json.loads(done.stdout)
        return {fact: value if fact != "tests" else len(value) for fact, value in report.items() if fact not in CHANGES_WITH_TIME}

    def try_all(self, target):
        plain = {}  # by the companion
        for names, value, default in self.options:
            companions = [[], *(COMPANIONS[name] for name in names if name in COMPANIONS)]
            for name, sample, companion in itertools.product(names, values_of(names, value), companions):
                key = tuple(companion)
                if key not in plain:
                    done = self.check(target, "--time", "5s", "--json", *companion)
                    plain[key] = self.facts(done) if done.returncode != 2 else None
                shows = companion or len(companions) == 1
                if plain[key] is not None:
                    with self.subTest(target=target, option=words(name, sample), companion=companion):
                        self.try_one(target, names, words(name, sample), companion, plain[key] if shows and (default is None or sample != default) else None)

    def try_one(self, target, names, option, companion, plain):
        for left in self.folder.glob("out*"):
            left.unlink()
        name, sample = option[0], option[-1]
        done = self.check(target, *([] if name == "--time" else ["--time", "5s"]), *([] if name == "--json" else ["--json"]), *companion, *option)
        if os.environ.get("SHOW"):
            print(target, companion, option, done.returncode, done.stderr.strip().splitlines()[-1:], file=sys.stderr)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        self.assertNotIn("internal error", done.stdout + done.stderr)
        if done.returncode == 2:
            self.assertIn("error:", done.stderr)
            self.assertTrue(any(n in done.stderr for n in names), done.stderr)
        elif name == "--list-tests":
            self.assertIn("tcOne", done.stdout)
        elif sample == "out.file":
            self.assertTrue((self.folder / sample).exists() or name == "--trace", "nothing was written")
        elif plain is not None and not QUIET.keys() & {*names, " ".join(option)}:
            self.assertNotEqual(self.facts(done), plain, "the option changes nothing: is it ignored? Else QUIET names the test of its effect")


for file_name, plural in NAMES.items():
    setattr(EveryOption, f"test_{plural.replace(' ', '_').replace('+', 'p')}", lambda self, file_name=file_name: self.try_all(file_name))

if __name__ == "__main__":
    unittest.main()
