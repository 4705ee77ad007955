#!/usr/bin/env python3
"""The first execution of a process has the addresses that all others have.

It had not: the first pthread_create looked for a function of AddressSanitizer, and the dynamic linker took memory of the program for the answer that there is none. What was allocated
later lay elsewhere from the second execution on, dpor compared accesses by two addresses, and said "verified" after one of two traces.
"""

import os
import pathlib
import subprocess
import tempfile

TARRY = os.environ["TARRY"]
PROGRAM = """#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
void* nothing(void*) { return nullptr; }
void* exchanges(void* p) { static_cast<std::atomic<int>*>(p)->exchange(1); return nullptr; }
int main() {
  pthread_t a, t;
  pthread_create(&a, nullptr, nothing, nullptr);
  auto* x = static_cast<std::atomic<int>*>(std::calloc(1, 64));
  pthread_create(&t, nullptr, exchanges, x);
  pthread_join(a, nullptr);
  const int seen = x->load();
  pthread_join(t, nullptr);
  std::printf("seen %d at %p\\n", seen, static_cast<void*>(x));
}
"""

with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "program.cpp"
    source.write_text(PROGRAM)
    for search in ("dpor", "source-dpor", "preemption-bounded", "dfs"):
        said = subprocess.run([TARRY, "check", source, "--search", search, "--outcomes"], cwd=folder, capture_output=True, text=True, check=False).stdout
        seen = [line.split(" at ") for line in said.splitlines() if line.startswith("seen ")]
        assert {words for words, _ in seen} == {"seen 0", "seen 1"}, (search, said)
        assert len({address for _, address in seen}) == 1, (search, said)
