#!/usr/bin/env python3
"""Reference counts in code of the standard library that is not instrumented: no false races, and no true ones lost."""

import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
os.environ["XDG_CACHE_HOME"] = os.path.join(os.environ["BUILD_DIR"], "test-cache")
checker = SOURCE / "tests" / "native_programs" / "check_expected.py"
sys.exit(subprocess.run([sys.executable, checker, "--limit", "240", os.environ["TARRY"], SOURCE / "tests" / "native" / "library_counts" / "expected.tsv", *sys.argv[1:]], check=False).returncode)
