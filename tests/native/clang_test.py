#!/usr/bin/env python3
"""One corner of tests/slow_native/compilers_test.py: clang, -O2."""

import os
import pathlib
import subprocess
import sys

matrix = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "slow_native" / "compilers_test.py"
chosen = ["account/", "bounded_queue/", "promise/", "exception_", "weak_"]
sys.exit(subprocess.run([sys.executable, matrix, "clang++", "-O", "2", *(f"--only={part}" for part in chosen)], check=False).returncode)
