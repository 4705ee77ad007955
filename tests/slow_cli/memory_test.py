#!/usr/bin/env python3
"""--memory is kept: the resident memory of the whole process, measured, stays within 110 % of it. Slow: searches must have time to fill it."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from common import CliTest  # noqa: E402

LIMIT = 100 << 20

# Counters that go up and down: far more states than fit, wide or narrow, with and without room for deep stacks.
MODEL = """
#include <tarry/model.h>
struct Counters {
  struct State {
    tarry::Upto<SIDE - 1> at[5];
    EXTRA
  };
  static constexpr int processes = 5;
  State initial() { return {}; }
  void step(State& s, int p, tarry::Run& run) {
    if (DIRECTED && s.at[p] == SIDE - 1) return run.ended();
    s.at[p] = (s.at[p] + 1) % SIDE;
    WIDEN
  }
};
TARRY_MODEL(Counters)
"""


class Memory(CliTest):
    def setUp(self):
        super().setUp()
        narrow = {"EXTRA": "TARRY_FIELDS(at)", "WIDEN": ""}
        wide = {"EXTRA": "std::uint32_t more[6]; TARRY_FIELDS(at, more)", "WIDEN": "s.more[p] = s.at[p] * 2654435761u; s.more[5] ^= s.more[p] + s.at[(p + 1) % 5];"}
        for name, parts in (("narrow", narrow), ("wide", wide)):
            text = MODEL
            for word, by in parts.items():
                text = text.replace(word, by)
            self.write(name + ".cpp", text)

    def peak(self, model, search, *options, directed="0"):
        report = self.check_json(model + ".cpp", "-DSIDE=60", "-DDIRECTED=" + directed, "--search", search, "--memory", "100M", "--time", "6s", "--jobs", "1", *options, expect=0)
        self.assertNotEqual(report["verdict"], "verified")
        self.assertLess(report["peak_rss"], LIMIT * 1.1, f"{search} {options} on {model}: {report['peak_rss'] / LIMIT:.0%}")
        return report

    def test_every_search_keeps_it(self):
        for model in ("narrow", "wide"):
            for search in ("dfs", "bfs", "ses", "ses-ss", "preemption-bounded", "depth-bounded", "portfolio"):
                with self.subTest(model=model, search=search):
                    self.peak(model, search)

    def test_explorers_and_strict_bounds_keep_it(self):
        self.peak("narrow", "ses", "--explorer", "random")
        self.peak("narrow", "ses", "--cache", "program+explorer")
        self.peak("narrow", "ses", "--strict-bound")

    def test_ses_ss_goes_on_by_sampling(self):
        for model in ("narrow", "wide"):
            report = self.peak(model, "ses-ss", "--time", "20s")
            self.assertGreater(report["samples"], 0, model)


if __name__ == "__main__":
    unittest.main()
