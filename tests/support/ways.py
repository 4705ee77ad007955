"""The ways in which scripts compile the programs under test: a compiler and a level of optimization each.

A program is compiled in two ways that have nothing in common: by g++ -O0 and clang++ -O2, or by g++ -O2 and clang++ -O0. The programs of a
table take these pairs in turn, so each way is among a script's. $TARRY_TEST_WAYS=all asks for all four, of each program:
tests/slow_native/ways_test.py runs the scripts so.
"""

import os
import shutil

PAIRS = [[("g++", "-O0"), ("clang++", "-O2")], [("g++", "-O2"), ("clang++", "-O0")]]
ALL = os.environ.get("TARRY_TEST_WAYS") == "all"


def ways(turn=0):
    """For the program with this number in its table. A compiler that is not installed is passed over."""
    chosen = [*PAIRS[0], *PAIRS[1]] if ALL else PAIRS[turn % 2]
    return [way for way in chosen if shutil.which(way[0])]
