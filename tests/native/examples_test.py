#!/usr/bin/env python3
"""Every example of examples/threads: its bug is found by the default `tarry check`, its fixed version is verified.

examples_test.py [--row NUMBER] [NAME...]
"""
# rows: examples/threads/expected.tsv

import os
import pathlib
import sys

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
os.environ["XDG_CACHE_HOME"] = os.path.join(os.environ["BUILD_DIR"], "test-cache")
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "tests" / "native_programs"))

from check_expected import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(["--limit", "240", os.environ["TARRY"], str(SOURCE / "examples" / "threads" / "expected.tsv"), *sys.argv[1:]]))
