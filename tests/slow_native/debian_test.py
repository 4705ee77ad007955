#!/usr/bin/env python3
"""Unmodified programs with threads from Debian's source packages: built through `tarry cc`, they compress and decompress under control, to
their end and to the right bytes.

The sources come from Debian's mirror ($DEBIAN_MIRROR) and are kept in $BUILD_DIR/debian; without network the test is skipped.
"""

import bz2
import gzip
import hashlib
import os
import pathlib
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request

TARRY = os.environ["TARRY"]
MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
KEPT = pathlib.Path(os.environ["BUILD_DIR"]) / "debian"

# name: the file in the mirror's pool, its SHA-256, how it is built in its folder, the program, options to compress and to
# decompress a file to standard output with two threads, Python's decompressor.
PROGRAMS = {
    "pigz": (
        "main/p/pigz/pigz_2.8.orig.tar.xz", "bec34f9d61e28b9b069da9efd53e73d22cd207a4798ed664832dc9b17aa486aa",
        [["make", "-j2", f"CC={TARRY} cc"]], "pigz", ["-c", "-p", "2"], ["-d", "-c", "-p", "2"], gzip.decompress,
    ),
    "pbzip2": (
        "main/p/pbzip2/pbzip2_1.1.13.orig.tar.gz", "bca3d7b50e4e5f963c82cb9626bb72e4062d83bc2b8b028eee22efdcda972b9b",
        [["make", f"CXX={TARRY} c++"]], "pbzip2", ["-c", "-p2", "-b1"], ["-d", "-c", "-p2"], bz2.decompress,
    ),
    # Its gnulib is older than glibc 2.28, and knows glibc 2.28 by these names.
    "lbzip2": (
        "main/l/lbzip2/lbzip2_2.5.orig.tar.bz2", "eec4ff08376090494fa3710649b73e5412c3687b4b9b758c93f73aa7be27555b",
        [["./configure", f"CC={TARRY} cc", "CPPFLAGS=-D_IO_ftrylockfile -D_IO_IN_BACKUP=0x100"], ["make", "-j2"]], "src/lbzip2", ["-c", "-n", "2", "-1"],
        ["-d", "-c", "-n", "2"], bz2.decompress,
    ),
}  # fmt: skip


class NotThere(Exception):
    pass


class Wrong(Exception):
    pass


def source_of(path, wanted):
    """The archive, from the mirror if it is not kept."""
    archive = KEPT / pathlib.Path(path).name
    if not archive.exists():
        try:
            with urllib.request.urlopen(f"{MIRROR}/pool/{path}", timeout=60) as answer:
                content = answer.read()
        except (urllib.error.URLError, OSError) as problem:
            raise NotThere(f"{MIRROR}/pool/{path}: {problem}") from None
        KEPT.mkdir(parents=True, exist_ok=True)
        archive.write_bytes(content)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != wanted:
        archive.unlink()
        raise Wrong(f"{path}: its SHA-256 is {found}")
    return archive


def build(name, archive, commands, folder):
    with tarfile.open(archive) as content:
        content.extractall(folder)
    source = next(path for path in folder.iterdir() if path.is_dir() and path.name.startswith(name))
    for command in commands:
        done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode != 0:
            raise Wrong(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return source


def text(count):
    rng = random.Random(7)
    words = [bytes(rng.choices(b"abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 9))) for _ in range(2000)]
    return b" ".join(rng.choices(words, k=count))


def outputs_under_control(program, folder, arguments, threads):
    """What `tarry check` lists as outputs, byte by byte (its JSON would have to be UTF-8), of three random schedules."""
    options = ["--search", "random-walk", "-s", "3", "--expect-exit", "0", "--outcomes", "--no-progress", "--time", "10m"]
    done = subprocess.run([TARRY, "check", program, *options, "--", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=900, check=False)
    head = re.match(rb"tarry: no bug found; 3 executions\n3 times:\n", done.stdout)
    tail = re.search(rb"\n?tarry: (?:note: [^\n]*\ntarry: )*[\d,]+ transitions, 3 executions, depth ([\d,]+)[^\n]*\n$", done.stdout)
    if done.returncode != 0 or head is None or tail is None:
        raise Wrong(f"{program.name} {' '.join(map(str, arguments))}: exit code {done.returncode}, {done.stdout[:300]} … {done.stdout[-300:]} {done.stderr[-2000:]}")
    if int(tail[1].replace(b",", b"")) < 10 * threads:
        raise Wrong(f"{program.name}: {tail[1].decode()} steps only: it is not under control")
    return done.stdout[head.end() : tail.start()]


def check(name, folder):
    path, checksum, commands, program, compress, decompress, unpacked = PROGRAMS[name]
    program = build(name, source_of(path, checksum), commands, folder) / program
    content = text(50_000)
    plain, packed = folder / "plain", folder / "packed"
    plain.write_bytes(content)
    squeezed = outputs_under_control(program, folder, [*compress, plain], 2)
    if unpacked(squeezed) != content:
        raise Wrong(f"{name}: what it compressed is not what it was given")
    packed.write_bytes(squeezed)
    if outputs_under_control(program, folder, [*decompress, packed], 2) != content:
        raise Wrong(f"{name}: what it decompressed is not what was compressed")
    print(f"{name}: {len(content)} bytes to {len(squeezed)} and back")


def main():
    done = wrong = 0
    for name in sys.argv[1:] or PROGRAMS:
        try:
            with tempfile.TemporaryDirectory() as folder:
                check(name, pathlib.Path(folder))
            done += 1
        except NotThere as problem:
            print(f"{name}: skipped: {problem}")
        except (Wrong, OSError, EOFError, ValueError, subprocess.TimeoutExpired) as problem:
            wrong += 1
            print(f"{name}: error: {problem}")
    return 1 if wrong else 0 if done else 77


if __name__ == "__main__":
    sys.exit(main())
