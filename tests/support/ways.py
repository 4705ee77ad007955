"""The ways in which scripts compile the programs under test: a compiler and a level of optimization each.

A program is compiled in one way. The programs of a table take the four ways in turn, so each way is among a script's. $TARRY_TEST_WAYS=all asks
for all four, of each program, and for what else takes long: tests/slow_native/ways_test.py runs the scripts so.
"""

import os
import shutil

IN_TURN = [("g++", "-O2"), ("clang++", "-O0"), ("g++", "-O0"), ("clang++", "-O2")]
ALL = os.environ.get("TARRY_TEST_WAYS") == "all"


def ways(turn=0):
    """For the program with this number in its table. A compiler that is not installed is passed over."""
    installed = [way for way in IN_TURN if shutil.which(way[0])]
    return installed if ALL else [installed[turn % len(installed)]]


def some(rows, one_of):
    """All rows, or the first one of each so many where not all is asked for."""
    return list(rows) if ALL else list(rows)[::one_of]
