#!/usr/bin/env python3
"""What the machine has not got is said at the start, and done without. TARRY_WITHOUT makes Tarry do without what is there."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TARRY = os.environ["TARRY"]
SOURCES = pathlib.Path(os.environ["SOURCE_DIR"])

PROGRAM = """#include <cassert>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <thread>
std::mutex mutex;
int balance;
thread_local int own;
void deposit(int amount) {
  own = errno = amount;
  int now;
  {
    std::lock_guard hold(mutex);
    now = balance;
  }
  assert(own == amount && errno == amount);  // each thread's own, after a switch
  std::lock_guard hold(mutex);
  balance = now + amount;
  std::fclose(std::fopen("left", "w"));
}
int main() {
  std::thread a(deposit, 1), b(deposit, 2);
  a.join();
  b.join();
  std::printf("%d\\n", balance);
}
"""
OUTCOMES = ["1\n", "2\n", "3\n"]


class Machine(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "program.cpp").write_text(PROGRAM, encoding="utf-8")

    def run_tool(self, *arguments, **environment):
        return subprocess.run([TARRY, *arguments], cwd=self.folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=100, check=False)

    def outcomes(self, without):
        done = self.run_tool("check", "program.cpp", "--search", "dfs", "--jobs", "1", "--outcomes", "--json", TARRY_WITHOUT=without)
        answer = json.loads(done.stdout)
        self.assertEqual((answer["verdict"], [one["output"] for one in answer["outcomes"]]), ("verified", OUTCOMES), done.stderr)
        return answer, done.stderr

    def test_everything_is_there(self):
        answer, said = self.outcomes("")
        self.assertNotIn("process of its own", " ".join(answer["notes"]))
        if "this machine" not in said:
            self.assertFalse((self.folder / "left").exists())

    def test_without_fsgsbase(self):
        plain = self.outcomes("")[0]
        answer, said = self.outcomes("fsgsbase")
        self.assertEqual(said.count("no FSGSBASE"), 1)
        self.assertEqual((answer["executions"], answer["transitions"]), (plain["executions"], plain["transitions"]))

    def test_without_syscall_user_dispatch(self):
        answer, said = self.outcomes("dispatch")
        self.assertEqual(said.count("no Syscall User Dispatch"), 1)
        self.assertIn("process of its own", " ".join(answer["notes"]))
        self.assertIn("not put back", " ".join(answer["notes"]))

    def test_without_all(self):
        said = self.outcomes("fsgsbase,dispatch,personality")[1]
        self.assertEqual(said.count("tarry: note: "), 3)
        self.assertIn("personality is forbidden", said)

    def test_without_debug_information(self):
        for level, noted in (("-g", False), ("-s", True)):
            built = self.run_tool("c++", "-std=c++20", level, "program.cpp", "-o", "program", "-pthread")
            self.assertEqual(built.returncode, 0, built.stderr)
            checked = self.run_tool("check", "./program", "--search", "dfs", "--jobs", "1")
            self.assertEqual("no debug information" in checked.stdout, noted, checked.stdout)

    def test_without_gdb(self):
        (self.folder / "bug.cpp").write_text('#include <cassert>\n#include <thread>\nint main() { std::thread([] {}).join(); assert(false); }\n', encoding="utf-8")
        checked = json.loads(self.run_tool("check", "bug.cpp", "--json").stdout)
        tools = self.folder / "tools"
        tools.mkdir()
        for name in ("c++", "g++", "cc", "gcc", "as", "ld"):
            if shutil.which(name):
                (tools / name).symlink_to(shutil.which(name))
        replayed = self.run_tool("replay", checked["findings"][0]["trace"], "--gdb", PATH=str(tools))
        self.assertIn("gdb was not found", replayed.stderr)
        self.assertEqual(replayed.returncode, 1, replayed.stdout + replayed.stderr)
        self.assertIn("assertion", replayed.stdout)

    @unittest.skipUnless(shutil.which("cmake"), "no cmake")
    def test_where_threads_can_be_checked(self):
        script = self.folder / "script.cmake"
        script.write_text(f"include({SOURCES}/cmake/threads_here.cmake)\ntarry_threads_here(possible)\nmessage(STATUS \"possible ${{possible}}\")\n", encoding="utf-8")
        for system, processor, glibc, asked, possible in (
            ("Linux", "x86_64", "1", "AUTO", "ON"), ("Linux", "aarch64", "1", "AUTO", "OFF"), ("Linux", "x86_64", "", "AUTO", "OFF"),
            ("FreeBSD", "amd64", "", "AUTO", "OFF"), ("Linux", "x86_64", "1", "OFF", "OFF"), ("Linux", "aarch64", "", "ON", "ON"),
        ):
            command = ["cmake", f"-DCMAKE_SYSTEM_NAME={system}", f"-DCMAKE_SYSTEM_PROCESSOR={processor}", f"-DTARRY_GLIBC={glibc}", f"-DTARRY_THREADS={asked}", "-P", script]
            said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
            self.assertIn(f"possible {possible}", said.stdout + said.stderr, (system, processor, glibc, asked))


if __name__ == "__main__":
    sys.exit(unittest.main())
