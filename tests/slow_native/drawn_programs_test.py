#!/usr/bin/env python3
"""Thousands of random programs against brute force, by every compiler, with and without optimization, by one worker and by two; a hundred of them are in
tests/native/drawn_programs_test.py.
"""

import os
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(os.environ["SOURCE_DIR"]) / "tests/native/drawn"))

from harness import COMPILERS, compare  # noqa: E402
from programs import drawn  # noqa: E402

BATCHES, IN_BATCH = 20, 150


class DrawnPrograms(unittest.TestCase):
    def test_outcomes_are_those_of_brute_force(self):
        ways = [(compiler, level, jobs) for compiler in COMPILERS for level in ("-O0", "-O2") for jobs in (1, 2)]
        for batch in range(BATCHES):
            with self.subTest(batch=batch), tempfile.TemporaryDirectory() as folder:
                programs = list(drawn(10_000 * (batch + 1), IN_BATCH, 2000))
                self.assertEqual(compare(folder, programs, lambda i: [ways[(i + batch) % len(ways)], ways[(i + batch + 3) % len(ways)]]), [])


if __name__ == "__main__":
    unittest.main()
