#!/usr/bin/env python3
"""Tarry checks itself (tests/native/self_test.py), with higher bounds and all mistakes."""

import os
import pathlib
import subprocess
import sys

script = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "native" / "self_test.py"
sys.exit(subprocess.run([sys.executable, script, "--all", *sys.argv[1:]], check=False).returncode)
