#!/usr/bin/env python3
"""Every path of the tree that a page names in backticks exists: docs/**/*.md, README.md and CONTRIBUTING.md.

A page may leave out the beginning of a path (`vm/layout.h`) and, of a file of src, the extension (`explore/fair`). Code blocks and placeholders such as
`src/<name>/target` are not checked. In a table whose head says "file of `FOLDER`", every name in the first column is a file of that folder.
"""

import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ.get("SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
OURS = r"\.(h|cc|py|sh|cmake|tsv|patch|md)"  # extensions that user files in examples do not have, except name.cc
NOT_OURS = {"name.cc"}  # docs/p-foreign.md: the user's file beside name.p


class Tree:
    def __init__(self, paths):
        self.endings = set()  # every path, without any number of folders at its beginning, with and without extension
        self.folders = set()  # names of folders
        for path in paths:
            parts = pathlib.PurePosixPath(path).parts
            self.folders.update(parts[:-1])
            for end in range(1, len(parts) + 1):
                for begin in range(end):
                    self.endings.add("/".join(parts[begin:end]))
            for begin in range(len(parts)):
                self.endings.add("/".join([*parts[begin:-1], pathlib.PurePosixPath(parts[-1]).stem]))

    def has(self, path):
        return path.rstrip("/") in self.endings


def files_of_tree():
    for folder, folders, files in os.walk(SOURCE):
        folders[:] = [f for f in folders if not f.startswith(".") and f != "__pycache__" and not (folder == str(SOURCE) and f.startswith("build"))]
        yield from (str(pathlib.Path(folder, file).relative_to(SOURCE)) for file in files)


def looks_like_a_path(word, tree):
    if word in NOT_OURS or not re.fullmatch(r"[\w+-][\w./+-]*", word):
        return False
    if re.search(OURS + "$", word):
        return True
    return "/" in word and word.split("/")[0] in tree.folders


def paths_of(text, tree):
    """Yields (line, path, how it must end) of every path that the text names."""
    text = re.sub(r"^```.*?^```", lambda block: "\n" * block.group().count("\n"), text, flags=re.DOTALL | re.MULTILINE)
    folder = None  # of the table that the line is in
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\| file of `([^`]+)`", line)
        if head:
            folder = head[1]
            yield number, folder, folder
            continue
        if not line.startswith("|"):
            folder = None
        first, rest = line.split("|")[1:3] if folder and not line.startswith("|-") else ("", line)
        of_table = re.findall(r"`([^`\n]+)`", first)
        last = ""
        for word in of_table:
            # `base/runtime.h`, `part.h`: the second one is in the folder of the first
            path = word if "/" in word or "/" not in last else f"{last.rsplit('/', 1)[0]}/{word}"
            last = path
            yield number, word, f"{folder}/{path}"
        for word in re.findall(r"`([^`\n]+)`", rest):
            word = re.sub(r"^<(tarry/.+)>$", r"include/\1", word)
            if looks_like_a_path(word, tree):
                yield number, word, word


def missing(text, tree):
    return [(line, path) for line, path, ending in paths_of(text, tree) if not tree.has(ending)]


def check_itself():
    tree = Tree(["src/plang/vm/layout.h", "src/native/driver/launch.cc", "docs/p.md"])
    for text, wrong in (
        ("`vm/layout.h` `layout.h` `plang/vm/layout` `src/plang/` `a b.h` `x.cpp` `std::h` `src/<name>/a.cc`", []),
        ("`code/layout.h`\n`gone.h`", [(1, "code/layout.h"), (2, "gone.h")]),
        ("`plang/gone`", [(1, "plang/gone")]),
        ("```\n`gone.h`\n```", []),
        ("| file of `native/driver` | what |\n|---|---|\n| `launch` | `gone.cc` |\n| `gone` | - |", [(3, "gone.cc"), (4, "gone")]),
        ("`<tarry/gone.h>`", [(1, "include/tarry/gone.h")]),
    ):
        assert missing(text, tree) == wrong, (text, missing(text, tree))


def main():
    check_itself()
    tree = Tree(files_of_tree())
    count, wrong = 0, 0
    for page in sorted([*(SOURCE / "docs").rglob("*.md"), SOURCE / "README.md", SOURCE / "CONTRIBUTING.md"]):
        text = page.read_text(encoding="utf-8")
        count += sum(1 for _ in paths_of(text, tree))
        for line, path in missing(text, tree):
            print(f"{page.relative_to(SOURCE)}:{line}: '{path}' is not in the tree")
            wrong += 1
    assert count > 150, count
    print(f"doc_paths_test: {count} paths, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
