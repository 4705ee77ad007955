#!/usr/bin/env python3
"""The tests of tests/enforce, oftener, and hundreds of random programs. campaign_test.py runs single programs ten thousand times."""

import os
import pathlib
import subprocess
import sys

ENFORCE = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "enforce"
for test, *arguments in (("enforcement_test.py", "10"), ("random_programs_test.py", "200", "20", "1"), ("random_programs_test.py", "50", "10", "77", "timed"), ("damaged_files_test.py", "5000")):
    code = subprocess.run([sys.executable, ENFORCE / test, *arguments], check=False).returncode
    if code != 0:
        sys.exit(code)
