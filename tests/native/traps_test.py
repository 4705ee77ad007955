#!/usr/bin/env python3
"""Every trap that real programs set (tests/native_programs/traps): a verdict or a clear message, never a hang.

traps_test.py [NAME...]
"""

import os
import pathlib
import subprocess
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "native_programs"

if __name__ == "__main__":
    names = sys.argv[1:]
    sys.exit(subprocess.run([sys.executable, PROGRAMS / "check_expected.py", os.environ["TARRY"], PROGRAMS / "traps" / "expected.tsv", *names], check=False).returncode)
