#!/usr/bin/env python3
"""Programs run on their admissible traces and on no others: what they do, and what their logs say."""

import collections
import os
import re
import shutil
import sys
import time

from adherence import adheres, first_that_adheres, runs_of
from common import PROGRAMS, SOURCE, TARRY, Folder, call, compile_program, run, shown, traces, verify

IN_ORDER = ("--free-runs", "0", "--search", "dpor")  # the same traces every time
SOON = 2.5  # a second, and as much again and more for the start of the tool and of the program on a busy machine
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 1


def check_logs(log, file):
    """All runs in the log adhere to a trace of the set. Gives how often each was taken."""
    schedules = shown(file)
    taken = collections.Counter()
    for events, _, verified in runs_of(log):
        assert verified, "a run left its set"
        number = first_that_adheres(events, schedules)
        assert number is not None, [adheres(events, trace, schedules["labels"]) for trace in schedules["traces"]][:5]
        taken[number] += 1
    return taken


def repeat(folder, program, file, times, *options, codes=(0,), disturb=150, arguments=()):
    """Runs it so often, with a log. Gives the different outputs."""
    log = folder / "log"
    log.unlink(missing_ok=True)
    outputs = collections.Counter()
    for i in range(times):
        done = run(file, program, "--log", log, "--disturb", disturb, "--seed", i + 1, *options, arguments=arguments)
        assert done.returncode in codes, (done.returncode, done.stdout, done.stderr)
        outputs[done.stdout] += 1
    assert sum(1 for _ in runs_of(log)) == times
    return outputs, check_logs(log, file)


def test_a_bug_that_is_left_out_does_not_show():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "overdrawn.cpp", folder), folder / "set"
        plain = collections.Counter(call(program).returncode for _ in range(20))
        assert plain[-6] > 0, "the bug does not show in plain runs, so this test shows nothing"
        said = verify(program, file)
        assert "left out: crash" in said, said
        outputs, taken = repeat(folder, program, file, 100 * ROUNDS)
        assert outputs.keys() == {"20\n"}, outputs
        assert len(taken) == traces(file) == 2, taken


def test_admissible_traces_are_not_mixed():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "two_orders.cpp", folder), folder / "set"
        verify(program, file)
        assert traces(file) == 2
        outputs, taken = repeat(folder, program, file, 200 * ROUNDS)
        assert outputs.keys() == {"1 1\n", "2 2\n"}, outputs
        assert len(taken) == 2, taken


def test_weak_atomics_and_races_stay_sequentially_consistent():
    for name, complete in (("store_buffering.cpp", 3), ("racing.cpp", None)):
        with Folder() as folder:
            program, file = compile_program(PROGRAMS / name, folder), folder / "set"
            verify(program, file)
            if complete:
                assert traces(file) == complete and shown(file)["complete"]
            outputs, taken = repeat(folder, program, file, 100 * ROUNDS)
            assert len(taken) >= 2, taken
            for disturb in (0, 3):
                repeat(folder, program, file, 50 * ROUNDS, disturb=disturb)


def test_more_traces_let_a_program_run_in_more_ways():
    with Folder() as folder:
        program = compile_program(PROGRAMS / "queue.cpp", folder)
        for most in (1, 8, 64, 512):
            file = folder / f"set{most}"
            verify(program, file, "--traces", most, *IN_ORDER)
            assert traces(file) == most
            _, taken = repeat(folder, program, file, 60)
            assert len(taken) <= most, taken
        met = set(taken)
        for _ in range(20):  # more than the set of 8 traces has: seldom later than at the first time
            if len(met) > 8:
                break
            met |= set(repeat(folder, program, file, 60)[1])
        assert len(met) > 8, met
        # The same file, extended: what was there stays.
        file = folder / "set1"
        verify(program, file, "--traces", "20", *IN_ORDER)
        assert traces(file) == 20
        diff = call(TARRY, "schedules", "diff", file, folder / "set512")
        assert "only in " + str(file) + ": 0 traces" in diff.stdout, diff.stdout


def test_the_example_is_told_as_it_is():
    example = SOURCE / "examples" / "enforce" / "service.cpp"
    with Folder() as folder:
        program, file = compile_program(example, folder), folder / "set"
        said = verify(program, file)
        assert "20 of 80 traces that the search has are admitted (25 %)" in said, said
        assert "left out: crash" in said and traces(file) == 20 and not shown(file)["complete"], said
        outputs, _ = repeat(folder, program, file, 40 * ROUNDS)
        assert all(int(output.split()[0]) >= 0 for output in outputs), outputs
        fixed = compile_program(example, folder, "-DFIXED")
        said = verify(fixed, folder / "fixed")
        assert traces(folder / "fixed") == 80 and shown(folder / "fixed")["complete"] and "left out" not in said, said


def test_calls_that_run_refuses_are_not_admitted():
    refused = set(re.findall(r"^TARRY_REFUSED_\d\(\w+, (\w+),", (SOURCE / "src/enforce/rt/out_of_scope.cc").read_text(), re.MULTILINE)) | {"fork"}
    told = {name for file in (SOURCE / "src/native/rt").rglob("*.cc") for name in re.findall(r'is_not_enforced\("(\w+)"\)', file.read_text())}
    assert refused == told, refused ^ told
    calls = {"pthread_tryjoin_np": "if (pthread_tryjoin_np(t, nullptr) == 0) return 0;", "pthread_kill": "pthread_kill(pthread_self(), 0);", "kill": "kill(getpid(), 0);",
             "mtx_lock": "static mtx_t m; mtx_init(&m, mtx_plain); mtx_lock(&m);"}
    with Folder() as folder:
        for name, text in [*calls.items(), (None, "")]:
            source = folder / "program.cpp"
            source.write_text("#include <pthread.h>\n#include <signal.h>\n#include <threads.h>\n#include <unistd.h>\n"
                              "int main() { pthread_t t; pthread_create(&t, nullptr, [](void* p) { return p; }, nullptr);\n" + text + "\npthread_join(t, nullptr); }\n")
            said = verify(compile_program(source, folder), folder / f"set{name}", code=None)
            assert (f"not admitted: executions with a call of {name}" in said) == (name is not None) and ("no execution can be admitted" in said) == (name is not None), (name, said)


def test_what_cannot_be_enforced_is_not_admitted():
    with Folder() as folder:
        source = folder / "refused.cpp"
        source.write_text("#include <pthread.h>\n#include <ctime>\nvoid* nothing(void*) { return nullptr; }\nint main() { pthread_t t; pthread_create(&t, nullptr, nothing, nullptr); timespec u{4000000000, 0}; return pthread_timedjoin_np(t, nullptr, &u); }\n")
        said = verify(compile_program(source, folder), folder / "set", code=None)
        assert "not admitted: executions with a call of pthread_timedjoin_np" in said, said
        source.write_text("#include <thread>\n#include <atomic>\nstd::atomic<int> n{0};\nint main() { std::thread([] { n = 1; }).detach(); return 0; }\n")
        said = verify(compile_program(source, folder), folder / "other", code=None)
        assert "still running when the program ends" in said, said


def test_a_report_says_what_was_waited_for():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "two_orders.cpp", folder), folder / "set"
        verify(program, file, "--traces", "1")
        done = run(file, program, "--report", "--disturb", "500")
        assert "verified, 18 events by one of 1 admissible trace, waited " in done.stderr, done.stderr


def test_every_primitive_is_enforced():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "primitives.cpp", folder), folder / "set"
        verify(program, file, "--traces", "200")
        repeat(folder, program, file, 60 * ROUNDS)
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "futures.cpp", folder), folder / "set"
        verify(program, file, "--traces", "300")
        outputs, taken = repeat(folder, program, file, 30 * ROUNDS)
        assert outputs.keys() == {"1 5\n"} and len(taken) > 1, (outputs, taken)


def test_a_path_that_was_not_verified_is_not_taken_silently():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "by_process_number.cpp", folder), folder / "set"
        verify(program, file)
        # The parent's number differs here, so the lock of main never comes: thread 1 must not be the only one to notice.
        began = time.monotonic()
        done = run(file, program, timeout=5)
        if done.returncode == 0:  # the verified path happens to be this one
            began = time.monotonic()
            done = run(file, program, timeout=5, env={**os.environ, "AS_VERIFIED": "1"})
        took = time.monotonic() - began
        assert took < SOON, took
        assert done.returncode == 125, (done.returncode, done.stdout, done.stderr)
        assert "unverified: main comes to" in done.stderr and "by_process_number.cpp:" in done.stderr, done.stderr
        for way in ("allow", "serialize"):
            done = run(file, program, "--on-unverified", way, timeout=5)
            other = run(file, program, "--on-unverified", way, timeout=5, env={**os.environ, "AS_VERIFIED": "1"})
            assert done.returncode == 0 and other.returncode == 0, (done, other)
            assert "ran unverified" in done.stderr + other.stderr, (done.stderr, other.stderr)


def test_a_thread_that_sleeps_on_a_path_that_was_not_verified_is_noticed():
    with Folder() as folder:
        program = compile_program(PROGRAMS / "sleepers.cpp", folder)
        for how in ("usleep", "pause", "chrono"):
            file = folder / f"set-{how}"
            verify(program, file, "--", how)
            began = time.monotonic()
            done = run(file, program, arguments=(how,), timeout=60, env={**os.environ, "OTHER": "1"})
            took = time.monotonic() - began
            assert done.returncode == 125 and "another thread sleeps where no admissible trace does" in done.stderr and "main waits to do" in done.stderr, (how, done.returncode, done.stderr)
            assert took < SOON, (how, took)
        # A thread that sleeps or computes for longer than that, as it was verified, is waited for.
        for how in ("sleeps", "computes", "waits for the clock"):
            file = folder / "set"
            file.unlink(missing_ok=True)
            verify(program, file, "--", how, "1", code=0)
            for _ in range(3):
                done = run(file, program, "--report", arguments=(how, "1"), timeout=60)
                assert done.returncode == 0 and "tarry: verified" in done.stderr, (how, done.returncode, done.stderr)


def test_declared_inputs_are_explored_and_compared():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "workers.cpp", folder), folder / "set"
        said = verify(program, file)
        # One order with one worker, two with two, six with three, of which two are wrong.
        assert "left out: crash" in said and "met 2 times" in said and traces(file) == 1 + 2 + 4, said
        for count in (1, 2, 3):
            log = folder / "log"
            log.unlink(missing_ok=True)
            outputs = collections.Counter()
            for i in range(20 * ROUNDS):
                done = run(file, program, "--log", log, "--disturb", 150, "--seed", i + 1, env={**os.environ, "WORKERS": str(count)})
                assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
                outputs[done.stdout] += 1
            assert all(output.endswith(f" of {count}\n") for output in outputs) and "1 of 3\n" not in outputs, outputs
            check_logs(log, file)
        done = run(file, program, env={**os.environ, "WORKERS": "4"}, timeout=5)
        assert done.returncode == 125 and "main reads 4 as input 'workers' at " in done.stderr and "workers.cpp:14, and the admissible traces are for 1 to 3" in done.stderr, done.stderr
        done = run(file, program, "--on-unverified", "allow", env={**os.environ, "WORKERS": "4"}, timeout=5)
        assert done.returncode == 0 and done.stdout.endswith("of 4\n") and "ran unverified" in done.stderr, (done.stdout, done.stderr)
        # Without Tarry the program gets its own value.
        assert call(program, env={**os.environ, "WORKERS": "1"}).stdout == "1 of 1\n"
        found = call(TARRY, "check", program, cwd=folder)
        assert found.returncode == 1 and "workers.cpp:18" in found.stdout, found.stdout


def test_many_values_and_inputs_that_depend_on_each_other():
    with Folder() as folder:
        source = folder / "inputs.cpp"
        source.write_text("""#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <tarry/test.h>
#include <thread>
std::atomic<int> n{0};
int main() {
  auto value = [](const char* name) { const char* const text = std::getenv(name); return text == nullptr ? 0 : std::atoi(text); };
  const auto a = tarry::input("a", -3, 96, value("A"));
  if (a == 96) n = tarry::input("b", 1, 2, value("B"));
  std::thread([&] { n += a; }).join();
  const auto c = a < 0 ? tarry::input("c", 5, 5, value("C")) : 0;
  std::printf("%d %d\\n", n.load(), static_cast<int>(c));
}
""")
        program, file = compile_program(source, folder), folder / "set"
        said = verify(program, file)
        assert traces(file) == 101 and "these are all" in said, said  # more values than a thread looks ahead

        def at(**inputs):
            done = run(file, program, env={**os.environ, **{name: str(value) for name, value in inputs.items()}}, timeout=5)
            return done.stdout if done.returncode == 0 else (done.returncode, done.stderr)

        assert at(A=-3, C=5) == "-3 5\n" and at(A=95) == "95 0\n" and at(A=96, B=2) == "98 0\n"
        for wrong, text in ((at(A=97), "reads 97 as input 'a'"), (at(A=96, B=3), "are for 1 to 2"), (at(A=-1, C=6), "are for 5")):
            assert wrong[0] == 125 and text in wrong[1], wrong
        # A set for some values is extended to others.
        file = folder / "part"
        verify(program, file, "--traces", "1")
        assert at(A=0) == "0 0\n" and at(A=50)[0] == 125  # the value of a free run
        verify(program, file)
        assert at(A=50) == "50 0\n"


def test_an_input_that_is_read_beside_other_threads_is_not_admitted():
    with Folder() as folder:
        source = folder / "late.cpp"
        source.write_text("#include <tarry/test.h>\n#include <thread>\nint main() { std::thread t([] {}); tarry::input(\"n\", 1, 2); t.join(); }\n")
        said = verify(compile_program(source, folder), folder / "set", code=None)
        assert "an input that is read while other threads run (" in said and "late.cpp:3" in said, said


def test_an_event_that_depends_on_the_clock_ends_the_program():
    with Folder() as folder:
        source = folder / "clock.cpp"
        source.write_text("""#include <atomic>
#include <chrono>
#include <thread>
std::atomic<int> n{0};
int main() {
  std::thread t([] { ++n; });
  if ((std::chrono::steady_clock::now().time_since_epoch().count() >> 10) % 2 != 0) ++n;
  t.join();
}
""")
        program, file = compile_program(source, folder), folder / "set"
        said = verify(program, file)
        assert "the program reads clocks" in said and "assuming clocks on which no step depends" in said, said
        runs = [run(file, program, timeout=5) for _ in range(24)]
        # By chance all runs take the verified path: once in 2^24.
        unverified = [done for done in runs if done.returncode == 125]
        assert unverified and all(done.returncode in (0, 125) for done in runs), runs
        assert all("unverified: main comes to 'join'" in done.stderr or "clock.cpp:7" in done.stderr for done in unverified), unverified


def test_time_outs_are_delivered_as_the_trace_has_them():
    with Folder() as folder:
        program = compile_program(PROGRAMS / "timed.cpp", folder)
        for way in range(6):
            both = folder / f"both{way}"
            said = verify(program, both, "--", way)
            assert "these are all" in said, said
            outputs, _ = repeat(folder, program, both, 10 * ROUNDS, arguments=(way,), disturb=20000 if way < 5 else 150)
            assert outputs.keys() <= {"0\n", "1\n"}, outputs
            for wanted in (0, 1):
                file = folder / f"set{way}{wanted}"
                said = verify(program, file, "--", way, wanted)
                assert "left out: crash" in said, (way, wanted, said)
                outputs, _ = repeat(folder, program, file, 5 * ROUNDS if way < 5 else 2, arguments=(way, wanted), disturb=3000)
                assert outputs.keys() == {f"{wanted}\n"}, (way, wanted, outputs)


def test_traces_that_the_program_takes_by_itself_come_first():
    with Folder() as folder:
        for late in (0, 1):
            source = folder / f"late{late}.cpp"
            source.write_text(f"""#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
std::atomic<int> last{{0}};
void store(int who) {{
  if (who == {late}) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  last = who;
}}
int main() {{
  std::thread other(store, 1);
  store(0);
  other.join();
  std::printf("%d\\n", last.load());
}}
""")
            program, file = compile_program(source, folder), folder / f"set{late}"
            verify(program, file, "--traces", "1", "--free-runs", "2")
            assert traces(file) == 1
            assert run(file, program).stdout == f"{late}\n"
            # Without free runs the first trace does not know how long sleeps take.
            verify(program, folder / f"other{late}", "--traces", "1", "--free-runs", "0", "--search", "dpor")
        assert run(folder / "other0", folder / "late0").stdout == run(folder / "other1", folder / "late1").stdout


def test_sets_grow_until_the_overhead_is_low():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "queue.cpp", folder), folder / "set"
        said = verify(program, file, "--until-overhead", "1000000%")
        assert said.count("tarry: overhead ") == 1 and traces(file) == 16, said
        file = folder / "more"
        said = verify(program, file, "--until-overhead", "0", "--traces", "64", "--search", "dpor")
        # A run that is as fast as one without enforcement ends it earlier.
        assert said.count("tarry: overhead ") == {16: 1, 32: 2, 64: 3}[traces(file)], said
        assert call(TARRY, "verify", program, "--until-overhead", "soon").returncode == 2


def test_a_trace_that_proved_bad_is_withdrawn():
    with Folder() as folder:
        program, file = compile_program(PROGRAMS / "two_orders.cpp", folder), folder / "set"
        verify(program, file)
        done = run(file, program, "--report")
        bad, name = done.stdout, done.stderr.split("  trace ")[1].split()[0]
        assert call(TARRY, "schedules", "withdraw", file, "0123456789abcdef").returncode == 2 and traces(file) == 2
        done = call(TARRY, "schedules", "withdraw", file, name)
        assert done.returncode == 0 and traces(file) == 1 and not shown(file)["complete"], done
        outputs, _ = repeat(folder, program, file, 40 * ROUNDS)
        assert bad not in outputs and len(outputs) == 1, (bad, outputs)
        left = run(file, program, "--report").stderr.split("  trace ")[1].split()[0]
        assert call(TARRY, "schedules", "withdraw", file, left).returncode == 2 and traces(file) == 1


def test_programs_in_c_are_enforced():
    for compiler in filter(shutil.which, ("gcc", "clang")):
        with Folder() as folder:
            program, file = folder / "counter", folder / "set"
            done = call(TARRY, "cc", "-O1", PROGRAMS / "counter.c", "-o", program, "-pthread", env={**os.environ, "TARRY_CC": compiler})
            assert done.returncode == 0, done.stderr
            verify(program, file)
            assert shown(file)["complete"] and traces(file) == 2
            outputs, _ = repeat(folder, program, file, 20)
            assert outputs.keys() == {"2\n"}, outputs


def test_locks_of_streams_are_enforced():
    with Folder() as folder:
        program, file = folder / "stream_lock", folder / "set"
        done = call(TARRY, "cc", "-O1", PROGRAMS / "stream_lock.c", "-o", program, "-pthread")
        assert done.returncode == 0, done.stderr
        said = verify(program, file)
        assert "these are all" in said, said
        outputs, _ = repeat(folder, program, file, 40 * ROUNDS)
        assert outputs.keys() <= {"2 12\n", "2 21\n"}, outputs  # a new thread is seldom first


def test_the_order_of_exit_handlers_is_enforced():
    with Folder() as folder:
        program, file = compile_program(SOURCE / "tests" / "native" / "trust" / "exit_order.cpp", folder), folder / "set"
        said = verify(program, file)
        assert "left out: crash" in said and traces(file) == 1 and not shown(file)["complete"], said
        repeat(folder, program, file, 100 * ROUNDS)


def test_reference_counts_of_exceptions_are_enforced():
    """The libraries of verification and of enforcement agree on what is an event."""
    with Folder() as folder:
        program = compile_program(PROGRAMS / "exceptions.cpp", folder)
        for case in range(7):
            file = folder / f"set{case}"
            said = verify(program, file, "--", case)
            assert "these are all" in said, (case, said)
            outputs = collections.Counter()
            for i in range(20 * ROUNDS):
                done = run(file, program, "--disturb", 150, "--seed", i + 1, arguments=(case,))
                assert done.returncode == 0, (case, done.returncode, done.stdout, done.stderr)
                outputs[done.stdout] += 1
            assert outputs.keys() == {"0\n"}, (case, outputs)
        # A near miss: the traces of one case are not those of another.
        assert run(folder / "set6", program, arguments=(0,)).returncode == 2


def test_a_run_without_enforcement_is_not_called_verified():
    with Folder() as folder:
        source = folder / "early.cpp"
        source.write_text("#include <cstdlib>\n#include <thread>\n#include <unistd.h>\nint early = std::getenv(\"EARLY\") != nullptr ? (_exit(0), 0) : 0;\nint main() { std::thread([] {}).join(); }\n")
        program, file = compile_program(source, folder), folder / "set"
        verify(program, file)
        done = run(file, program, "--report", env={**os.environ, "EARLY": "1"})
        assert done.returncode == 70 and "ran without enforcement" in done.stderr and "verified" not in done.stderr, (done.returncode, done.stderr)


def test_pipes_made_before_there_are_threads_are_no_obstacle():
    with Folder() as folder:
        source = folder / "pipe.cpp"
        source.write_text("#include <atomic>\n#include <thread>\n#include <unistd.h>\nstd::atomic<int> n{0};\nint main() { int ends[2]; if (pipe(ends) != 0) return 1; std::thread t([] { ++n; }); ++n; t.join(); }\n")
        program, file = compile_program(source, folder), folder / "set"
        said = verify(program, file)
        assert traces(file) == 2 and "these are all" in said, said
        repeat(folder, program, file, 10)


def main():
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
            print(name, "passed", flush=True)


main()
