"""What the tests of enforcement share: the tool, programs compiled with it, sets and runs."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))

TARRY = os.environ["TARRY"]
SOURCE = pathlib.Path(os.environ["SOURCE_DIR"])
PROGRAMS = SOURCE / "tests" / "enforce" / "programs"
if not (pathlib.Path(TARRY).parent.parent / "lib" / "libtarry_enforce.so").exists():
    print("this build has no library of enforcement")
    sys.exit(77)


def call(*words, timeout=120, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL, **more)


def compile_program(source, folder, *flags):
    out = pathlib.Path(folder) / pathlib.Path(source).stem
    done = call(TARRY, "c++", "-O1", "-std=c++20", source, "-o", out, "-pthread", *flags)
    assert done.returncode == 0, done.stderr
    return out


def verify(program, file, *options, code=0):
    done = call(TARRY, "verify", program, "-o", file, *options, cwd=pathlib.Path(file).parent)
    assert done.returncode == code or code is None, (done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def run(file, program, *options, arguments=(), **more):
    return call(TARRY, "run", "--schedules", file, *options, program, *arguments, **more)


def shown(file):
    return json.loads(call(TARRY, "schedules", "show", file, "--json").stdout)


def traces(file):
    return len(shown(file)["traces"])


class Folder(tempfile.TemporaryDirectory):
    def __enter__(self):
        return pathlib.Path(super().__enter__())
