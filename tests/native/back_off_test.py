#!/usr/bin/env python3
"""Threads that take one lock, try the next, and give the first back: std::lock is not accused, what is behind it is explored, figure 1 is a livelock."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import HERE, check, ways  # noqa: E402
from harness import compiled_ahead as compiled  # noqa: E402

SOURCE = HERE / "back_off.cpp"
FAIR = "fair schedules, K="


class BackOff(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def answer(self, how, *flags, time="60s", jobs=1, **compiler):
        return check(compiled(self.folder.name, SOURCE, f"-DHOW={how}", *flags, **compiler), "--time", time, jobs=jobs)

    def verified(self, how, *flags, **other):
        answer = self.answer(how, *flags, **other)
        self.assertEqual((answer["verdict"], answer["kinds"]), ("verified", []), answer)
        return answer.get("assumes") or []

    def fairly(self, how, *flags, **other):
        assumes = self.verified(how, *flags, **other)
        self.assertTrue(len(assumes) == 1 and assumes[0].startswith(FAIR), assumes)

    def test_two_scoped_locks_in_different_orders_are_verified(self):
        for compiler, level in ways():
            with self.subTest(compiler=compiler, level=level):
                self.fairly("SCOPED", compiler=compiler, level=level)
                self.assertEqual(self.answer("SCOPED", "-DBUG=1", compiler=compiler, level=level)["kinds"], ["assertion"])

    def test_locks_of_other_kinds_and_shared_ones(self):
        for lock in ("std::recursive_mutex", "std::timed_mutex", "std::shared_mutex", "Spin"):
            with self.subTest(lock):
                self.fairly("SCOPED", f"-DLOCK={lock}")
        self.fairly("SHARED", "-DLOCK=std::shared_mutex")

    def test_three_mutexes(self):
        self.fairly("THREE")

    def test_two_workers(self):
        self.fairly("SCOPED", jobs=2)

    def test_by_hand_with_and_without_a_yield(self):
        self.fairly("BY_HAND")
        self.fairly("BY_HAND", "-DYIELD=1")

    def test_a_spin_lock_that_looks_first_is_not_accused(self):
        """Without that it took less than a second. A proof takes longer."""
        self.assertEqual(self.answer("SCOPED", "-DLOCK=LooksFirst", time="8s")["kinds"], [])

    def test_attempts_that_are_counted_are_explored_as_they_are(self):
        for count in (1, 3):
            with self.subTest(count=count):
                self.assertEqual(self.verified("COUNTED", f"-DTIMES={count}"), [])
                self.assertEqual(self.answer("COUNTED", f"-DTIMES={count}", "-DBUG=1")["kinds"], ["assertion"])

    def test_only_fair_schedules_of_one_that_backs_off_alone(self):
        """The other one waits for its locks. Whoever backs off is alone in that, and cannot keep it from getting them for ever."""
        self.fairly("ALONE")
        self.fairly("ALONE", "-DYIELD=1")

    def test_figure_1_is_what_it_was(self):
        self.assertEqual(self.answer("FIGURE_1")["kinds"], ["good-samaritan"])
        self.assertEqual(self.answer("FIGURE_1", "-DYIELD=1")["kinds"], ["livelock"])


if __name__ == "__main__":
    unittest.main()
