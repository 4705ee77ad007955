#!/usr/bin/env python3
"""Every planted mistake (scripts/mutants, tests/native/self/mutants) still applies to the sources: a patch that does not is a test that no longer runs."""

import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])


def main():
    patches = sorted([*(SOURCE / "scripts" / "mutants").glob("*.patch"), *(SOURCE / "tests" / "native" / "self" / "mutants").glob("*.patch")])
    assert len(patches) > 80, len(patches)
    wrong = []
    for patch in patches:
        done = subprocess.run(["patch", "-p1", "--dry-run", "--forward", "--reject-file=-", "--silent", "-i", patch], cwd=SOURCE, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            wrong.append(f"{patch.relative_to(SOURCE)}: {done.stdout.strip()}")
    print("\n".join(wrong) or f"{len(patches)} patches apply")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
