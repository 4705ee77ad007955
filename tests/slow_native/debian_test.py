#!/usr/bin/env python3
"""Unmodified programs with threads from Debian's source packages: built through `tarry cc`, they compress and decompress under control, to
their end and to the right bytes.

The sources come from Debian's mirror ($DEBIAN_MIRROR) and are kept in $BUILD_DIR/debian; without network the test is skipped.
"""

import bz2
import gzip
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(os.environ["SOURCE_DIR"]) / "tests" / "slow_native" / "debian"))
import sources  # noqa: E402

TARRY = sources.TARRY

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


def text(count):
    rng = random.Random(7)
    words = [bytes(rng.choices(b"abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 9))) for _ in range(2000)]
    return b" ".join(rng.choices(words, k=count))


def check(name, folder):
    path, checksum, commands, program, compress, decompress, unpacked = PROGRAMS[name]
    program = sources.build(name, sources.source_of(path, checksum), commands, folder) / program
    content = text(50_000)
    plain, packed = folder / "plain", folder / "packed"
    plain.write_bytes(content)
    squeezed = sources.outputs_under_control(program, folder, [*compress, plain], 20)
    if unpacked(squeezed) != content:
        raise sources.Wrong(f"{name}: what it compressed is not what it was given")
    packed.write_bytes(squeezed)
    if sources.outputs_under_control(program, folder, [*decompress, packed], 20) != content:
        raise sources.Wrong(f"{name}: what it decompressed is not what was compressed")
    print(f"{name}: {len(content)} bytes to {len(squeezed)} and back")


if __name__ == "__main__":
    sys.exit(sources.exit_code(sys.argv[1:] or PROGRAMS, check))
