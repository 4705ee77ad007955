#!/usr/bin/env python3
"""Programs with regions: each region runs on the traces that were verified for the values at its entry, and sets are replaced while the program runs."""

import collections
import os
import subprocess
import sys
import threading
import time

from adherence import first_that_adheres, runs_of
from common import PROGRAMS, SOURCE, TARRY, Folder, call, compile_program, run, shown, traces, verify

REPLACEMENTS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
HEAD = "#include <atomic>\n#include <chrono>\n#include <cstdio>\n#include <cstdlib>\n#include <memory>\n#include <mutex>\n#include <thread>\n#include <vector>\n#include <unistd.h>\n#include <tarry/test.h>\n"


def compiled(folder, text, name="program"):
    source = folder / f"{name}.cpp"
    source.write_text(HEAD + text)
    return compile_program(source, folder)


def check_regions(log, file):
    """All regions in the log adhere to a trace of the set. Gives how often each was taken."""
    schedules = shown(file)
    taken = collections.Counter()
    for events, _, verified in runs_of(log):
        assert verified, "a region left its set"
        number = first_that_adheres(events, schedules)
        assert number is not None, events
        taken[number] += 1
    return taken


def test_each_region_runs_on_a_verified_trace():
    with Folder() as folder:
        program, file, log = compile_program(PROGRAMS / "requests.cpp", folder), folder / "set", folder / "log"
        said = verify(program, file)
        assert "left out: crash" in said and "region 'request': 2 traces for 1 entry" in said, said
        done = run(file, program, "--log", log, "--disturb", 100, "--report", arguments=("300",))
        assert done.returncode == 0 and done.stdout == "300\n" and "verified, 300 regions" in done.stderr, (done.returncode, done.stderr)
        taken = check_regions(log, file)
        assert sum(taken.values()) == 300, taken


def test_the_server_is_told_as_it_is():
    with Folder() as folder:
        program, file, requests = compile_program(SOURCE / "examples" / "enforce" / "server.cpp", folder), folder / "set", folder / "requests"
        said = verify(program, file)
        assert "left out: crash" in said and "region 'request': 23 traces for 1 entry" in said and "not admitted" not in said, said
        requests.write_text("1\n2\n3\n" * 100)
        with open(requests) as lines:
            done = subprocess.run([TARRY, "run", "--schedules", file, "--report", program], stdin=lines, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and done.stdout == "300 requests\n" and "verified, 300 regions" in done.stderr, (done.returncode, done.stderr)


def test_other_values_at_the_entry_are_unverified():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "requests.cpp", folder, "-g"), folder / "set"
        verify(program, file)
        done = run(file, program, arguments=("3", "75"))
        assert done.returncode == 125 and "enters region 'request'" in done.stderr and "'balance' is 75, where the admissible traces begin with 100" in done.stderr, (done.returncode, done.stderr)
        for mode in ("allow", "serialize"):
            done = run(file, program, "--on-unverified", mode, arguments=("3", "75"))
            assert done.returncode == 0 and done.stdout == "3\n" and "'balance' is 75" in done.stderr, (mode, done.returncode, done.stderr)
        verify(program, file, "--", "1", "75")  # adds the traces of that entry to the same file
        footprints = shown(file)["footprints"]
        assert sorted(value["value"] for one in footprints for value in one["values"] if value["value"] > 1) == [75, 100], footprints
        for start in ("75", "100"):
            assert run(file, program, arguments=("3", start)).stdout == "3\n"


def test_entries_are_told_apart_by_what_regions_before_them_left():
    with Folder() as folder:
        program = compiled(folder, """
            int stock = 3;
            std::mutex m;
            std::atomic<int> sold{0};
            void sell() { const std::lock_guard lock(m); if (stock > 0) --stock, ++sold; }
            int main() {
              const long rounds = tarry::input("rounds", 3, 3, std::atol(std::getenv("ROUNDS") ? std::getenv("ROUNDS") : "3"));
              for (long i = 0; i < rounds; ++i) {
                if (i % 3 == 0) stock = 3, sold = 0;
                tarry::Region region("round");
                std::thread one(sell), two(sell);
                one.join();
                two.join();
              }
              std::printf("%d\\n", stock);
            }""")
        file, log = folder / "set", folder / "log"
        said = verify(program, file)
        assert "these are all" in said and "region 'round': " in said, said
        entries = {tuple(sorted(value["value"] for value in one["values"])) for one in shown(file)["footprints"]}
        assert len(entries) == 3, entries  # 3, 1 and 0 in stock
        done = run(file, program, "--log", log, env={**os.environ, "ROUNDS": "60"})
        assert done.returncode == 0 and done.stdout == "0\n", (done.returncode, done.stderr)
        assert sum(check_regions(log, file).values()) == 60


def test_local_variables_of_main_are_compared():
    with Folder() as folder:
        program = compiled(folder, """
            int main() {
              volatile int limit = std::atoi(std::getenv("LIMIT") ? std::getenv("LIMIT") : "1");
              int counter = 0;
              std::mutex m;
              for (int i = 0; i < 2; ++i) {
                tarry::Region region("count");
                const auto add = [&] { for (int k = 0; k < limit; ++k) { const std::lock_guard lock(m); counter = counter % 2 + 1; } };
                std::thread one(add), two(add);
                one.join();
                two.join();
              }
              std::printf("%d\\n", counter);
            }""")
        file = folder / "set"
        said = verify(program, file)
        assert "is not compared" not in said, said
        assert run(file, program).returncode == 0
        done = run(file, program, env={**os.environ, "LIMIT": "2"})
        assert done.returncode == 125 and "a local variable of main is 2" in done.stderr, (done.returncode, done.stderr)


def test_inputs_in_regions_are_explored():
    with Folder() as folder:
        program = compiled(folder, """
            std::atomic<int> sum{0};
            int main(int argc, char** argv) {
              const long requests = tarry::input("requests", 1, 1, argc - 1);
              for (long i = 1; i <= requests; ++i) {
                sum = 0;
                tarry::Region region("request");
                const auto kind = tarry::input("kind", 0, 2, std::atoi(argv[i]));
                std::vector<std::thread> workers;
                for (int k = 0; k < kind; ++k) workers.emplace_back([] { ++sum; });
                for (std::thread& worker : workers) worker.join();
                TARRY_EXPECT(sum == kind);
              }
              std::puts("all");
            }""")
        file = folder / "set"
        said = verify(program, file, "--", "0")
        assert "these are all" in said, said
        done = run(file, program, arguments=("0", "1", "2", "1", "2", "2"))
        assert done.returncode == 0 and done.stdout == "all\n", (done.returncode, done.stderr)
        done = run(file, program, arguments=("1", "3"))
        assert done.returncode == 125 and "reads 3 as input" in done.stderr, done.stderr


def test_what_regions_do_not_allow_is_refused():
    nothing = "std::thread([] {}).join();"
    bodies = {
        "a region within a region": '{ tarry::Region a("a"); tarry::Region b("b"); ' + nothing + " }",
        "a thread that is created outside of the regions": '{ tarry::Region a("a"); ' + nothing + " } " + nothing,
        "a region that is entered while other threads run": 'std::thread t([] {}); { tarry::Region a("a"); t.join(); }',
        "a region that is left while other threads run": 'std::thread t; { tarry::Region a("a"); t = std::thread([] {}); } t.join();',
        "which has a thread that is not joined in it": 'static std::atomic<bool> over{false}; { tarry::Region a("a"); std::thread([] { over = true; over.notify_one(); }).detach(); over.wait(false); std::this_thread::yield(); }',
        "a region that is not left before the program ends": 'tarry::Region a("a"); ' + nothing + " std::exit(0);",
        "a region that another thread than main enters": 'std::thread([] { tarry::Region a("a"); }).join();',
    }
    with Folder() as folder:
        for number, (why, body) in enumerate(bodies.items()):
            said = verify(compiled(folder, "int main() { " + body + " }", f"refused{number}"), folder / f"set{number}", code=None)
            refused = "not admitted" in said and why in said
            if "not joined" in why:  # the end of the detached thread comes before or behind that of the region
                refused = refused or ("not admitted" in said and "while other threads run" in said)
            assert refused, (why, said)


def test_what_a_region_depends_on_unseen_is_found():
    with Folder() as folder:
        program = compiled(folder, """
            std::atomic<int> n{0};
            int main() {
              static thread_local int kind = 0;
              for (int i = 0; i < 2; ++i) {
                kind = i;
                n = 0;
                tarry::Region region("request");
                std::thread one([at = &kind] { if (*at == 1) n = 1; else n.fetch_add(1); });
                one.join();
              }
            }""")
        said = verify(program, folder / "set", code=None)
        assert "goes on differently from equal values" in said and "tarry::input" in said, said
        program = compiled(folder, """
            std::atomic<int> n{0};
            int main() {
              static thread_local int kind = 0;
              for (int i = 0; i < 2; ++i) {
                n = 0;
                tarry::Region region("request");
                std::thread one([at = &kind] { n.fetch_add(*at); });
                one.join();
              }
            }""", "other")
        said = verify(program, folder / "other.set")
        assert "reads memory of the heap" in said and "is not compared" in said, said


def test_variables_on_the_heap_are_compared():
    with Folder() as folder:
        program = compiled(folder, """
            struct Node { int value; std::unique_ptr<Node> next; };
            struct Server { std::mutex m; std::vector<int> limits; std::unique_ptr<Node> list; std::atomic<int> sum{0}; };
            Server* server;
            int main() {
              std::vector<std::unique_ptr<int>> others;
              for (int i = std::atoi(std::getenv("OTHERS") ? std::getenv("OTHERS") : "0"); i > 0; --i) others.push_back(std::make_unique<int>(i));  // other addresses
              server = new Server;
              server->limits = {1, std::atoi(std::getenv("LIMIT") ? std::getenv("LIMIT") : "2")};
              server->list = std::make_unique<Node>(Node{3, std::make_unique<Node>(Node{std::atoi(std::getenv("LAST") ? std::getenv("LAST") : "4"), nullptr})});
              for (int i = 0; i < 2; ++i) {
                server->sum = 0;
                tarry::Region region("request");
                const auto work = [](int k) {
                  for (int n = 0; n < server->limits[k]; ++n) server->sum.fetch_add(1);
                  const std::lock_guard lock(server->m);
                  for (const Node* at = server->list.get(); at != nullptr; at = at->next.get()) server->sum.fetch_add(at->value % 2);
                };
                std::thread one(work, 0), two(work, 1);
                one.join();
                two.join();
              }
              std::printf("%d\\n", server->sum.load());
            }""")
        file, log = folder / "set", folder / "log"
        said = verify(program, file, "--traces", "300")
        assert "is not compared" not in said and "goes on" not in said, said
        for others in ("0", "5"):
            done = run(file, program, "--log", log, env={**os.environ, "OTHERS": others})
            assert done.returncode == 0 and done.stdout == "5\n", (done.returncode, done.stdout, done.stderr)
        check_regions(log, file)
        for name, value in (("LIMIT", "1"), ("LAST", "6"), ("LAST", "5")):
            done = run(file, program, env={**os.environ, name: value})
            assert done.returncode == 125 and "what 'server' leads to on the heap is " + value in done.stderr, (name, done.returncode, done.stderr)


def test_threads_outside_of_regions_are_not_run():
    with Folder() as folder:
        program = compiled(folder, """
            std::atomic<int> n{0};
            int main() {
              { tarry::Region region("one"); std::thread t([] { ++n; }); t.join(); n = 0; }
              if (std::getenv("OUTSIDE")) std::thread([] { ++n; }).join();
            }""")
        file = folder / "set"
        verify(program, file)
        assert run(file, program).returncode == 0
        done = run(file, program, env={**os.environ, "OUTSIDE": "1"})
        assert done.returncode == 125 and "pthread_create outside of a region" in done.stderr, (done.returncode, done.stderr)


def test_races_in_regions_are_enforced():
    with Folder() as folder:
        program = compiled(folder, """
            int x = 0, y = 0, seen[2];
            int main(int argc, char** argv) {
              const long rounds = tarry::input("rounds", 1, 2, argc > 1 ? std::atol(argv[1]) : 2);
              for (long i = 0; i < rounds; ++i) {
                x = y = 0;
                tarry::Region region("round");
                std::thread one([] { x = 1; seen[0] = y; }), two([] { y = 1; seen[1] = x; });
                one.join();
                two.join();
                if (seen[0] + seen[1] == 0) std::abort();
              }
              std::puts("well");
            }""")
        file, log = folder / "set", folder / "log"
        said = verify(program, file)
        assert "racing places" in said and "region 'round': " in said, said
        done = run(file, program, "--log", log, "--disturb", 50, arguments=("200",))
        assert done.returncode == 0 and done.stdout == "well\n", (done.returncode, done.stderr)
        assert len(check_regions(log, file)) > 1


def test_programs_in_c_have_regions():
    with Folder() as folder:
        source = folder / "rounds.c"
        source.write_text("#include <pthread.h>\n#include <stdio.h>\n#include <tarry/test.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int n;\nstatic long rounds;\n"
                          "static void* work(void* p) { pthread_mutex_lock(&m); ++n; pthread_mutex_unlock(&m); return p; }\n"
                          "int main(int argc, char** argv) {\n  const long all = tarry_input(\"rounds\", 1, 2, argc * argc * argc);\n  (void)argv;\n  for (long i = 0; i < all; ++i) {\n"
                          "    n = 0;\n    tarry_enter_region(\"round\");\n    tarry_ignore_in_region(&rounds, sizeof(rounds));\n    pthread_t a, b;\n    pthread_create(&a, NULL, work, NULL);\n    pthread_create(&b, NULL, work, NULL);\n"
                          "    pthread_join(a, NULL);\n    pthread_join(b, NULL);\n    ++rounds;\n    tarry_leave_region();\n  }\n  printf(\"%ld %d\\n\", rounds, n);\n}\n")
        program = folder / "rounds"
        done = call(TARRY, "cc", "-O1", source, "-o", program, "-pthread")
        assert done.returncode == 0, done.stderr
        said = verify(program, folder / "set")
        assert "region 'round': 2 traces for 1 entry" in said and "these are all" in said, said
        done = run(folder / "set", program, arguments=("1", "2", "3"))
        assert done.returncode == 0 and done.stdout == "64 2\n", (done.returncode, done.stdout, done.stderr)


def test_a_build_for_production_has_regions():
    with Folder() as folder:
        program, file, log = folder / "requests", folder / "set", folder / "log"
        done = call(TARRY, "c++", "--enforce", "-O2", "-std=c++20", PROGRAMS / "requests.cpp", "-o", program, "-pthread")
        if done.returncode != 0 and "has a pass for" in done.stderr:
            return
        assert done.returncode == 0, done.stderr
        said = verify(program, file)
        assert "region 'request': 2 traces for 1 entry" in said, said
        done = run(file, program, "--log", log, arguments=("100",))
        assert done.returncode == 0 and done.stdout == "100\n", (done.returncode, done.stderr)
        check_regions(log, file)
        done = run(file, program, arguments=("3", "75"))
        assert done.returncode == 125 and "enters region 'request'" in done.stderr, (done.returncode, done.stderr)


def test_a_program_may_enter_no_region():
    text = """
            std::atomic<int> n{0};
            int main(int argc, char** argv) {
              const long rounds = tarry::input("rounds", 0, 1, argc > 1 ? std::atol(argv[1]) : 1);
              for (long i = 0; i < rounds; ++i) {
                tarry::Region region("round");
                region.ignore(n);
                std::thread one([] { ++n; }), two([] { ++n; });
                one.join();
                two.join();
              }
              if (rounds == 0) {}
              std::printf("%d\\n", n.load());
            }"""
    with Folder() as folder:
        program, file = compiled(folder, text), folder / "set"
        said = verify(program, file)
        assert "region 'round': 2 traces for 1 entry" in said and "these are all" in said, said
        for rounds in ("0", "1", "9"):
            done = run(file, program, arguments=(rounds,))
            assert done.returncode == 0 and int(done.stdout) == 2 * int(rounds), (done.returncode, done.stdout, done.stderr)
        said = verify(compiled(folder, text.replace("if (rounds == 0) {}", "if (rounds == 0) std::thread([] { ++n; }).join();"), "threads"), folder / "threads.set")
        assert "executions that enter no region and create threads" in said and "these are all" not in said, said


COMBINED = """
            std::atomic<int> one{0}, two{0};
            void race(std::atomic<int>& x) { std::thread a([&] { x = 1; }), b([&] { x = 2; }); a.join(); b.join(); }
            int main() {
              { tarry::Region region("one"); race(one); }
              { tarry::Region region("two"); race(two); }
              if (FAILS) std::abort();
              std::printf("%d %d\\n", one.load(), two.load());
            }"""


def outputs_of(file, program, times):
    """Runs it so often. Gives what it writes."""
    out = set()
    for seed in range(times):
        done = run(file, program, "--disturb", 200, "--seed", seed)
        assert done.returncode == 0, (done.returncode, done.stderr)
        out.add(done.stdout)
    return out


def test_combinations_of_traces_that_fail_behind_their_regions_do_not_show():
    with Folder() as folder:
        for failing, left in (("one == 1 && two == 1", 3), ("one == 2 && two == 1", 3), ("one != two", 2), ("one == 2", 3), ("one > 2", 4)):
            program, file = compiled(folder, COMBINED.replace("FAILS", failing), f"program{len(list(folder.iterdir()))}"), folder / "set"
            file.unlink(missing_ok=True)
            said = verify(program, file)
            assert traces(file) == left and ("left out: crash" in said) == ("these are all" not in said) == (left < 4 or failing == "one != two"), (failing, said)
            assert ("because some combination with admitted traces of regions fails" in said) == (failing != "one > 2" and failing != "one == 2"), (failing, said)
            assert len(outputs_of(file, program, 60)) <= {3: 2, 2: 1, 4: 4}[left], failing


def test_combinations_of_traces_that_were_not_verified_do_not_show():
    with Folder() as folder:
        program = compiled(folder, COMBINED.replace("FAILS", "false"))
        for most in (1, 2, 3):
            file = folder / f"set{most}"
            said = verify(program, file, "--traces", most, "--free-runs", 0, "--search", "dpor")
            assert len(outputs_of(file, program, 30)) <= min(most, 2) and ("or was not verified" in said) == (most == 3), (most, said)
        # Each of these sets is closed under combination, and both together are not.
        done = call(TARRY, "schedules", "merge", folder / "set1", folder / "set2", "-o", folder / "both")
        assert done.returncode == 2 and "executions enter several regions" in done.stderr and not (folder / "both").exists(), (done.returncode, done.stderr)
        before = traces(folder / "set2")
        said = verify(program, folder / "set2", "--traces", 1, "--free-runs", 0, "--search", "dpor")
        assert f"the {before} traces that " in said and "are kept, and no other is added" in said and traces(folder / "set2") == before, said
        said = verify(program, folder / "set2")
        assert traces(folder / "set2") == 4 and "these are all" in said and "dropped" not in said, said


def test_a_set_is_complete_for_its_own_arguments_only():
    with Folder() as folder:
        program = compiled(folder, """
            std::atomic<int> last{0};
            int main(int argc, char** argv) {
              { tarry::Region region("one"); std::thread a([] { last = 1; }), b([] { last = 2; }); a.join(); b.join(); }
              if (argc < 2 || std::atoi(argv[1]) != 2) return 0;
              { tarry::Region region("two"); std::thread a([] { last = 1; }), b([] { last = 2; }), c([] { last = 3; }); a.join(); b.join(); c.join(); }
            }""")
        file = folder / "set"
        assert "these are all" in verify(program, file, "--", 1)
        said = verify(program, file, "--traces", 1, "--free-runs", 0, "--", 2)
        assert "these are all" not in said and not shown(file)["complete"], said
        assert "these are all" in verify(program, folder / "other", "--", 2)
        assert "these are all" in verify(program, folder / "other", "--traces", 1, "--free-runs", 0, "--", 2)


def test_a_region_waits_for_threads_of_the_one_before_that_are_about_to_end():
    with Folder() as folder:
        program = compiled(folder, """
            std::atomic<int> n{0};
            const char* const detach = std::getenv("DETACH");
            int ends[2];
            struct Last { ~Last() { if (detach != nullptr && write(ends[1], "", 1) != 1) std::abort(); } };  // tells main that the thread is about to end
            int main() {
              char byte = 0;
              if (detach != nullptr && pipe(ends) != 0) return 1;
              for (int i = 0; i < 200; ++i) {
                n = 0;
                {
                  tarry::Region region("round");
                  region.ignore(detach);
                  std::thread one([] { static thread_local Last last; (void)&last; n = 1; });
                  if (detach != nullptr && i % 2 == 0) {
                    one.detach();
                    if (read(ends[0], &byte, 1) != 1) return 1;
                    std::this_thread::sleep_for(std::chrono::microseconds(i * 20));
                  } else {
                    if (detach != nullptr && read(ends[0], &byte, 1) != 1) return 1;
                    one.join();
                  }
                }
              }
              std::puts("all");
            }""")
        file, log = folder / "set", folder / "log"
        verify(program, file)
        done = run(file, program, "--log", log, "--disturb", 3000, "--on-unverified", "allow", env={**os.environ, "DETACH": "1"})
        assert done.returncode == 0 and done.stdout == "all\n", (done.returncode, done.stderr)
        schedules = shown(file)
        rounds = list(runs_of(log))
        assert len(rounds) == 200
        for number, (events, _, verified) in enumerate(rounds):
            if number % 2 == 0:
                assert not verified
            elif verified:
                assert first_that_adheres(events, schedules) is not None, events
            else:  # it was not entered, because the thread of the round before was still there
                assert not any(event.kind == "enter-region" for event in events), events
        assert any(verified for _, _, verified in rounds)


def test_two_hundred_threads():
    with Folder() as folder:
        program = compiled(folder, """
            std::atomic<int> all{0};
            int main(int argc, char** argv) {
              const long rounds = tarry::input("rounds", 1, 1, argc > 1 ? std::atol(argv[1]) : 1);
              for (long i = 0; i < rounds; ++i) {
                all = 0;
                tarry::Region region("round");
                std::vector<std::thread> workers;
                for (int k = 0; k < 200; ++k) workers.emplace_back([] { ++all; });
                for (std::thread& worker : workers) worker.join();
              }
              std::printf("%d\\n", all.load());
            }""")
        file = folder / "set"
        said = verify(program, file, "--traces", "20")
        assert traces(file) == 20, said
        done = run(file, program, "--report", arguments=("20",), timeout=300)
        assert done.returncode == 0 and done.stdout == "200\n" and "verified, 20 regions" in done.stderr, (done.returncode, done.stderr)


class Running:
    """A program under 'tarry run', and what is said meanwhile."""

    def __init__(self, file, program, *options, arguments=()):
        self.process = subprocess.Popen([TARRY, "run", "--schedules", file, *map(str, options), program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line)

    def wait_for_log(self, log):
        """Waits until the program has begun."""
        until = time.monotonic() + 60
        while not (log.exists() and log.stat().st_size > 0):
            assert time.monotonic() < until and self.process.poll() is None, self.lines
            time.sleep(0.01)

    def wait_for(self, text, seen):
        """Waits for a line with the text behind so many lines. Gives how many there are then."""
        until = time.monotonic() + 60
        while time.monotonic() < until and self.process.poll() is None:
            for number in range(seen, len(self.lines)):
                if text in self.lines[number]:
                    return number + 1
            time.sleep(0.001)
        code = self.process.poll()
        self.end()
        raise AssertionError((text, code, self.lines[-10:]))

    def end(self):
        self.process.terminate()
        self.process.wait(60)
        self.reader.join()


def test_sets_are_replaced_while_the_program_runs():
    with Folder() as folder:
        program, file, log = compile_program(PROGRAMS / "requests.cpp", folder), folder / "set", folder / "log"
        verify(program, file)
        names = set()
        for seed in range(40):  # one of the two is rare: the region takes it once in a hundred times or so, and this is a chance of 1e-35 to miss it
            assert run(file, program, "--log", folder / "names", "--disturb", 300, "--seed", seed, arguments=("200",)).returncode == 0
            names |= {name for _, name, _ in runs_of(folder / "names")}
            if len(names) == 2:
                break
        assert len(names) == 2, names
        one, other = folder / "one", folder / "other"
        for shrunk, name in zip((one, other), sorted(names)):
            assert call(TARRY, "schedules", "withdraw", file, name, "-o", shrunk).returncode == 0
        versions = [path.read_bytes() for path in (file, one, other)]
        schedules = [shown(path) for path in (file, one, other)]
        running = Running(file, program, "--log", log, arguments=("1000000000", "100", "500"))
        running.wait_for_log(log)
        of_set = {0: 0}  # the version that a set is
        seen = 0
        for number in range(1, REPLACEMENTS + 1):
            version = number % 3
            if number % 50 == 0:  # a file that is cut off, and one of another program
                (folder / "next").write_bytes(versions[version][:-7])
                os.replace(folder / "next", file)
                seen = running.wait_for("runs on with the set that it has", seen)
            (folder / "next").write_bytes(versions[version])
            os.replace(folder / "next", file)
            seen = running.wait_for(f"set {number} of schedules", seen)
            of_set[number] = version
        time.sleep(0.2)
        running.end()
        assert running.process.returncode == 143, (running.process.returncode, running.lines[-5:])
        used, regions, taken = set(), 0, collections.Counter()
        events = []
        with open(log) as lines:
            for line in lines:
                if line.startswith("end "):
                    used.add(int(line.split()[3]))
        for (events, _, verified), number in zip(runs_of(log), sets_of(log)):
            assert verified
            trace = first_that_adheres(events, schedules[of_set[number]])
            assert trace is not None, (number, of_set[number], events)
            regions += 1
            taken[(of_set[number], trace)] += 1
        assert max(used) == REPLACEMENTS and len(used) > REPLACEMENTS / 2, (len(used), max(used))
        print(f"{REPLACEMENTS} sets, {len(used)} of them used, {regions} regions: {dict(taken)}")


def sets_of(log):
    """The number of the set of every run in a log."""
    with open(log) as lines:
        for line in lines:
            if line.startswith("end "):
                yield int(line.split()[3])


def test_a_file_of_another_program_does_not_replace_a_set():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "requests.cpp", folder), folder / "set"
        verify(program, file)
        other = compile_program(PROGRAMS / "two_orders.cpp", folder)
        verify(other, folder / "other")
        running = Running(file, program, "--log", folder / "log", arguments=("1000000000", "100", "500"))
        running.wait_for_log(folder / "log")
        os.replace(folder / "other", file)
        running.wait_for("has no traces of regions", 0)
        file.write_text("nothing of the kind")
        running.wait_for("is no file of schedules", 0)
        time.sleep(0.2)
        assert running.process.poll() is None
        running.end()


def main():
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
            print(name, "passed", flush=True)


if __name__ == "__main__":
    main()
