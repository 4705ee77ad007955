#!/usr/bin/env python3
"""The tests of tests/enforce, oftener: ten thousand runs of the program whose bug shows in plain runs, and hundreds of random programs."""

import os
import pathlib
import subprocess
import sys

ENFORCE = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "enforce"
for test, *arguments in (("enforcement_test.py", "100"), ("random_programs_test.py", "200", "20", "1"), ("damaged_files_test.py", "5000")):
    code = subprocess.run([sys.executable, ENFORCE / test, *arguments], check=False).returncode
    if code != 0:
        sys.exit(code)
