#!/usr/bin/env python3
"""What memcpy, strcpy and their relatives read and write are accesses of their callers: they race with others, and are points then."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TARRY = os.environ["TARRY"]

# Each reads `text` or writes it, beside a thread that writes it.
CALLS = """
#include <strings.h>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
char text[64] = "some text", other[64] = "other text";
wchar_t wide[64] = L"some text", wide_other[64];
std::size_t size = 16;
char* kept;
int printed(char* to, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  const int n = std::vsnprintf(to, 32, format, values);
  va_end(values);
  return n;
}
const std::map<std::string, std::function<void()>> calls = {
  {"memcpy from", [] { std::memcpy(other, text, size); }},
  {"memcpy to", [] { std::memcpy(text, other, size); }},
  {"memcpy of a constant size", [] { std::memcpy(other, text, 32); }},
  {"memmove from", [] { std::memmove(other, text, size); }},
  {"memmove to", [] { std::memmove(text, other, size); }},
  {"mempcpy from", [] { mempcpy(other, text, size); }},
  {"bcopy from", [] { bcopy(text, other, size); }},
  {"std::copy from", [] { std::copy(text, text + size, other); }},
  {"std::string from", [] { std::string copy(text, 40); }},
  {"wmemcpy from", [] { std::wmemcpy(wide_other, wide, size); }},
  {"wmemmove to", [] { std::wmemmove(wide, wide_other, size); }},
  {"wmemset", [] { std::wmemset(wide, L'x', size); }},
  {"memset", [] { std::memset(text, 'x', size); }},
  {"bzero", [] { bzero(text, size); }},
  {"memcmp", [] { other[1] = std::memcmp(text, other + 2, size) == 0; }},
  {"memchr", [] { other[1] = std::memchr(text, '!', size) == nullptr; }},
  {"strlen", [] { size = std::strlen(text); }},
  {"strnlen", [] { size = strnlen(text, 60); }},
  {"strcmp", [] { other[1] = std::strcmp(text, other + 2) == 0; }},
  {"strncmp", [] { other[1] = std::strncmp(text, other + 2, size) == 0; }},
  {"strcasecmp", [] { other[1] = strcasecmp(text, other + 2) == 0; }},
  {"strncasecmp", [] { other[1] = strncasecmp(text, other + 2, size) == 0; }},
  {"strchr", [] { other[1] = std::strchr(text, '!') == nullptr; }},
  {"strrchr", [] { other[1] = std::strrchr(text, '!') == nullptr; }},
  {"strstr", [] { other[1] = std::strstr(text, "!!") == nullptr; }},
  {"strcpy from", [] { std::strcpy(other, text); }},
  {"strcpy to", [] { std::strcpy(text, other); }},
  {"strcpy of a constant", [] { std::strcpy(text, "constant"); }},
  {"stpcpy to", [] { stpcpy(text, other); }},
  {"strncpy to", [] { std::strncpy(text, other, size); }},
  {"strncpy from", [] { std::strncpy(other, text, size); }},
  {"strcat from", [] { std::strcat(other, text); }},
  {"strcat to", [] { std::strcat(text, other); }},
  {"strncat to", [] { std::strncat(text, other, 5); }},
  {"strdup", [] { kept = strdup(text); }},
  {"strndup", [] { kept = strndup(text, 5); }},
  {"snprintf", [] { std::snprintf(text, sizeof(text), "%d", 7); }},
  {"sprintf", [] { std::sprintf(text, "%d", 7); }},
  {"vsnprintf", [] { printed(text, "%d", 7); }},
};
// None of these reaches what the other thread writes.
const std::map<std::string, std::function<void()>> short_calls = {
  {"memcmp ends early", [] { other[1] = std::memcmp(text + 1, other + 40, size) == 0; }},
  {"memchr ends early", [] { other[1] = std::memchr(text + 1, 'm', size) == nullptr; }},
  {"strcmp ends early", [] { other[1] = std::strcmp(text + 1, "zzz") == 0; }},
  {"strcasecmp of a space", [] { other[1] = strcasecmp(text + 4, other + 63) == 0; }},
  {"strchr ends early", [] { other[1] = std::strchr(text + 1, 'm') == nullptr; }},
  {"strncpy ends early", [] { std::strncpy(other, text + 1, 2); }},
};
int main(int, char** arguments) {
  const bool is_short = short_calls.count(arguments[1]) > 0;
  const auto& call = is_short ? short_calls.at(arguments[1]) : calls.at(arguments[1]);
  const bool locked = arguments[2][0] == 'l';
  std::mutex lock;
  std::thread writer([&] {
    if (locked) lock.lock();
    if (is_short) text[5] = 'X';
    else text[0] = 'S', wide[0] = L'S';
    if (locked) lock.unlock();
  });
  if (locked) lock.lock();
  call();
  if (locked) lock.unlock();
  writer.join();
}
"""

# Another thread runs between the read and the write of the copy: "0 2".
BETWEEN = """
#include <cstdio>
#include <cstring>
#include <thread>
char from[64] = {2}, to[64];
std::size_t size = SIZE;
int main() {
  char seen = 0;
  std::thread copies([] { std::memcpy(to, from, size); });
  std::thread other([&] { from[0] = 1; seen = to[0]; });
  copies.join();
  other.join();
  std::printf("%d %d\\n", seen, to[0]);
}
"""


class MemoryFunctions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def tarry(self, *arguments):
        ran = subprocess.run([TARRY, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        return ran.stdout

    def kinds(self, program, *arguments):
        answer = json.loads(self.tarry("check", program, "--json", "--search", "dfs", "--", *arguments))
        return answer["verdict"], {finding["kind"] for finding in answer["findings"]}

    def check_calls(self, compiler, *options):
        (self.folder / "calls.cpp").write_text(CALLS, encoding="utf-8")
        subprocess.run([TARRY, "c++", *options, "-g", "calls.cpp", "-o", "calls"], cwd=self.folder, env={**os.environ, "CXX": compiler}, check=True, capture_output=True)
        names = [line.split('"')[1] for line in CALLS.splitlines() if line.startswith('  {"')]
        short = [name for name in names if "early" in name or "space" in name]
        self.assertEqual((len(names), len(short)), (45, 6))
        wrong = [f"{name}: {kinds}" for name in short if (kinds := self.kinds("./calls", name, "free")) != ("verified", set())]
        names = [name for name in names if name not in short]
        for name in names:
            if self.kinds("./calls", name, "free") != ("bug", {"data-race"}):
                wrong.append(f"{name}: {self.kinds('./calls', name, 'free')}")
            if self.kinds("./calls", name, "locked") != ("verified", set()):
                wrong.append(f"{name}, with a lock: {self.kinds('./calls', name, 'locked')}")
        self.assertEqual(wrong, [])

    def test_accesses_race_with_gcc(self):
        self.check_calls("g++", "-O1")

    def test_accesses_race_with_clang(self):
        self.check_calls("clang++", "-O2")

    def test_a_copy_reads_before_it_writes(self):
        for size in ("1", "2000"):
            source = BETWEEN.replace("SIZE", "1" if size == "1" else "64")
            if size != "1":  # more than is kept on the stack
                source = source.replace("[64]", "[2000]").replace("= 64", "= 2000")
            (self.folder / "between.cpp").write_text(source, encoding="utf-8")
            answer = json.loads(self.tarry("check", "between.cpp", "--json", "--search", "dfs", "--outcomes", "--races", "ignore", "--points", "all"))
            self.assertTrue(answer["complete"])
            self.assertEqual({one["output"].strip() for one in answer["outcomes"]}, {"2 2", "0 1", "0 2", "1 1"}, size)


if __name__ == "__main__":
    unittest.main()
