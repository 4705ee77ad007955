#!/usr/bin/env python3
"""Verdicts: words, JSON and exit codes of runs that verify, find a bug, or stop early."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import BROKEN, MODELS, PHILOSOPHERS, TARRY, CliTest, search_of  # noqa: E402

NUMBER = (int, float)
# The contract of DESIGN section 7.
TYPES = {"schema": int, "tarry": str, "target": str, "verdict": str, "reached": (dict, type(None)), "complete": bool, "checks": (dict, type(None)),
         "stopped_by": (str, type(None)), "search": str, "explorer": (str, type(None)), "seed": int, "jobs": int, "findings": list,
         "states": int, "executions": int, "transitions": int, "depth": int, "seconds": NUMBER, "peak_rss": int,
         "bytes_per_state": NUMBER}


class Json(CliTest):
    def obeys_contract(self, report):
        for key, kind in TYPES.items():
            self.assertIn(key, report)
            self.assertIsInstance(report[key], kind, key)
        self.assertEqual(report["schema"], 1)
        self.assertIn(report["verdict"], ("bug", "verified", "no-bug-found"))
        self.assertIn(report["stopped_by"], ("time", "memory", "bound", "samples", "interrupt", "limit", None))
        if report["reached"]:
            self.assertEqual(set(report["reached"]), {"bound", "value"})
        self.assertEqual(bool(report["findings"]), report["verdict"] == "bug")
        for finding in report["findings"]:
            for key, kind in (("kind", str), ("message", str), ("location", (str, type(None))), ("trace", str), ("steps", int),
                              ("delays", (int, type(None)))):
                self.assertIsInstance(finding[key], kind, key)
            self.assertTrue((self.folder / finding["trace"]).is_file())
        return report

    def test_verified(self):
        report = self.obeys_contract(self.check_json(PHILOSOPHERS, "-D", "N=4", "--search", "dfs", "--seed", "7", "--jobs", "1", expect=0))
        self.assertEqual((report["verdict"], report["complete"], report["stopped_by"]), ("verified", True, None))
        self.assertEqual((report["search"], report["explorer"], report["seed"], report["jobs"]), ("dfs", None, 7, 1))
        self.assertGreater(report["states"], 100)
        self.assertGreater(report["peak_rss"], 1 << 20)
        self.assertAlmostEqual(report["bytes_per_state"], report["peak_rss"] / report["states"], delta=0.01)

    def test_searches_agree_on_the_states(self):
        counts = {s: self.check_json(PHILOSOPHERS, "-DN=4", "--search", s, expect=0)["states"] for s in ("dfs", "ses", "bfs", "portfolio")}
        self.assertEqual(len(set(counts.values())), 1, counts)

    def test_bug(self):
        report = self.obeys_contract(self.check_json(PHILOSOPHERS, "-D", "BUG=1", "--search", "ses", expect=1))
        self.assertEqual((report["verdict"], report["complete"]), ("bug", False))
        (finding,) = report["findings"]
        self.assertEqual((finding["kind"], finding["steps"]), ("deadlock", 5))
        self.assertEqual(report["explorer"], "run-to-completion")

    def test_bounds(self):
        report = self.obeys_contract(self.check_json(PHILOSOPHERS, "--search", "ses", "--max-delays", "1", expect=0))
        self.assertEqual((report["verdict"], report["stopped_by"], report["reached"]), ("no-bug-found", "bound", {"bound": "delays", "value": 1}))
        report = self.obeys_contract(self.check_json(PHILOSOPHERS, "--search", "dfs", "--max-depth", "4", expect=0))
        self.assertEqual((report["verdict"], report["stopped_by"], report["complete"]), ("no-bug-found", "bound", False))
        report = self.obeys_contract(self.check_json(PHILOSOPHERS, "-D", "N=14", "--search", "dfs", "--time", "300ms", expect=0))
        self.assertEqual((report["verdict"], report["stopped_by"]), ("no-bug-found", "time"))

    def test_samples_imply_a_random_walk(self):
        report = self.obeys_contract(self.check_json(PHILOSOPHERS, "-s", "50", expect=0))
        self.assertEqual((report["search"], report["stopped_by"], report["executions"]), ("random-walk", "samples", 50))

    def test_lossy_stores_never_verify(self):
        report = self.obeys_contract(self.check_json(PHILOSOPHERS, "--search", "dfs", "--store", "bitstate", expect=0))
        self.assertEqual(report["verdict"], "no-bug-found")

    def test_what_the_program_prints_is_not_our_output(self):
        self.write("broken.cpp", BROKEN)
        run = self.tarry("check", "broken.cpp", "-D", "HOW=kPrints", "--search", "dfs", "--json", expect=0)
        self.assertEqual(run.json()["verdict"], "verified")
        self.assertIn("hello from the model", run.err)


class Words(CliTest):
    def test_verified(self):
        self.assertRegex(self.tarry("check", PHILOSOPHERS, expect=0).out, r"^tarry: verified: all [\d,]+ reachable states explored; checks: expectations in steps\n")

    def test_bug_and_its_replay_line(self):
        run = self.tarry("check", PHILOSOPHERS, "-D", "BUG=1", "--search", "ses", expect=1)
        self.assertRegex(run.out, r"^tarry: found deadlock after 5 steps \(4 delays\); replay it with: tarry replay tarry-out/philosophers-deadlock-1.tarry\n")
        self.assertIn("philosopher 4  takes fork 4", run.out)
        self.assertIn("deadlock: no process can run", run.out)
        self.assertNotIn("\x1b", run.out)
        self.assertIn("\x1b", self.tarry("check", PHILOSOPHERS, "-D", "BUG=1", "--color", "always", expect=1).out)

    def test_how_far(self):
        run = self.tarry("check", PHILOSOPHERS, "--search", "ses", "--max-delays", "2", expect=0)
        self.assertRegex(run.out, r"^tarry: no bug found; explored up to 2 delays, [\d,]+ states, stopped by --max-delays 2; checks: expectations in steps\n")
        self.assertIn("--strict-bound", run.out)
        run = self.tarry("check", PHILOSOPHERS, "--search", "dfs", "--max-depth", "4", expect=0)
        self.assertRegex(run.out, r"note: \d+ executions were cut at --max-depth 4")
        run = self.tarry("check", PHILOSOPHERS, "-D", "N=14", "--search", "dfs", "--time", "0.3s", expect=0)
        self.assertRegex(run.out, r"^tarry: no bug found; [\d,]+ states, stopped by --time 0.3s; checks: expectations in steps\n")
        run = self.tarry("check", PHILOSOPHERS, "--search", "dfs", "--store", "bitstate", expect=0)
        self.assertIn("coverage is probabilistic", run.out)

    def test_fail_unless_verified(self):
        self.tarry("check", PHILOSOPHERS, "--fail-unless-verified", expect=0)
        run = self.tarry("check", PHILOSOPHERS, "--search", "ses", "--max-delays", "1", "--fail-unless-verified", expect=1)
        self.assertIn("not verified: no bug found; explored up to 1 delay", run.err)

    def test_junit(self):
        for args, code, failures in ((["-D", "BUG=1"], 1, 1), ([], 0, 0)):
            self.tarry("check", PHILOSOPHERS, *args, "--junit", "sub/report.xml", expect=code)
            root = xml.etree.ElementTree.parse(self.folder / "sub/report.xml").getroot()
            self.assertEqual(len(list(root.iter("testcase"))), 1)
            self.assertEqual(len(list(root.iter("failure"))), failures)

    def test_prebuilt_objects(self):
        source = str(MODELS / "spin_wait.cpp")
        include = os.path.join(os.environ["SOURCE_DIR"], "include")
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-O1", "-shared", "-fPIC", "-I", include, source, "-o", self.folder / "spin.so"], check=True)
        self.assertIn("verified", self.tarry("check", "spin.so", expect=0).out)

    def test_an_explorer_of_ones_own(self):
        self.write("mine.cpp", r"""
#include <tarry/explorer.h>
using namespace tarry;
struct Mine : Explorer {
  Memo initial(const ProcessSet& alive) const override { return queue::of(alive); }
  ProcessId next(const Memo& memo, const ProcessSet& open) const override {
    if (CRASH) __builtin_trap();
    return queue::first_open(memo, open);
  }
  Memo delay(const Memo& memo, const ProcessSet& open) const override {
    Memo after = memo;
    queue::to_tail(after, next(memo, open));
    return after;
  }
  Memo step(const Memo& memo, const Step& step) const override {
    Memo after = memo;
    queue::update(after, step, [](Memo& m, ProcessId p) { m.push_back(static_cast<std::uint16_t>(index(p))); });
    return after;
  }
};
TARRY_EXPLORER(Mine)
""".replace("CRASH", "false"))
        report = self.check_json(PHILOSOPHERS, "-DN=4", "--search", "ses", "--explorer", "mine.cpp", expect=0)
        self.assertEqual((report["verdict"], report["explorer"]), ("verified", "Mine"))
        text = (self.folder / "mine.cpp").read_text(encoding="utf-8")
        self.write("bad.cpp", text.replace("if (false)", "if (true)"))
        self.blamed("bad.cpp", "explorer 'Mine' crashed with SIGILL when it was asked where to go")

    def blamed(self, explorer, says, *options):
        """The explorer is at fault: a finding of its own kind, with a state, whose trace can be replayed."""
        for jobs in ("1", "2"):
            for search in ("ses", "ss", "ses-ss"):
                report = self.check_json(PHILOSOPHERS, "-DN=4", "--search", search, "--explorer", explorer, "--jobs", jobs, *options, expect=1)
                self.assertEqual((report["verdict"], report["complete"], len(report["findings"])), ("bug", False, 1), report)
                finding = report["findings"][0]
                self.assertEqual(finding["kind"], "explorer")
                self.assertIn(says, finding["message"])
                self.assertIn("in which the explorer failed", self.tarry("replay", finding["trace"], expect=1).out)

    def explorer_with(self, name, **functions):
        parts = {"initial": "return queue::of(alive);", "step": "return memo;", "next": "return queue::first_open(memo, open);", "delay": "Memo after = memo; queue::to_tail(after, queue::first_open(memo, open)); return after;"}
        parts.update(functions)
        self.write(name, """
#include <tarry/explorer.h>
using namespace tarry;
struct Faulty : Explorer {
  Memo initial(const ProcessSet& alive) const override { INITIAL }
  ProcessId next(const Memo& memo, const ProcessSet& open) const override { NEXT }
  Memo delay(const Memo& memo, const ProcessSet& open) const override { DELAY }
  Memo step(const Memo& memo, const Step&) const override { STEP }
  mutable unsigned calls = 0;
};
TARRY_EXPLORER(Faulty)
""".replace("INITIAL", parts["initial"]).replace("NEXT", parts["next"]).replace("DELAY", parts["delay"]).replace("STEP", parts["step"]))
        return name

    def test_an_unsound_explorer_is_blamed(self):
        self.blamed(self.explorer_with("stays.cpp", delay="(void)open; return memo;"), ", which can run, not at all; as many delays")
        text = self.tarry("check", PHILOSOPHERS, "-DN=4", "--search", "ses", "--explorer", "stays.cpp", expect=1).out
        self.assertRegex(text, r"found a fault of the explorer after \d+ steps?")
        self.assertRegex(text, r"explorer 'Faulty' is not sound: it offers philosopher \d twice and philosopher \d, which can run")

    def test_an_explorer_that_names_a_closed_process_is_blamed(self):
        self.blamed(self.explorer_with("closed.cpp", next="(void)memo; (void)open; return ProcessId{99};"), "'next' named process 99, which cannot run here")

    def test_an_impure_explorer_is_blamed(self):
        self.blamed(self.explorer_with("impure.cpp", next="(void)memo; return open.at(++calls % open.size());"), "'next' gave two answers to one question")

    def test_an_explorer_that_never_comes_back_is_blamed(self):
        for function, ends in (("next", "open.at(memo[0])"), ("initial", "queue::of(alive)"), ("delay", "memo"), ("step", "memo")):
            with self.subTest(function=function):
                self.blamed(self.explorer_with(f"endless_{function}.cpp", **{function: f"while (true) ++calls; return {ends};"}),
                            "explorer 'Faulty' did not come back within 0.3 s when it was asked where to go", "--step-timeout", "300ms")

    def test_a_sound_explorer_is_not_blamed(self):
        for jobs in ("1", "2"):
            report = self.check_json(PHILOSOPHERS, "-DN=4", "--search", "ses", "--explorer", self.explorer_with("sound.cpp"), "--jobs", jobs, expect=0)
            self.assertEqual((report["verdict"], report["explorer"]), ("verified", "Faulty"))
            self.assertEqual(report["states"], self.check_json(PHILOSOPHERS, "-DN=4", "--search", "dfs", expect=0)["states"])

    def test_states_are_counted_once_or_said_to_be_visits(self):
        all_of_them = self.check_json(PHILOSOPHERS, "-DN=3", "--search", "dfs", expect=0)["states"]
        for options in (["--cache", "program+explorer"], ["--strict-bound"], ["--strict-bound", "--cache", "program+explorer"]):
            run = self.tarry("check", PHILOSOPHERS, "-DN=3", "--search", "ses", *options, expect=0)
            self.assertRegex(run.out, r"verified: all reachable states, in [\d,]+ visits, explored")
            self.assertIn("a state counts each time it was visited", run.out + run.err)
        self.assertIn(f"verified: all {all_of_them:,} reachable states explored", self.tarry("check", PHILOSOPHERS, "-DN=3", "--search", "ses", expect=0).out)

    def test_strict_bounds_of_an_explorer_that_remembers_all_are_said_to_have_no_end(self):
        """Where a program has a loop. Where its executions end, or with another explorer, there is nothing to say."""
        loop = """
          #include <tarry/model.h>
          struct Loop {
            struct State { tarry::Upto<3> a[2]; TARRY_FIELDS(a) };
            static constexpr int processes = 2;
            State initial() { return {}; }
            void step(State& s, int p, tarry::Run& run) { if (ENDS && s.a[p] == 2) return run.ended(); s.a[p] = (s.a[p] + 1) % 3; }
            void invariant(const State& s, tarry::Run& run) { run.expect(s.a[0] < 3, "small"); }
          };
          TARRY_MODEL(Loop)
        """
        self.write("loop.cpp", loop)
        words = "explorer 'random' remembers the whole execution, so"
        for option in (["--strict-bound"], ["--cache", "program+explorer"]):
            def notes(ends, explorer, *more):
                return " ".join(self.check_json("loop.cpp", f"-DENDS={ends}", "--search", "ses", "--explorer", explorer, *option, *more, expect=0)["notes"])
            self.assertIn(f"{words} {option[0]}", notes(0, "random", "--max-depth", "10"))
            self.assertNotIn(words, notes(1, "random"))
            self.assertNotIn(words, notes(0, "round-robin"))


class Interrupts(CliTest):
    def interrupted(self, *args, signals):
        process = subprocess.Popen([TARRY, "check", PHILOSOPHERS, "-D", "N=16", "--time", "none", *args], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        search_of(process)
        for number in signals:
            process.send_signal(number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_ctrl_c_gives_the_summary_and_130(self):
        code, out, err = self.interrupted("--search", "dfs", signals=[signal.SIGINT])
        self.assertEqual(code, 130, out + err)
        self.assertRegex(out, r"^tarry: no bug found; [\d,]+ states, interrupted; checks: expectations in steps\n")

    def test_sigterm_is_an_interrupt_too(self):
        code, out, err = self.interrupted("--json", signals=[signal.SIGTERM])
        self.assertEqual(code, 128 + signal.SIGTERM, out + err)
        self.assertIn('"stopped_by": "interrupt"', out)

    def test_an_interrupt_while_the_model_is_compiled(self):
        compiler = os.path.join(self.folder, "slow-c++")
        self.write("slow-c++", "#!/bin/sh\ntouch started\nexec sleep 100\n")
        os.chmod(compiler, 0o755)
        started = os.path.join(self.folder, "started")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([TARRY, "check", PHILOSOPHERS, "-D", f"N={number}", "--json"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       text=True, env=dict(os.environ, CXX=compiler), start_new_session=True)
            while not os.path.exists(started):
                self.assertIsNone(process.poll())
            os.remove(started)
            os.killpg(process.pid, number)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number, out + err)
            self.assertIn("interrupted before there was a verdict", json.loads(out)["error"]["message"])

    def test_the_child_dies_with_its_parent(self):
        process = subprocess.Popen([TARRY, "check", PHILOSOPHERS, "-D", "N=16", "--time", "none", "--search", "dfs"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        child = search_of(process)
        process.kill()
        process.wait()
        for _ in range(100):
            try:
                with open(f"/proc/{child}/stat", encoding="ascii") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                        return  # nobody has waited for it yet
            except FileNotFoundError:
                return
            time.sleep(0.1)
        self.fail("the search goes on without its parent")


if __name__ == "__main__":
    unittest.main()
