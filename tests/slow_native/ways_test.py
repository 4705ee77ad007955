#!/usr/bin/env python3
"""The scripts of tests/native that compile each program in two ways, with all four (tests/support/ways.py).

ways_test.py [SCRIPT...]
"""

import os
import pathlib
import subprocess
import sys

NATIVE = pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "native"

if __name__ == "__main__":
    scripts = [path for path in sorted(NATIVE.glob("*_test.py")) if "ways" in path.read_text(encoding="utf-8").replace(",", " ").split()]
    if sys.argv[1:]:
        scripts = [path for path in scripts if path.stem.removesuffix("_test") in sys.argv[1:]]
    failed = [path.name for path in scripts if subprocess.run([sys.executable, path], env={**os.environ, "TARRY_TEST_WAYS": "all"}, check=False).returncode != 0]
    print(f"{len(scripts)} scripts in every way; wrong: {failed}")
    sys.exit(1 if failed or not scripts else 0)
