#!/usr/bin/env python3
"""Functions of libraries that the program calls: state that threads share is a scheduling point, accesses are told, and what is not known qualifies the
verdict. Each case has a twin in which nothing can go wrong."""

import collections
import ctypes
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import ALL, COMPILERS, check, compiled, ways  # noqa: E402

SOURCE = """#include <arpa/inet.h>
#include <cassert>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <syslog.h>
#include <thread>
#include <unistd.h>
#pragma GCC diagnostic ignored "-Wunused-result"
struct Global {
  char text[16] = "/etc";
  char room[64];
  wchar_t wide[8] = L"abcd";
  int number, sum;
  void* pointer;
  time_t seconds;
  timespec now;
  pthread_key_t keys[2000], key;
  pthread_t self;
  char* page;
  FILE* file;
  sem_t semaphore;
  double real;
};
[[maybe_unused]] static Global g;
[[maybe_unused]] static void first_handler() { g.sum = g.sum * 2 + 1; }
[[maybe_unused]] static void second_handler() { assert(g.sum == EXPECTED); }
static std::mutex m;
int main() {
  BEFORE;
  std::thread other([] { LOCK; OTHER; });
  { LOCK; FIRST; }
  other.join();
  AFTER;
}
"""

# Name: before, the other thread, main, after. The state is libc's or the kernel's, the result depends on the order.
STATE = {
    "sem_open": ('sem_unlink("/tarry-h")', 'sem_open("/tarry-h", O_CREAT, 0600, 1)', 'assert(sem_open("/tarry-h", 0) == SEM_FAILED)', ""),
    "sem_unlink": ('sem_unlink("/tarry-h")', 'sem_unlink("/tarry-h")', 'sem_open("/tarry-h", O_CREAT, 0600, 1)', 'assert(sem_open("/tarry-h", 0) != SEM_FAILED)'),
    "sigpending": ("sigset_t k; sigemptyset(&k); sigaddset(&k, SIGUSR1); pthread_sigmask(SIG_BLOCK, &k, 0)", "kill(getpid(), SIGUSR1)", "sigset_t q; sigpending(&q); assert(!sigismember(&q, SIGUSR1))", ""),
    "atexit, the first first": ("", "atexit(first_handler)", "atexit(second_handler)", ""),
    "atexit, the second first": ("g.sum = 0", "atexit(first_handler)", "atexit(second_handler)", ""),
    "clearenv": ('setenv("Q", "1", 1)', "clearenv()", 'assert(getenv("Q"))', ""),
    "initstate": ("srandom(1)", "initstate(5, g.room, 64)", "g.seconds = random()", "assert(g.seconds == 1804289383)"),
    "mincore": ("g.page = (char*)mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)", "munmap(g.page, 4096)", "unsigned char v; assert(mincore(g.page, 4096, &v) == 0)", ""),
    "pthread_setschedparam": ("g.self = pthread_self()", "sched_param p = {0}; pthread_setschedparam(g.self, SCHED_BATCH, &p)", "sched_param p; int policy; pthread_getschedparam(g.self, &policy, &p); assert(policy == SCHED_OTHER)", ""),
    "pthread_setaffinity_np": ("g.self = pthread_self(); cpu_set_t c; CPU_ZERO(&c); CPU_SET(0, &c); CPU_SET(1, &c); pthread_setaffinity_np(g.self, sizeof c, &c)", "cpu_set_t c; CPU_ZERO(&c); CPU_SET(1, &c); pthread_setaffinity_np(g.self, sizeof c, &c)", "cpu_set_t c; pthread_getaffinity_np(g.self, sizeof c, &c); assert(CPU_COUNT(&c) == 2)", ""),
    "tzset": ('setenv("TZ", "UTC", 1); tzset()', 'setenv("TZ", "EST5", 1); tzset()', "time_t z = 0; tm r; localtime_r(&z, &r); assert(r.tm_hour == 0)", ""),
    "fwide": ('g.file = fopen("/etc/passwd", "r")', "fwide(g.file, 1)", "assert(fwide(g.file, 0) == 0)", ""),
    "pthread_key_create": ("while (g.number < 2000 && pthread_key_create(&g.keys[g.number], 0) == 0) g.number++", "pthread_key_t k; g.number = pthread_key_create(&k, 0)", "pthread_key_delete(g.keys[0])", "assert(g.number == 0)"),
    "dlopen": ("", 'dlopen("libz.so.1", RTLD_NOW | RTLD_GLOBAL)', 'assert(!dlsym(RTLD_DEFAULT, "zlibVersion"))', ""),
    "feof": ('g.file = fopen("/dev/null", "r")', "fgetc(g.file)", "assert(!feof(g.file))", ""),
    "readdir": ('g.pointer = opendir("/")', "readdir((DIR*)g.pointer)", "assert(telldir((DIR*)g.pointer) == 0)", ""),
    "a function that is not known": ("", "setlogmask(1)", "assert(setlogmask(0) == 255)", ""),
}
# The other thread calls, main accesses the same memory.
ACCESSES = {
    "strspn": ('g.sum = strspn(g.text, "/")', "g.text[1] = 'x'"),
    "strcspn": ('g.sum = strcspn(g.text, "c")', "g.text[2] = 'x'"),
    "strpbrk": ('g.pointer = strpbrk(g.text, "c")', "g.text[2] = 'x'"),
    "memmem": ('g.pointer = memmem(g.text, 4, "et", 2)', "g.text[2] = 'x'"),
    "memrchr": ("g.pointer = memrchr(g.text, 't', 4)", "g.text[3] = 'x'"),
    "strchrnul": ("g.pointer = strchrnul(g.text, 't')", "g.text[1] = 'x'"),
    "strcoll": ('g.number = strcoll(g.text, "/etc")', "g.text[2] = 'x'"),
    "strxfrm": ('strxfrm(g.room, "abc", 8)', "g.room[2] = 'x'"),
    "strsep": ('char* p = g.text; strsep(&p, "t")', "g.text[2] = 'x'"),
    "strtok_r": ('char* p; strtok_r(g.text, "t", &p)', "g.text[2] = 'x'"),
    "strtok": ('strtok(g.text, "t")', "g.text[2] = 'x'"),
    "memccpy": ("memccpy(g.room, g.text, 0, 16)", "g.room[2] = 'x'"),
    "stpncpy": ("stpncpy(g.room, g.text, 16)", "g.room[15] = 'x'"),
    "wcslen": ("g.number = wcslen(g.wide)", "g.wide[2] = 'x'"),
    "frexp": ("g.real = frexp(g.real, &g.number)", "g.number = 1"),
    "inet_ntop": ("in_addr a{}; inet_ntop(AF_INET, &a, g.room, 64)", "g.room[0] = 'x'"),
    "open": ("open(g.text, O_RDONLY)", "g.text[1] = 'x'"),
    "access": ("access(g.text, R_OK)", "g.text[1] = 'x'"),
    "rename": ('rename("/tarry-none", g.text)', "g.text[1] = 'x'"),
    "fopen": ('fopen(g.text, "r")', "g.text[1] = 'x'"),
    "time": ("time(&g.seconds)", "g.seconds = 1"),
    "clock_gettime": ("clock_gettime(CLOCK_MONOTONIC, &g.now)", "g.now.tv_sec = 1"),
    "nanosleep": ("nanosleep(&g.now, nullptr)", "g.now.tv_nsec = 1"),
    "sem_getvalue": ("sem_getvalue(&g.semaphore, &g.number)", "g.number = 1"),
    "pthread_key_create's key": ("pthread_key_create(&g.key, nullptr)", "g.key = 1"),
    "pthread_setcancelstate": ("pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &g.number)", "g.number = 1"),
    "pthread_getname_np": ("pthread_getname_np(pthread_self(), g.room, 16)", "g.room[0] = 'x'"),
    "getenv": ("getenv(g.text)", "g.text[1] = 'x'"),
}
# Not modelled: the verdict must say so.
UNSEEN = {
    "fmemopen": 'FILE* f = fmemopen(g.room, 9, "w"); fputs("abc", f); fclose(f)',
}
HARMLESS = """#include <cctype>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
int work(int n) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(3) << std::sin(n) << ' ' << std::pow(n, 2.5) << std::toupper('a');
  std::map<std::string, int> all{{out.str(), n}};
  std::jmp_buf here;
  if (setjmp(here) == 0) longjmp(here, 1);
  char text[32];
  std::snprintf(text, sizeof text, "%d %f", n, std::tgamma(n));
  return static_cast<int>(std::strtol(text, nullptr, 10)) + std::abs(-n) + isalpha(text[0]) + static_cast<int>(sysconf(_SC_PAGESIZE) + all.size());
}
int main() {
  int a = 0, b = 0;
  std::thread one([&] { a = work(2); }), two([&] { b = work(3); });
  one.join();
  two.join();
  std::cout << a + b << std::endl;
  return isatty(0) & 0;
}
"""
LIBRARY = """#include <stdarg.h>
#include <stdlib.h>
struct Large { long a, b, c, d; };
extern "C" double mix(int n, double x, const char* text, float y, long a, long b, long c, long d, long e) { return n + x + text[0] + y + a + b + c + d + e; }
extern "C" Large large(long a) { return {a, a + 1, a + 2, a + 3}; }
extern "C" double sum(int n, ...) { va_list all; va_start(all, n); double s = 0; for (int i = 0; i < n; ++i) s += va_arg(all, double); va_end(all); return s; }
extern "C" void apply(void (*f)(int), int x) { f(x); }
extern "C" long double quad(long double x) { return x * 2; }
"""
CALLS_LIBRARY = """#include <cassert>
#include <cstdlib>
#include <stdexcept>
#include <thread>
struct Large { long a, b, c, d; };
extern "C" double mix(int, double, const char*, float, long, long, long, long, long);
extern "C" Large large(long);
extern "C" double sum(int, ...);
extern "C" void apply(void (*)(int), int);
extern "C" long double quad(long double);
static void work() {
  assert(mix(1, 0.5, "A", 0.25f, 1, 2, 3, 4, 5) == 1 + 0.5 + 'A' + 0.25 + 15);
  const Large l = large(5);
  assert(l.a == 5 && l.d == 8);
  assert(sum(3, 1.5, 2.5, 3.0) == 7);
  assert(quad(1.5L) == 3);
  double (*pointer)(int, ...) = sum;
  assert(pointer(1, 4.0) == 4);
  bool caught = false;
  try { apply([](int x) { if (x == 7) throw std::runtime_error("x"); }, 7); } catch (const std::runtime_error&) { caught = true; }
  assert(caught);
  int numbers[] = {3, 1, 2};
  caught = false;
  try { qsort(numbers, 3, sizeof(int), [](const void*, const void*) -> int { throw 1; }); } catch (int) { caught = true; }
  assert(caught);
}
int main() {
  std::thread other(work);
  work();
  other.join();
}
"""
ZLIB = """#include <thread>
#include <zlib.h>
static unsigned char buffer[64] = "abc";
static unsigned long a, b;
int main() {
  std::thread other([] { a = crc32(0, buffer, 64); });
  b = adler32(0, buffer, 64);
  other.join();
}
"""
FORTIFIED = """#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <fcntl.h>
static char from[64] = "abc", to[64];
int main(int argc, char**) {
  std::thread other([&] { CALL; });
  WITH[1] = 'x';
  other.join();
  return argc & 0;
}
"""
FORTIFIED_CALLS = {
    "strcpy(to, from)": "from",
    "memcpy(to, from, argc * 8)": "to",
    'sprintf(to, "%s", from)': "from",
    'snprintf(to, argc * 8, "%d", argc)': "to",
    "strncpy(to, from, argc * 4)": "to",
    "strcat(to, from)": "from",
    "strncat(to, from, argc * 4)": "from",
    "stpcpy(to, from)": "from",
    'printf("%s", from)': "from",
    "(void)!read(open(\"/etc/passwd\", O_RDONLY), to, argc * 8)": "to",
    'FILE* f = fopen("/etc/passwd", "r"); (void)!fgets(to, argc * 8, f)': "to",
}


def exports(library, name):
    try:
        return bool(library[name])
    except AttributeError:
        return False


def write(folder, name, text):
    path = pathlib.Path(folder) / (re.sub(r"\W+", "_", name) + ".cpp")
    path.write_text(text)
    return path


def program(before="", other="", first="", after="", locked=False, expected="1"):
    text = SOURCE
    for name, value in {"BEFORE": before, "OTHER": other, "FIRST": first, "AFTER": after, "EXPECTED": expected, "LOCK": "std::lock_guard l(m)" if locked else ""}.items():
        text = re.sub(rf"\b{name}\b", lambda _, value=value: value, text)
    return text


class LibraryCalls(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_orders_of_calls_that_share_state_are_explored(self):
        for name, (before, other, first, after) in STATE.items():
            expected = "0" if "second" in name else "1"
            built = compiled(self.folder, write(self.folder, name, program(before, other, first, after, expected=expected)))
            for search in ([], ["--search", "dfs"], ["--search", "dpor"]):
                with self.subTest(name, search=search):
                    answer = check(built, "--time", "60s", *search)
                    self.assertIn("assertion", answer["kinds"], answer)

    def test_without_the_other_call_nothing_is_wrong(self):
        for name, (before, _, first, after) in STATE.items():
            if "atexit" in name or name in ("dlopen", "pthread_key_create"):
                continue
            with self.subTest(name):
                answer = check(compiled(self.folder, write(self.folder, name, program(before, "", first, after))), "--time", "60s")
                self.assertEqual((answer["verdict"], answer["kinds"]), ("verified", []), answer)

    def test_accesses_of_library_functions_race(self):
        before = "sem_init(&g.semaphore, 0, 1); g.pointer = nullptr"
        for name, (other, first) in list(ACCESSES.items())[:: 1 if ALL else 3]:
            with self.subTest(name):
                answer = check(compiled(self.folder, write(self.folder, name, program(before, other, first))), "--time", "60s")
                self.assertIn("data-race", answer["kinds"], answer)
            with self.subTest(name, locked=True):
                answer = check(compiled(self.folder, write(self.folder, name + " locked", program(before, other, first, locked=True))), "--time", "60s")
                self.assertEqual((answer["verdict"], answer["kinds"], answer.get("assumes")), ("verified", [], None), answer)

    def test_every_compiler_and_level(self):
        some = ("strspn", "memmem", "open", "time")
        for name, compiler, level in [(name, *way) for turn, name in enumerate(some) for way in ways(turn)]:
            with self.subTest(name, compiler=compiler, level=level):
                other, first = ACCESSES[name]
                answer = check(compiled(self.folder, write(self.folder, name, program("", other, first)), compiler=compiler, level=level), "--time", "60s")
                self.assertIn("data-race", answer["kinds"], answer)

    def test_the_new_thread_may_read_its_handle(self):
        text = "#include <pthread.h>\n#include <cstdio>\nstatic pthread_t t;\nstatic void* A(void*) { return pthread_equal(t, pthread_self()) ? &t : nullptr; }\nint main() { pthread_create(&t, 0, A, 0); pthread_join(t, 0); }\n"
        answer = check(compiled(self.folder, write(self.folder, "create", text)))
        self.assertEqual((answer["verdict"], answer.get("assumes")), ("verified", None), answer)

    def test_result_of_a_join_is_written(self):
        first = "g.pointer = nullptr"
        before = "pthread_create(&g.self, nullptr, [](void* p) { return p; }, nullptr)"
        answer = check(compiled(self.folder, write(self.folder, "join", program(before, "pthread_join(g.self, &g.pointer)", first))))
        self.assertIn("data-race", answer["kinds"], answer)

    def test_what_is_not_seen_qualifies_the_verdict(self):
        answer = check(compiled(self.folder, write(self.folder, "fmemopen", program("", UNSEEN["fmemopen"], "g.number = g.room[0]"))))
        self.assertEqual(answer["verdict"], "verified", answer)
        self.assertIn("what Tarry controls (see the notes)", answer.get("assumes", []), answer)
        self.assertTrue(any("fmemopen" in note for note in answer["notes"]), answer)
        own = "char room[9]; FILE* f = fmemopen(room, 9, \"w\"); fputs(\"abc\", f); fclose(f)"
        answer = check(compiled(self.folder, write(self.folder, "own memory", program("", own, ""))))
        self.assertEqual((answer["verdict"], answer.get("assumes")), ("verified", None), answer)

    @unittest.skipUnless(os.path.exists("/usr/include/zlib.h"), "there is no zlib")
    def test_other_libraries_qualify_the_verdict(self):
        answer = check(compiled(self.folder, write(self.folder, "zlib", ZLIB), "-lz"), "--time", "60s")
        self.assertIn("what Tarry controls (see the notes)", answer.get("assumes", []), answer)
        self.assertTrue(any("crc32" in note and "adler32" in note for note in answer["notes"]), answer)

    def test_arguments_results_and_exceptions_pass_stubs(self):
        folder = pathlib.Path(self.folder)
        source = write(folder, "mixed", LIBRARY)
        for compiler, level in ways():
            with self.subTest(compiler, level=level):
                subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", folder / "libmixed.so", source], check=True)
                built = compiled(folder, write(folder, "calls", CALLS_LIBRARY), f"-L{folder}", "-lmixed", f"-Wl,-rpath,{folder}", compiler=compiler, level=level)
                answer = check(built, "--samples", "50")
                self.assertEqual(answer["kinds"], [], answer)

    def test_common_functions_are_harmless(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                answer = check(compiled(self.folder, write(self.folder, "harmless", HARMLESS), compiler=compiler))
                self.assertEqual((answer["verdict"], answer.get("assumes")), ("verified", None), answer)
                self.assertFalse([note for note in answer["notes"] if "functions of libraries" in note], answer)

    def test_fortified_calls_are_told(self):
        for call, buffer in FORTIFIED_CALLS.items():
            with self.subTest(call):
                text = FORTIFIED.replace("CALL", call).replace("WITH", buffer)
                answer = check(compiled(self.folder, write(self.folder, call, text), "-D_FORTIFY_SOURCE=2", "-Wno-error", level="-O2"), "--time", "60s")
                seen = "data-race" in answer["kinds"]
                self.assertTrue(seen or answer.get("assumes"), answer)

    def test_streams_that_are_inlined_or_fortified(self):
        """Stream functions whose arguments stand in another order than those that they replace, and whose order matters."""
        calls = {"putc_unlocked('x', f)": "verified", "putchar_unlocked('x')": "verified", "fgets(b, n, f)": "verified", "fread(b, 1, n, f)": "verified"}
        for (call, verdict), compiler in itertools.product(calls.items(), COMPILERS):
            with self.subTest(call, compiler=compiler):
                text = '#include <cstdio>\nstatic volatile int n = 4;\nint main() { [[maybe_unused]] char b[64]; FILE* f = std::tmpfile(); (void)!(long)(CALL); }\n'
                answer = check(compiled(self.folder, write(self.folder, "streams", text.replace("CALL", call)), "-D_FORTIFY_SOURCE=2", "-w", compiler=compiler, level="-O2"), "--time", "60s")
                self.assertEqual((answer["verdict"], answer["kinds"]), (verdict, []), answer)
        text = """#include <cstdio>
#include <cstdlib>
#include <thread>
static volatile int n = 1; static FILE* f; static char r[2];
static void reads(long i) { char b[8]; if (std::fread(b, 1, n, f) == 1) r[i] = b[0]; }
int main() { f = std::tmpfile(); std::fputs("ab", f); std::rewind(f); std::thread t(reads, 1); reads(0); t.join(); if (r[0] == WRONG) std::abort(); }
"""
        for wrong, kinds in (("'b'", ["crash"]), ("'a'", ["crash"]), ("'c'", [])):
            with self.subTest(wrong=wrong):
                answer = check(compiled(self.folder, write(self.folder, "order", text.replace("WRONG", wrong)), "-D_FORTIFY_SOURCE=2", "-w", level="-O2"), "--time", "60s")
                self.assertEqual(answer["kinds"], kinds, answer)

    def test_lists_have_no_misspelled_names(self):
        table = (pathlib.Path(os.environ["SOURCE_DIR"]) / "src/native/rt/calls/library_table.cc").read_text()
        groups = table[table.index("kGroups[] = {"):]
        names = collections.Counter()
        for group in re.finditer(r'\{"[^"]*",\s*((?:"[^"]*"\s*)+)\}', groups):
            for part in re.findall(r'"([^"]*)"', group[1]):
                names.update(part.split())
        self.assertGreater(len(names), 1000)
        self.assertEqual([name for name, count in names.items() if count > 1], [])
        libraries = [ctypes.CDLL("libc.so.6"), ctypes.CDLL("libm.so.6")]
        self.assertEqual([name for name in names if not name.endswith("?") and not any(exports(library, name) for library in libraries)], [])


if __name__ == "__main__":
    unittest.main()
