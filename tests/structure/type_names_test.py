#!/usr/bin/env python3
"""No two types of a program have one name: the linker would take the functions of either for both, and say nothing.

Looks at what stands at the start of a line in a named namespace: the sources of tarry, and with them those of each folder of tests.
"""

import collections
import os
import pathlib
import re
import sys
import tempfile

OPENS = re.compile(r"(?:inline )?namespace ([\w:]*) ?\{")
CLOSES = re.compile(r"\}  // namespace ?([\w:]*)$")
TYPE = re.compile(r"(?:struct|class|enum class|enum|union)\s+(?:\[\[.*?\]\]\s*|alignas\(.*?\)\s*)?(\w+)\s*(?:final\s*)?(?::(?!:)|\{)")


def types(path):
    """The types that a file defines, with their namespaces; those without a name are the file's own."""
    spaces = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if opens := OPENS.match(line):
            spaces.append(opens.group(1))
        elif CLOSES.match(line):
            spaces.pop()
        elif (found := TYPE.match(line)) and spaces and "" not in spaces:
            yield "::".join([*spaces, found.group(1)])


def twice(folders):
    """Types that more than one file of these folders defines."""
    where = collections.defaultdict(set)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".h", ".cc"):
                for name in types(path):
                    where[name].add(path)
    return {name: paths for name, paths in where.items() if len(paths) > 1}


def programs(root):
    product = [root / "src", root / "include"]
    tests = [folder for folder in sorted((root / "tests").iterdir()) if folder.is_dir() and folder.name != "support" and any(folder.glob("*_test.cc"))]
    return [product, *([*product, root / "tests" / "support", folder] for folder in tests)]


def check(root):
    wrong = {}
    for folders in programs(root):
        wrong.update(twice(folders))
    return [f"{name} is defined in {' and in '.join(sorted(str(path.relative_to(root)) for path in paths))}" for name, paths in sorted(wrong.items())]


def notices():
    """Of two types the test sees those of one name in one namespace, and only those."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for folder in ("src", "include", "tests/support", "tests/one"):
            (root / folder).mkdir(parents=True)
        (root / "src" / "a.h").write_text("namespace tarry {\nstruct A {\n};\nstruct B;\n}  // namespace tarry\n", encoding="utf-8")
        (root / "src" / "b.cc").write_text("namespace tarry {\nnamespace {\nstruct A {\n};\n}  // namespace\nclass B final : C {\n}  // namespace tarry\n", encoding="utf-8")
        (root / "tests/one" / "b_test.cc").write_text("namespace tarry {\nenum class A : int {};\n}  // namespace tarry\n", encoding="utf-8")
        return check(root) == ["tarry::A is defined in src/a.h and in tests/one/b_test.cc"]


def main():
    if not notices():
        print("type_names_test: does not notice two types of one name")
        return 1
    root = pathlib.Path(os.environ.get("SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
    wrong = check(root)
    print("\n".join([*wrong, f"{len(wrong)} names of more than one type"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
