#!/usr/bin/env python3
"""No part of the runtime can be left out of its reset (src/native/rt/base/runtime.h): the compiler refuses what would do so."""

import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ.get("SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BEGIN = '#include <memory>\n#include "native/rt/base/part.h"\nnamespace tarry::native::rt {\n'
# What is defined, in place of the real part of that name, and what the compiler must say; None: it compiles.
CASES = [
    ("struct Seals { int count = 0; void reset() { count = 0; } }; template struct RoomOf<Seals>;", None),
    ("struct Admitted : Kept { int count = 0; }; template struct RoomOf<Admitted>;", None),
    ("struct Seals { int count = 0; }; template struct RoomOf<Seals>;", "has a function 'void reset()'"),
    ("struct Seals : Kept { int count = 0; }; template struct RoomOf<Seals>;", "is 'Kept' if it is listed so"),
    ("struct Admitted { void reset() {} }; template struct RoomOf<Admitted>;", "is 'Kept' if it is listed so"),
    ("struct Unlisted { void reset() {} }; template struct RoomOf<Unlisted>;", "is in one of the lists of runtime.h"),
    ("struct Unlisted { void reset() {} }; inline auto& all() { return part<Unlisted>(); }", "is in one of the lists of runtime.h"),
    ("struct Seals { std::unique_ptr<int> all; void reset() {} }; template struct RoomOf<Seals>;", "what has a destructor is 'Lasting'"),
]  # fmt: skip


def main():
    wrong = 0
    for text, refusal in CASES:
        command = [os.environ.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", "-x", "c++", "-I", SOURCE / "src", "-"]
        done = subprocess.run(command, input=BEGIN + text + "\n}\n", capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
        if (done.returncode == 0) != (refusal is None) or (refusal or "") not in done.stderr:
            print(f"{text}\n  expected {refusal or 'that it compiles'}, but: {done.stderr[:600]}")
            wrong += 1
    print(f"parts_test: {len(CASES)} cases, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
