#!/usr/bin/env python3
"""--memory is kept, measured for every search that remembers states."""

import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / folder) for folder in ("cli", "support")]
import memory_kept_test  # noqa: E402
from memory_kept_test import MemoryKept  # noqa: E402, F401
from registry import searches  # noqa: E402

memory_kept_test.SEARCHES = searches(complete=True, models=True)
memory_kept_test.ENDLESS_SEARCHES = (
    ("dfs",), ("random-dfs",), ("prss",), ("dfs", "--store", "bitstate"), ("dfs", "--when-full", "replace"), ("fair-cycle", "-D", "LIVES"), ("map", "-D", "LIVES"), ("iterative-ndfs", "-D", "LIVES"),
    ("map", "-D", "LIVES", "--fairness", "weak"), ("ndfs", "-D", "LIVES", "--fairness", "weak"),
)
memory_kept_test.SEARCHES_OF_THREADS = tuple(
    (search, jobs, given, turns, 30, search in ("preemption-bounded", "ses") and given == 100)
    for search in ("portfolio", *searches(complete=True, threads=True)) for jobs in ("1", "2") for given, turns in ((100, 300), (300, 12))
)
memory_kept_test.SEARCHES_OF_P = ("bfs", "dfs", "ses", "preemption-bounded", "portfolio")

if __name__ == "__main__":
    unittest.main()
