#!/usr/bin/env python3
"""What the standard library of C++ and libc do to objects and buffers of the program are accesses like others: strings, streams, lists, trees, and
what read, fread, sscanf, strtol, qsort and their relatives read and write. Each case races, and with a lock does not."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import ways  # noqa: E402

TARRY = os.environ["TARRY"]

FRAME = """
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
INCLUDES
struct Case { std::function<void()> one, other; };
DATA
const std::map<std::string, Case> cases = {
CASES
};
int main(int, char** arguments) {
  const Case& chosen = cases.at(arguments[1]);
  const bool locked = arguments[2][0] == 'l';
  std::mutex lock;
  const auto run = [&](const std::function<void()>& part) {
    if (locked) lock.lock();
    part();
    if (locked) lock.unlock();
  };
  std::thread other([&] { run(chosen.other); });
  run(chosen.one);
  other.join();
}
"""

OBJECTS = {
    "INCLUDES": """
#include <algorithm>
#include <array>
#include <list>
#include <set>
#include <sstream>
#include <string>
""",
    "DATA": """
std::string text = "some text that is longer than sixteen", source = "another text, which is no shorter either";
std::wstring wide = L"some text that is longer than sixteen", wide_source = L"another text, which is no shorter either";
std::ostringstream out;
std::istringstream in("1 2 word\\nline\\n");
std::wostringstream wide_out;
std::list<int> list = {1, 2}, other_list = {3};
std::set<int> set = {1, 2, 3};
std::array<char, 24> bytes, more_bytes;
char kept;
int number;
std::string word;
#if __cplusplus >= 202002L
#define VIEW(stream) stream.view()
#else
#define VIEW(stream) stream.str()
#endif
void first_of_text() { kept = text[0]; }
""",
    "CASES": """
  {"string = string", {[] { text = source; }, first_of_text}},
  {"string = literal of 26", {[] { text = "abcdefghijklmnopqrstuvwxyz"; }, first_of_text}},
  {"string += string", {[] { text += source; }, [] { number = text.size(); }}},
  {"string.insert", {[] { text.insert(0, "x"); }, first_of_text}},
  {"string.erase", {[] { text.erase(0, 1); }, first_of_text}},
  {"string from string", {[] { std::string copy(text); kept = copy[1]; }, [] { text[0] = 'x'; }}},
  {"string == string", {[] { kept = text == source; }, [] { text.back() = 'x'; text.pop_back(); }}},
  {"string.find", {[] { number = static_cast<int>(text.find('z')); }, [] { text[0] = 'x'; }}},
  {"wstring = wstring", {[] { wide = wide_source; }, [] { kept = wide[0] == L's'; }}},
  {"ostringstream <<", {[] { out << 1 << "a"; }, [] { out << 2; }}},
  {"ostringstream << string", {[] { out << text; }, [] { text[0] = 'x'; }}},
  {"ostringstream << char beside str", {[] { out << 'b'; }, [] { word = out.str(); }}},
  {"wostringstream << char beside str", {[] { wide_out << L'b'; }, [] { wide = wide_out.str(); }}},
  {"ostringstream << char beside view", {[] { out << 'b'; }, [] { number = static_cast<int>(VIEW(out).size()); }}},
  {"wostringstream <<", {[] { wide_out << 1; }, [] { wide_out << L"a"; }}},
  {"istringstream >>", {[] { in >> number; }, [] { int another; in >> another; }}},
  {"istringstream >> string", {[] { in >> word; }, [] { kept = word.size() == 1; }}},
  {"getline", {[] { std::getline(in, word); }, [] { kept = word.size() == 1; }}},
  {"list.push_back", {[] { list.push_back(4); }, [] { number = *list.rbegin(); }}},
  {"list.splice", {[] { list.splice(list.begin(), other_list); }, [] { number = *list.begin(); }}},
  {"list.reverse", {[] { list.reverse(); }, [] { number = *list.begin(); }}},
  {"set.insert beside find", {[] { set.insert(4); }, [] { kept = set.find(4) == set.end(); }}},
  {"set.erase beside a walk", {[] { set.erase(2); }, [] { for (int i : set) number = i; }}},
  {"copy of a small constant size", {[] { std::copy_n(bytes.begin(), 24, more_bytes.begin()); }, [] { bytes[3] = 'x'; }}},
  {"fill of a small constant size", {[] { std::fill_n(bytes.begin(), 24, 'y'); }, [] { bytes[3] = 'x'; }}},
  {"assignment of an array", {[] { more_bytes = bytes; }, [] { more_bytes[3] = 'x'; }}},
""",
}

BUFFERS = {
    "INCLUDES": """
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cwchar>
""",
    "DATA": """
char buffer[64] = "12 3.5 word";
int number = 7, numbers[4] = {3, 1, 2, 4};
char* end = nullptr;
time_t moment = 1000000;
tm parts;
struct stat facts;
int compare(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }
FILE* file() { static FILE* const made = [] { FILE* f = std::tmpfile(); std::fputs("some text\\nof two lines\\n", f); std::rewind(f); return f; }(); return made; }
int ends[2], sockets[2];
void fill_pipe() { if (pipe(ends) != 0 || write(ends[1], "abcdefgh", 8) != 8) std::abort(); }
void fill_sockets() { if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || write(sockets[1], "abcdefgh", 8) != 8) std::abort(); }
void touch() { buffer[0] = 'x'; }
void look() { number = buffer[0]; }
long result;
wchar_t wide[64] = L"12 345 abc";
int by_list(wchar_t* to, const wchar_t* format, ...) {
  va_list values;
  va_start(values, format);
  const int n = std::vswprintf(to, 20, format, values);
  va_end(values);
  return n;
}
""",
    "CASES": """
  {"read", {[] { fill_pipe(); result = read(ends[0], buffer, 8); }, look}},
  {"write", {[] { fill_pipe(); result = write(ends[1], buffer, 8); }, touch}},
  {"readv", {[] { fill_pipe(); iovec piece{buffer, 8}; result = readv(ends[0], &piece, 1); }, look}},
  {"writev", {[] { fill_pipe(); iovec piece{buffer, 8}; result = writev(ends[1], &piece, 1); }, touch}},
  {"pread", {[] { result = pread(fileno(file()), buffer, 4, 0); }, look}},
  {"pwrite", {[] { result = pwrite(fileno(file()), buffer, 4, 0); }, touch}},
  {"recv", {[] { fill_sockets(); result = recv(sockets[0], buffer, 8, 0); }, look}},
  {"send", {[] { fill_sockets(); result = send(sockets[0], buffer, 8, 0); }, touch}},
  {"fread", {[] { result = static_cast<long>(std::fread(buffer, 1, 4, file())); }, look}},
  {"fwrite", {[] { result = static_cast<long>(std::fwrite(buffer, 1, 4, file())); }, touch}},
  {"fgets", {[] { if (std::fgets(buffer, 20, file()) == nullptr) std::abort(); }, look}},
  {"fputs", {[] { std::fputs(buffer, file()); }, touch}},
  {"puts", {[] { std::puts(buffer); }, touch}},
  {"getline", {[] { char* line = nullptr; size_t size = 0; result = getline(&line, &size, file()); end = line; }, [] { kept(); }}},
  {"printf %s", {[] { std::printf("%d %s\\n", 1, buffer); }, touch}},
  {"fprintf %.*s", {[] { std::fprintf(file(), "%.*s\\n", 4, buffer); }, touch}},
  {"snprintf %s", {[] { char to[64]; result = std::snprintf(to, sizeof(to), "%s", buffer); }, touch}},
  {"printf %ls", {[] { std::printf("%ls\\n", wide); }, [] { wide[0] = L'x'; }}},
  {"swprintf", {[] { result = std::swprintf(wide, 20, L"%d", 7); }, [] { number = static_cast<int>(wide[1]); }}},
  {"swprintf %s", {[] { wchar_t to[64]; result = std::swprintf(to, 64, L"%d %s", 7, buffer); }, touch}},
  {"swprintf %ls", {[] { wchar_t to[64]; result = std::swprintf(to, 64, L"%d %.*ls", 7, 4, wide); }, [] { wide[1] = L'x'; }}},
  {"swprintf %n", {[] { wchar_t to[64]; result = std::swprintf(to, 64, L"%d%n", 7, &number); }, [] { number = 3; }}},
  {"swprintf without room", {[] { result = std::swprintf(wide, 3, L"%d", 12345); }, [] { number = static_cast<int>(wide[2]); }}},
  {"vswprintf", {[] { result = by_list(wide, L"%d", 7); }, [] { number = static_cast<int>(wide[1]); }}},
  {"fwprintf %ls", {[] { std::fwprintf(stderr, L"%ls\\n", wide); }, [] { wide[0] = L'x'; }}},
  {"fwprintf format", {[] { std::fwprintf(stderr, wide); }, [] { wide[0] = L'x'; }}},
  {"fputws", {[] { std::fputws(wide, stderr); }, [] { wide[0] = L'x'; }}},
  {"sscanf text", {[] { int read; result = std::sscanf(buffer, "%d", &read); }, touch}},
  {"sscanf value", {[] { result = std::sscanf("5", "%d", &numbers[0]); }, [] { result = numbers[0]; }}},
  {"sscanf %s", {[] { result = std::sscanf("5 word", "%*d %s", buffer); }, look}},
  {"sscanf second value", {[] { double d; result = std::sscanf("5.5 6", "%lf %d", &d, &numbers[0]); }, [] { result = numbers[0]; }}},
  {"strtol", {[] { result = std::strtol(buffer, nullptr, 10); }, touch}},
  {"strtol end", {[] { result = std::strtol("12", &end, 10); }, [] { if (end == buffer) result = 1; }}},
  {"strtod", {[] { result = static_cast<long>(std::strtod(buffer, nullptr)); }, touch}},
  {"atoi", {[] { result = std::atoi(buffer); }, touch}},
  {"qsort", {[] { std::qsort(numbers, 4, sizeof(int), compare); }, [] { result = numbers[3]; }}},
  {"localtime_r", {[] { localtime_r(&moment, &parts); }, [] { result = parts.tm_hour; }}},
  {"mktime", {[] { result = std::mktime(&parts); }, [] { parts.tm_hour = 4; }}},
  {"strftime", {[] { tm now{}; result = static_cast<long>(std::strftime(buffer, 20, "%H", &now)); }, look}},
  {"fstat", {[] { result = fstat(fileno(file()), &facts); }, [] { number = static_cast<int>(facts.st_size); }}},
  {"pipe", {[] { result = pipe(ends); }, [] { number = ends[1]; }}},
  {"getcwd", {[] { result = getcwd(buffer, 60) == nullptr; }, look}},
""".replace("kept();", "if (end == buffer) result = 1;"),
}

# Near misses: none of these is a race.
CLEAN = {
    "INCLUDES": """
#include <iostream>
#include <sstream>
#include <string>
#include <cstdlib>
#include <cwchar>
#include <unistd.h>
""",
    "DATA": """
char buffer[64] = "12 345";
int ends[2];
long result;
wchar_t wide[64] = L"12 345 abc";
std::string shared = "a text that both only read, which is long";
""",
    "CASES": """
  {"cout by two", {[] { std::cout << "one " << 1 << std::endl; }, [] { std::cout << "two " << 2 << '\\n'; }}},
  {"cerr by two", {[] { std::cerr << "one " << 1; }, [] { std::cerr << "two " << 2; }}},
  {"streams of their own", {[] { std::ostringstream out; out << 1.5 << shared; }, [] { std::ostringstream out; out << 1.5 << shared; }}},
  {"both read a string", {[] { std::string copy = shared; }, [] { result = static_cast<long>(shared.find("read")); }}},
  {"strtol ends early", {[] { result = std::strtol(buffer, nullptr, 10); }, [] { buffer[4] = '0'; }}},
  {"swprintf writes less", {[] { result = std::swprintf(wide, 20, L"%d", 7); }, [] { wide[2] = L'x'; }}},
  {"swprintf reads less", {[] { wchar_t to[8]; result = std::swprintf(to, 8, L"%.2s%.2ls", buffer, wide); }, [] { wide[2] = L'x', buffer[2] = 'x'; }}},
  {"swprintf has no room", {[] { result = std::swprintf(wide, 3, L"%d", 12345); }, [] { wide[3] = L'x'; }}},
  {"read gets less", {[] { result = pipe(ends) + write(ends[1], "ab", 2) + read(ends[0], buffer + 8, 20); }, [] { buffer[20] = 'x'; }}},
""",
}


def source(parts):
    text = FRAME
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


def names(parts):
    return [line.split('"')[1] for line in parts["CASES"].splitlines() if line.startswith('  {"')]


class LibraryAccesses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def build(self, parts, compiler, *options):
        (self.folder / "cases.cpp").write_text(source(parts), encoding="utf-8")
        subprocess.run([TARRY, "c++", *options, "-g", "cases.cpp", "-o", "cases"], cwd=self.folder, env={**os.environ, "CXX": compiler}, check=True, capture_output=True)

    def kinds(self, *arguments):
        ran = subprocess.run([TARRY, "check", "./cases", "--json", "--search", "dfs", "--", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        answer = json.loads(ran.stdout)
        return answer["verdict"], {finding["kind"] for finding in answer["findings"]}

    def check(self, parts, compiler, *options):
        self.build(parts, compiler, *options)
        wrong = []
        for name in names(parts):
            if (found := self.kinds(name, "free"))[0] != "bug" or "data-race" not in found[1]:
                wrong.append(f"{name}: {found}")
            if (found := self.kinds(name, "locked")) != ("verified", set()):
                wrong.append(f"{name}, with a lock: {found}")
        self.assertEqual(wrong, [])

    @unittest.skipUnless(ways.ALL, "by tests/slow_native/ways_test.py")
    def test_objects_gcc_O0(self):
        self.check(OBJECTS, "g++", "-O0")

    @unittest.skipUnless(ways.ALL, "by tests/slow_native/ways_test.py")
    def test_objects_gcc_O0_of_2020(self):
        self.check(OBJECTS, "g++", "-O0", "-std=c++20")

    @unittest.skipUnless(ways.ALL, "by tests/slow_native/ways_test.py")
    def test_objects_gcc_O2(self):
        self.check(OBJECTS, "g++", "-O2", "-std=c++17")

    def test_objects_gcc_O2_of_2020(self):
        self.check(OBJECTS, "g++", "-O2", "-std=c++20")

    @unittest.skipUnless(ways.ALL, "by tests/slow_native/ways_test.py")
    def test_objects_gcc_O2_fortified(self):
        self.check(OBJECTS, "g++", "-O2", "-D_FORTIFY_SOURCE=2")

    def test_objects_clang_O0(self):
        self.check(OBJECTS, "clang++", "-O0")

    @unittest.skipUnless(ways.ALL, "by tests/slow_native/ways_test.py")
    def test_objects_clang_O2(self):
        self.check(OBJECTS, "clang++", "-O2")

    def test_buffers_gcc_O2(self):
        self.check(BUFFERS, "g++", "-O2")

    @unittest.skipUnless(ways.ALL, "by tests/slow_native/ways_test.py")
    def test_buffers_clang_O0(self):
        self.check(BUFFERS, "clang++", "-O0")

    def test_near_misses(self):
        for compiler, option in (("g++", "-O2"), ("clang++", "-O0")):
            self.build(CLEAN, compiler, option)
            wrong = [f"{name}: {found}" for name in names(CLEAN) if (found := self.kinds(name, "free")) != ("verified", set())]
            self.assertEqual(wrong, [], compiler)


if __name__ == "__main__":
    unittest.main()
