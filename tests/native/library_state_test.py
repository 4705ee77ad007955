#!/usr/bin/env python3
"""State of libc that all threads share is seen: each function with its twin that has no such state."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import check, compiled  # noqa: E402

SOURCE = """#include <cassert>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <search.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
static void nothing(int) {}
[[maybe_unused]] static char key[] = "key";
[[maybe_unused]] static void enter(long value) { hsearch({key, reinterpret_cast<void*>(value)}, ENTER); }
[[maybe_unused]] static bool entered(long value) { return hsearch({key, nullptr}, FIND)->data == reinterpret_cast<void*>(value); }
[[maybe_unused]] static char* page;
[[maybe_unused]] static int place, sign;
[[maybe_unused]] static const rlimit few{4000, 6000}, many{5000, 6000};
[[maybe_unused]] static rlim_t processes() {
  rlimit now;
  getrlimit(RLIMIT_NPROC, &now);
  return now.rlim_cur;
}
const time_t early = 0, late = 1000000000;
[[maybe_unused]] unsigned seeds[2] = {1, 1};
int main() {
  BEFORE;
  std::thread other([] { OTHER; });
  FIRST;
  other.join();
}
"""
# Name: what fails, before, the other thread, main.
CASES = {
    "rand": (["assertion"], "srand(1); int wanted[2] = {rand(), rand()}; srand(1)", "rand()", "int a = rand(), b = rand(); assert(a == wanted[0] && b == wanted[1])"),
    "rand_r": ([], "", "rand_r(&seeds[0])", "int a = rand_r(&seeds[1]); assert(a >= 0)"),
    "a new variable": (["data-race"], "", "setenv(\"NEW\", \"1\", 1)", "getenv(\"X\")"),
    "two that set": ([], "", "setenv(\"NEW\", \"1\", 1)", "setenv(\"X\", \"1\", 1)"),
    "hsearch": (["assertion"], "hcreate(8)", "enter(2)", "enter(1); assert(entered(1))"),
    "madvise": (["assertion", "data-race"], "page = static_cast<char*>(mmap(nullptr, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))", "madvise(page, 4096, MADV_DONTNEED)", "page[1] = 7; assert(*static_cast<volatile char*>(page + 1) == 7)"),
    "setenv": (["assertion", "data-race"], "setenv(\"X\", \"0\", 1)", "setenv(\"X\", \"1\", 1)", "char was = *getenv(\"X\"); assert(*getenv(\"X\") == was)"),
    "getenv": ([], "setenv(\"X\", \"0\", 1)", "getenv(\"X\")", "char was = *getenv(\"X\"); assert(*getenv(\"X\") == was)"),
    "localtime": (["assertion", "data-race"], "", "localtime(&late)", "assert(localtime(&early)->tm_year < 71)"),
    "gmtime": (["assertion", "data-race"], "", "gmtime(&late)", "assert(gmtime(&early)->tm_year == 70)"),
    "gmtime and localtime": (["assertion", "data-race"], "", "localtime(&late)", "assert(gmtime(&early)->tm_year == 70)"),
    "ctime": (["assertion", "data-race"], "", "ctime(&late)", "assert(strstr(ctime(&early), \"20\") == nullptr)"),
    "umask": (["assertion"], "umask(0)", "umask(7)", "mode_t was = umask(2); assert(umask(was) == 2)"),
    "sigaction": (["assertion"], "", "signal(SIGUSR1, nothing)", "signal(SIGUSR1, SIG_IGN); assert(signal(SIGUSR1, SIG_DFL) == SIG_IGN)"),
    "another signal": ([], "(void)nothing", "signal(SIGUSR2, nothing)", "signal(SIGUSR1, SIG_IGN); assert(signal(SIGUSR1, SIG_DFL) == SIG_IGN)"),
    "names of threads": (["assertion"], "static pthread_t self; self = pthread_self()", "pthread_setname_np(self, \"b\")", "char name[16]; pthread_setname_np(self, \"a\"); pthread_getname_np(self, name, 16); assert(*name == 'a')"),
    "setrlimit": (["assertion"], "", "setrlimit(RLIMIT_NPROC, &many)", "setrlimit(RLIMIT_NPROC, &few); assert(processes() == 4000)"),
    "getrlimit": ([], "", "processes()", "setrlimit(RLIMIT_NPROC, &few); assert(processes() == 4000)"),
    "mprotect": (["crash"], "page = static_cast<char*>(mmap(nullptr, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))", "*page = 1", "mprotect(page, 4096, PROT_READ); mprotect(page, 4096, PROT_READ | PROT_WRITE)"),
    "mbrtowc": (["assertion"], "setlocale(LC_ALL, \"C.UTF-8\")", "wchar_t c; mbrtowc(&c, \"\\xc3\\xa9\", 1, nullptr); mbrtowc(&c, \"\\xa9\", 1, nullptr)", "wchar_t c; size_t a = mbrtowc(&c, \"\\xc3\", 1, nullptr), b = mbrtowc(&c, \"\\xa9\", 1, nullptr); assert(a == size_t(-2) && b == 1)"),
    "mbrtowc with a state": ([], "setlocale(LC_ALL, \"C.UTF-8\")", "wchar_t c; mbstate_t s{}; mbrtowc(&c, \"\\xc3\", 1, &s)", "wchar_t c; mbstate_t s{}; size_t a = mbrtowc(&c, \"\\xc3\", 1, &s), b = mbrtowc(&c, \"\\xa9\", 1, &s); assert(a == size_t(-2) && b == 1)"),
    "ecvt": (["assertion", "data-race"], "", "ecvt(7.25, 3, &place, &sign)", "int at, minus; const char* text = ecvt(1.25, 3, &at, &minus); assert(*text == '1')"),
    "ecvt_r": ([], "", "char text[9]; int at, minus; ecvt_r(7.25, 3, &at, &minus, text, 9)", "char text[9]; int at, minus; ecvt_r(1.25, 3, &at, &minus, text, 9); assert(*text == '1')"),
    "localtime_r": ([], "", "tm parts; localtime_r(&late, &parts)", "tm parts; assert(localtime_r(&early, &parts)->tm_year < 71)"),
}


class LibraryState(unittest.TestCase):
    def test_state_of_libc_is_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, (kinds, before, other, first) in CASES.items():
                with self.subTest(name):
                    source = pathlib.Path(folder) / (name.replace(" ", "_") + ".cpp")
                    source.write_text(SOURCE.replace("BEFORE", before).replace("OTHER", other).replace("FIRST", first))
                    answer = check(compiled(folder, source), "--time", "60s", "--explore")
                    self.assertEqual(sorted(set(answer["kinds"])), kinds, answer)
                    if not kinds:
                        self.assertEqual((answer["verdict"], answer.get("assumes")), ("verified", None), answer)


if __name__ == "__main__":
    unittest.main()
