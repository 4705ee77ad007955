#!/usr/bin/env python3
"""Traces: round trips, what replay refuses, and that nothing is overwritten. And the cache of compiled models."""

import os
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import MODELS, PHILOSOPHERS, CliTest  # noqa: E402


class Replays(CliTest):
    def setUp(self):
        super().setUp()
        shutil.copy(PHILOSOPHERS, self.folder / "model.cpp")

    def trace(self, *args):
        return self.check_json("model.cpp", "-D", "BUG=1", "--search", "bfs", *args, expect=1)["findings"][0]

    def test_round_trip(self):
        finding = self.trace()
        first = self.tarry("replay", finding["trace"], expect=1)
        self.assertEqual(first.out, self.tarry("replay", finding["trace"], expect=1).out)
        self.assertIn(finding["message"], first.out)
        self.assertIn("tarry: reproduced deadlock after 5 steps\n", first.out)
        again = self.tarry("replay", finding["trace"], "--json", expect=1).json()
        self.assertEqual([again[k] for k in ("kind", "message", "location", "steps")], [finding[k] for k in ("kind", "message", "location", "steps")])
        self.assertEqual(len(again["schedule"]), 5)

    def test_every_example_with_a_bug(self):
        for model in sorted(MODELS.glob("*.cpp")):
            run = self.tarry("check", model, "-D", "BUG=1", "--time", "20s", "--json")
            if run.code == 2 or run.json()["verdict"] != "bug":
                continue  # its bug is another one: a livelock, say
            finding = run.json()["findings"][0]
            again = self.tarry("replay", finding["trace"], "--json", expect=1).json()
            self.assertEqual([again[k] for k in ("kind", "message", "location", "steps")], [finding[k] for k in ("kind", "message", "location", "steps")])

    def test_a_changed_program_is_refused(self):
        trace = self.trace()["trace"]
        source = self.folder / "model.cpp"
        text = source.read_text(encoding="utf-8")
        source.write_text(text.replace("at = At::kHasFirst;", "at = At::kGotBoth;"), encoding="utf-8")
        self.refused("replay", trace, says=["model.cpp: error: the program has changed since", trace])
        source.write_text(text, encoding="utf-8")
        self.tarry("replay", trace, expect=1)

    def test_a_moved_program_is_found_with_target(self):
        trace = self.trace()["trace"]
        (self.folder / "model.cpp").rename(self.folder / "moved.cpp")
        self.refused("replay", trace, says=["no such file", "--target"])
        self.tarry("replay", trace, "--target", "moved.cpp", expect=1)

    def test_what_is_no_trace_is_refused(self):
        trace = self.folder / self.trace()["trace"]
        whole = trace.read_bytes()
        for size in (0, 1, 10, len(whole) // 2, len(whole) - 1):
            trace.write_bytes(whole[:size])
            self.refused("replay", trace, says=f"{trace}: error: ")
        flipped = bytearray(whole)
        flipped[len(flipped) // 2] ^= 1
        trace.write_bytes(flipped)
        self.refused("replay", trace, says=f"{trace}: error: ")
        self.refused("replay", "gone.tarry", says="gone.tarry: error: ")
        self.refused("replay", ".", says=".: error: ")
        self.refused("replay", says="nothing to replay")

    def test_nothing_is_overwritten(self):
        names = [self.trace()["trace"] for _ in range(3)]
        self.assertEqual([pathlib.Path(n).name for n in names], [f"model-deadlock-{i}.tarry" for i in (1, 2, 3)])
        self.assertEqual(self.trace("-o", "elsewhere")["trace"], "elsewhere/model-deadlock-1.tarry")
        self.assertEqual(self.trace("--trace", "mine.tarry")["trace"], "mine.tarry")
        before = (self.folder / "mine.tarry").read_bytes()
        self.refused("check", "model.cpp", "-D", "BUG=1", "--trace", "mine.tarry", says="never overwritten")
        self.assertEqual((self.folder / "mine.tarry").read_bytes(), before)

    def test_a_folder_that_cannot_be_written_does_not_hide_the_bug(self):
        self.write("file", "")
        run = self.tarry("check", "model.cpp", "-D", "BUG=1", "-o", "file/traces", expect=1)
        self.assertIn("found deadlock", run.out)
        self.assertIn("the trace was not written", run.out)

    def test_the_second_check_does_not_compile(self):
        env = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        self.tarry("check", "model.cpp", expect=0, env=env)
        self.assertTrue(any((self.folder / "cache" / "tarry").iterdir()))
        self.tarry("check", "model.cpp", expect=0, env={**env, "CXX": ""})
        source = (self.folder / "model.cpp").read_text(encoding="utf-8")
        self.write("model.cpp", source + "\nstatic_assert(false);\n")  # this one must be compiled
        self.tarry("check", "model.cpp", expect=2, env=env)
        self.write("model.cpp", source)
        self.tarry("check", "model.cpp", expect=0, env=env)


if __name__ == "__main__":
    unittest.main()
