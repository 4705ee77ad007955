#!/usr/bin/env python3
"""Every example of examples/threads: its bug is found by the default `tarry check`, its fixed version is verified."""

import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
os.environ["XDG_CACHE_HOME"] = os.path.join(os.environ["BUILD_DIR"], "test-cache")
checker = SOURCE / "tests" / "native_programs" / "check_expected.py"
sys.exit(subprocess.run([sys.executable, checker, "--limit", "240", os.environ["TARRY"], SOURCE / "examples" / "threads" / "expected.tsv", *sys.argv[1:]], check=False).returncode)
