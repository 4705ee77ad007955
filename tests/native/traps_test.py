#!/usr/bin/env python3
"""Every trap that real programs set (tests/native_programs/traps): a verdict or a clear message, never a hang.

traps_test.py [--row NUMBER] [NAME...]
"""
# rows: tests/native_programs/traps/expected.tsv

import os
import pathlib
import sys

PROGRAMS = pathlib.Path(os.environ["SOURCE_DIR"], "tests", "native_programs")
os.environ["XDG_CACHE_HOME"] = os.path.join(os.environ["BUILD_DIR"], "test-cache")
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROGRAMS))

from check_expected import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main([os.environ["TARRY"], str(PROGRAMS / "traps" / "expected.tsv"), *sys.argv[1:]]))
