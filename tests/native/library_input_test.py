#!/usr/bin/env python3
"""What libstdc++ reads from streams into variables of the program, what it does to files, and what locale facets do to buffers: each case races, and with a lock
does not. What Tarry does not see is named, and only if threads share it."""

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
#include <bitset>
#include <complex>
#include <csetjmp>
#include <ctime>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
struct Case { std::function<void()> one, other; };
template <class T> T target{};
char buffer[16] = "abcdefgh", more[16];
wchar_t wide[16] = L"abcdefgh", more_wide[16];
std::string text = "old";
std::wstring wide_text = L"old";
std::istringstream in("12 word\\nline\\n");
std::wistringstream wide_in(L"12 word\\nline\\n");
std::ostringstream out, printed;
std::ifstream closed;
std::ifstream opened("/dev/null");
std::ofstream written("/dev/null");
std::fstream both("/dev/null");
std::wofstream wide_closed;
tm moment{};
jmp_buf place;
bool kept;
std::mbstate_t shift{};
template <class Facet> const Facet& facet() { return std::use_facet<Facet>(std::locale::classic()); }
template <class T> void extract(const char* from) { std::istringstream local(from); local >> target<T>; }
template <class T> void extract_wide(const wchar_t* from) { std::wistringstream local(from); local >> target<T>; }
template <class T> void look() { kept = target<T> == T(); }
struct Upper : std::ctype<char> {};
struct Sevens : std::num_get<char> {
  iter_type do_get(iter_type at, iter_type, std::ios_base&, std::ios_base::iostate&, double& number) const override { number = 7; return at; }
};
const std::locale special(std::locale::classic(), new Sevens);
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

NUMBERS = ["short", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long", "unsigned long long", "float", "double", "long double", "bool", "void*"]

FOUND = "".join(f"""
  {{"istream >> {one}", {{[] {{ extract<{one}>("1"); }}, look<{one}>}}}},
  {{"wistream >> {one}", {{[] {{ extract_wide<{one}>(L"1"); }}, look<{one}>}}}},""" for one in NUMBERS) + """
  {"istream >> double that is none", {[] { extract<double>("x"); }, look<double>}},
  {"istream >> int beyond all", {[] { extract<int>("99999999999"); }, look<int>}},
  {"istream >> complex", {[] { extract<std::complex<double>>("(1,2)"); }, look<std::complex<double>>}},
  {"wistream >> complex", {[] { extract_wide<std::complex<float>>(L"(1,2)"); }, look<std::complex<float>>}},
  {"istream >> bitset", {[] { extract<std::bitset<4>>("11"); }, look<std::bitset<4>>}},
  {"istream >> quoted", {[] { std::istringstream local("\\"a b\\""); local >> std::quoted(text); }, [] { kept = text.empty(); }}},
  {"istream >> string", {[] { std::istringstream local("a"); local >> text; }, [] { kept = text.empty(); }}},
  {"wistream >> wstring", {[] { std::wistringstream local(L"a"); local >> wide_text; }, [] { kept = wide_text.empty(); }}},
  {"istream >> char[]", {[] { std::istringstream local("xy"); local >> buffer; }, [] { kept = buffer[0] == 'a'; }}},
  {"wistream >> wchar_t[]", {[] { std::wistringstream local(L"xy"); local >> wide; }, [] { kept = wide[0] == L'a'; }}},
  {"istream >> char", {[] { extract<char>("x"); }, look<char>}},
  {"istream >> signed char", {[] { extract<signed char>("x"); }, look<signed char>}},
  {"wistream >> wchar_t", {[] { extract_wide<wchar_t>(L"x"); }, look<wchar_t>}},
  {"getline", {[] { std::istringstream local("a"); std::getline(local, text); }, [] { kept = text.empty(); }}},
  {"getline of wide", {[] { std::wistringstream local(L"a"); std::getline(local, wide_text); }, [] { kept = wide_text.empty(); }}},
  {"istream.getline", {[] { std::istringstream local("xy"); local.getline(buffer, 9); }, [] { kept = buffer[0] == 'a'; }}},
  {"wistream.getline", {[] { std::wistringstream local(L"xy"); local.getline(wide, 9); }, [] { kept = wide[0] == L'a'; }}},
  {"istream.get(char&)", {[] { std::istringstream local("xy"); local.get(buffer[0]); }, [] { kept = buffer[0] == 'a'; }}},
  {"istream.get(char*)", {[] { std::istringstream local("xy"); local.get(buffer, 9); }, [] { kept = buffer[0] == 'a'; }}},
  {"istream.read", {[] { std::istringstream local("xyz"); local.read(buffer, 2); }, [] { kept = buffer[1] == 'b'; }}},
  {"istream.readsome", {[] { std::istringstream local("xyz"); local.readsome(buffer, 2); }, [] { kept = buffer[1] == 'b'; }}},
  {"istream >> number beside peek", {[] { target<double> = 0; double number; in >> number; }, [] { kept = in.peek() == '1'; }}},
  {"wistream.ignore beside peek", {[] { wide_in.ignore(2); }, [] { kept = wide_in.peek() == L'1'; }}},
  {"ostream << streambuf beside peek", {[] { std::ostringstream local; local << in.rdbuf(); }, [] { kept = in.peek() == '1'; }}},
  {"ostream << setw", {[] { out << std::setw(3); }, [] { kept = out.width() == 0; }}},
  {"ostream << complex", {[] { printed << target<std::complex<double>>; }, [] { target<std::complex<double>> = 1; }}},
  {"imbue beside getloc", {[] { out.imbue(std::locale::classic()); }, [] { kept = out.getloc() == std::locale::classic(); }}},
  {"swap of streams", {[] { out.swap(printed); }, [] { kept = out.flags() == 0; }}},
  {"ifstream.open beside is_open", {[] { closed.open("/dev/null"); }, [] { kept = closed.is_open(); }}},
  {"ifstream.open beside open", {[] { closed.open("/dev/null"); }, [] { closed.open("/dev/zero"); }}},
  {"ifstream.close beside is_open", {[] { opened.close(); }, [] { kept = opened.is_open(); }}},
  {"ifstream.open beside rdbuf", {[] { closed.open("/dev/null"); }, [] { kept = closed.rdbuf()->is_open(); }}},
  {"ifstream.get beside close", {[] { kept = opened.get() == 'a'; }, [] { opened.close(); }}},
  {"ofstream << beside close", {[] { written << 1.5 << std::flush; }, [] { written.close(); }}},
  {"fstream >> beside seekg", {[] { both >> target<long>; }, [] { both.seekg(0); }}},
  {"wofstream.open beside is_open", {[] { wide_closed.open("/dev/null"); }, [] { kept = wide_closed.is_open(); }}},
  {"toupper of a range", {[] { facet<std::ctype<char>>().toupper(buffer, buffer + 8); }, [] { kept = buffer[7] == 'h'; }}},
  {"tolower of a wide range", {[] { facet<std::ctype<wchar_t>>().tolower(wide, wide + 8); }, [] { kept = wide[7] == L'h'; }}},
  {"toupper of a facet of the program", {[] { static const Upper mine; mine.toupper(buffer, buffer + 8); }, [] { kept = buffer[7] == 'h'; }}},
  {"widen from", {[] { facet<std::ctype<wchar_t>>().widen(buffer, buffer + 8, more_wide); }, [] { buffer[7] = 'x'; }}},
  {"widen to", {[] { facet<std::ctype<wchar_t>>().widen(buffer, buffer + 8, more_wide); }, [] { kept = more_wide[7] == L'x'; }}},
  {"narrow to", {[] { facet<std::ctype<wchar_t>>().narrow(wide, wide + 8, '?', more); }, [] { kept = more[7] == 'x'; }}},
  {"narrow of char", {[] { facet<std::ctype<char>>().narrow(buffer, buffer + 8, '?', more); }, [] { kept = more[7] == 'x'; }}},
  {"is of a range", {[] { static std::ctype_base::mask masks[8]; facet<std::ctype<wchar_t>>().is(wide, wide + 8, masks); }, [] { wide[7] = L'x'; }}},
  {"scan_is", {[] { kept = facet<std::ctype<wchar_t>>().scan_is(std::ctype_base::digit, wide, wide + 8) == wide; }, [] { wide[7] = L'x'; }}},
  {"collate.compare", {[] { kept = facet<std::collate<char>>().compare(buffer, buffer + 8, buffer, buffer + 8) == 0; }, [] { buffer[7] = 'x'; }}},
  {"collate.transform", {[] { kept = facet<std::collate<char>>().transform(buffer, buffer + 8).empty(); }, [] { buffer[7] = 'x'; }}},
  {"collate.hash", {[] { kept = facet<std::collate<wchar_t>>().hash(wide, wide + 8) == 0; }, [] { wide[7] = L'x'; }}},
  {"num_get.get", {[] { std::istringstream local("1"); auto state = std::ios::goodbit; facet<std::num_get<char>>().get(local, {}, local, state, target<unsigned short>); }, look<unsigned short>}},
  {"a num_get of the program", {[] { std::istringstream local("1"); local.imbue(special); local >> target<double>; }, look<double>}},
  {"get_money", {[] { std::istringstream local("100"); local >> std::get_money(target<long double>); }, look<long double>}},
  {"put_time", {[] { std::ostringstream local; local << std::put_time(&moment, "%Y"); }, [] { moment.tm_year = 1; }}},
  {"put_time of wide", {[] { std::wostringstream local; local << std::put_time(&moment, L"%Y"); }, [] { moment.tm_year = 1; }}},
  {"setjmp", {[] { if (setjmp(place) != 0) std::abort(); }, [] { kept = reinterpret_cast<char*>(place)[0] == 1; }}},
"""

# By name, with what the note names.
TOLD = """
  {"time_get::get", {[] { std::istringstream local("2020"); local >> std::get_time(&moment, "%Y"); }, [] { kept = moment.tm_year == 0; }}},
  {"time_get::get_year", {[] { std::istringstream local("2020"); auto state = std::ios::goodbit; facet<std::time_get<char>>().get_year(local, {}, local, state, &moment); }, [] { kept = moment.tm_year == 0; }}},
  {"money_get::get", {[] { std::istringstream local("100"); local >> std::get_money(text); }, [] { kept = text.empty(); }}},
  {"codecvt::in", {[] { const char* from = buffer; wchar_t* to = wide; facet<std::codecvt<wchar_t, char, std::mbstate_t>>().in(shift, from, from + 4, from, to, to + 4, to); }, [] { kept = wide[0] == L'a'; }}},
  {"num_get::get", {[] { auto state = std::ios::goodbit; facet<std::num_get<char>>().get(in, {}, in, state, target<long>); }, [] { kept = in.rdbuf()->in_avail() == 0; }}},
"""

# Near misses: nothing here races, and nothing of it is named.
CLEAN = """
  {"a regex each", {[] { kept = std::regex_search("x12", std::regex("[[:digit:]a-f]+", std::regex::icase)); }, [] { std::regex_match("abc", std::regex("(a|b)*c")); }}},
  {"a wide regex", {[] { kept = std::regex_search(L"x12", std::wregex(L"[[:alpha:]]+\\\\d")); }, [] {}}},
  {"cout of numbers", {[] { std::cout << 1.5 << std::endl; }, [] { std::cout << 2.5 << ' ' << 7 << std::endl; }}},
  {"own streams of numbers", {[] { std::stringstream own("1.5 2"); double a; long b; own >> a >> b; own << a << b; }, [] { std::stringstream own("2.5"); double a; own >> a; }}},
  {"own streams on the heap", {[] { const auto own = std::make_unique<std::stringstream>("1.5 word"); double a; std::string b; *own >> a >> b; }, [] {}}},
  {"own wide streams", {[] { std::wstringstream own(L"1.5 word"); double a; std::wstring b; own >> a >> b; own << a; }, [] { std::wstringstream own(L"1"); int a; own >> a; }}},
  {"own put_time", {[] { tm own{}; std::ostringstream local; local << std::put_time(&own, "%Y-%m-%d %H:%M"); }, [] { tm own{}; std::ostringstream local; local << std::put_time(&own, "%c"); }}},
  {"own put_time to cout", {[] { tm own{}; std::cout << std::put_time(&own, "%F %T") << std::endl; }, [] { std::cout << "x" << std::endl; }}},
  {"own get_time", {[] { tm own{}; std::istringstream local("2020"); local >> std::get_time(&own, "%Y"); }, [] {}}},
  {"own money", {[] { std::stringstream local("100"); long double a; local >> std::get_money(a); local << std::put_money(a); }, [] {}}},
  {"own files", {[] { std::ifstream file("/proc/version"); std::string a; file >> a; file.close(); }, [] { std::ofstream file("/dev/null"); file << 1.5; }}},
  {"own wide files", {[] { std::wifstream file("/proc/version"); std::wstring a; file >> a; }, [] { std::wofstream file("/dev/null"); file << L"text" << 1.5; }}},
  {"both ask is_open", {[] { kept = opened.is_open(); }, [] { (void)opened.is_open(); }}},
  {"both close what is closed", {[] { (void)closed.rdbuf()->close(); }, [] { (void)closed.is_open(); }}},
  {"both use a facet", {[] { kept = facet<std::ctype<char>>().toupper('a') == 'A'; }, [] { (void)std::toupper('b', std::locale::classic()); }}},
  {"toupper of less", {[] { facet<std::ctype<char>>().toupper(buffer, buffer + 4); }, [] { buffer[4] = 'x'; }}},
  {"narrow to less", {[] { facet<std::ctype<wchar_t>>().narrow(wide, wide + 8, '?', more); }, [] { more[8] = 'x'; }}},
  {"num_get of less", {[] { std::istringstream local("1"); auto state = std::ios::goodbit; facet<std::num_get<char>>().get(local, {}, local, state, target<unsigned short[2]>[0]); }, [] { target<unsigned short[2]>[1] = 1; }}},
  {"read after the end", {[] { std::istringstream local(""); local >> target<long>; }, look<long>}},
  {"numbers of a decimal point", {[] { kept = facet<std::numpunct<char>>().decimal_point() == '.'; }, [] { (void)facet<std::moneypunct<char>>().curr_symbol(); }}},
  {"own setjmp", {[] { jmp_buf own; if (setjmp(own) == 0) longjmp(own, 1); }, [] { jmp_buf own; if (setjmp(own) == 0) longjmp(own, 1); }}},
"""


def names(cases):
    return [line.split('"')[1] for line in cases.splitlines() if line.startswith('  {"')]


class LibraryInput(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def build(self, cases, compiler, *options):
        (self.folder / "cases.cpp").write_text(FRAME.replace("CASES", cases), encoding="utf-8")
        subprocess.run([TARRY, "c++", *options, "-w", "-g", "cases.cpp", "-o", "cases"], cwd=self.folder, env={**os.environ, "CXX": compiler}, check=True)

    def answer(self, *arguments):
        ran = subprocess.run([TARRY, "check", "./cases", "--json", "--jobs", "1", "--search", "dfs", "--", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stdout + ran.stderr)
        answer = json.loads(ran.stdout)
        return answer["verdict"], sorted({finding["kind"] for finding in answer["findings"]}), answer.get("assumes"), answer.get("notes")

    def check_found(self, compiler, *options):
        self.build(FOUND, compiler, *options)
        wrong = []
        for name in names(FOUND):
            if (found := self.answer(name, "free"))[0] != "bug" or "data-race" not in found[1]:
                wrong.append(f"{name}: {found}")
            if (found := self.answer(name, "locked"))[:3] != ("verified", [], None):
                wrong.append(f"{name}, with a lock: {found}")
        self.assertEqual(wrong, [])

    def test_found_gcc_O2(self):
        self.check_found("g++", "-O2", "-std=c++17")

    @unittest.skipUnless(ways.ALL, "by tests/slow_native/ways_test.py")
    def test_found_gcc_O0(self):
        self.check_found("g++", "-O0", "-std=c++20")

    @unittest.skipUnless(ways.ALL, "by tests/slow_native/ways_test.py")
    def test_found_clang_O0(self):
        self.check_found("clang++", "-O0", "-std=c++17")

    @unittest.skipUnless(ways.ALL, "by tests/slow_native/ways_test.py")
    def test_found_clang_O2(self):
        self.check_found("clang++", "-O2", "-std=c++17")

    def test_told(self):
        for compiler, option in (("g++", "-O2"), ("clang++", "-O0")):
            self.build(TOLD, compiler, option, "-std=c++17")
            for name in names(TOLD):
                with self.subTest(name, compiler=compiler):
                    verdict, kinds, assumes, notes = self.answer(name, "free")
                    self.assertEqual((verdict, kinds), ("verified", []))
                    self.assertTrue(assumes)
                    about, function = name.split("::")
                    self.assertRegex(" ".join(map(str, notes)), f"{about}.*::(do_)?{function}")

    def test_near_misses(self):
        for compiler, option in (("g++", "-O2"), ("clang++", "-O0")):
            self.build(CLEAN, compiler, option, "-std=c++17")
            wrong = [f"{name}: {found}" for name in names(CLEAN) if (found := self.answer(name, "free"))[:3] != ("verified", [], None)]
            self.assertEqual(wrong, [], compiler)


if __name__ == "__main__":
    unittest.main()
