#!/usr/bin/env python3
"""--dump-traces: what partial-order reduction runs, judged from outside by its dump.

Every execution of `dpor` and `source-dpor` is another Mazurkiewicz trace, and the traces are all that there are: those of depth-first search
over every interleaving, and for programs of mutexes and atomics those of a model that knows nothing of the runtime (counts_test.py).
"""

import concurrent.futures
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE / "dpor"), str(HERE / "drawn"), str(HERE), str(HERE.parent / "support")]

from counts_test import Model, programs, source  # noqa: E402
from harness import compiled  # noqa: E402
from processes import wait_for_workers  # noqa: E402
from programs import drawn  # noqa: E402
from traces import Broken, canonical_orders, examine, orders, traces  # noqa: E402
from ways import ALL  # noqa: E402

TARRY = os.environ["TARRY"]
EVERY_INTERLEAVING = ("dfs", "--cache", "none", "--fair-scheduling=off")
EVERY_ORDER = ("dfs", "--fair-scheduling=off")
REDUCED = (("dpor",), ("source-dpor",))
REFUSED = "partial-order reduction is not possible"


def dump(target, search, *options, arguments=()):
    """The answer, and the traces with how often each is there."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "traces"
        command = [TARRY, "check", str(target), "--json", "--time", "300s", *([] if "--jobs" in options else ["--jobs", "1"]), "--dump-traces", str(file), "--search", *search, *options]
        done = subprocess.run([*command, "--", *arguments], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600, check=False)
        try:
            answer = json.loads(done.stdout)
        except json.JSONDecodeError:
            raise RuntimeError(f"{target}: exit code {done.returncode}\n{done.stdout}{done.stderr}") from None
        return answer, traces(file), orders(file)


def without_livelocks(found):
    """A loop that waits for ever looks once more after the last step of other threads. Whether it has looked by then depends on the schedule, not on the
    order: of these executions only the end counts."""
    return {("livelock", ()) if end == "livelock" else (end, events) for end, events in found}


def differences(target, whole, *options, arguments=()):
    """What is wrong with the traces of partial-order reduction, as lines. `whole` is the search that has them all."""
    wrong = []
    answer, all_of_them, _ = dump(target, whole, *options, arguments=arguments)
    if not answer["complete"]:
        return [f"{target} {arguments}: {whole}: {answer['verdict_text']}"]
    for search in REDUCED:
        answer, found, _ = dump(target, search, *options, arguments=arguments)
        if any(REFUSED in note for note in answer["notes"]):
            continue
        twice = sum(1 for times in found.values() if times > 1)
        missing, more = len(without_livelocks(all_of_them) - without_livelocks(found)), len(without_livelocks(found) - without_livelocks(all_of_them))
        if twice or missing or more or answer["executions"] != len(found):
            wrong.append(f"{target} {arguments}: {search[0]}: {twice} twice, {missing} missing, {more} that are not there, of {len(all_of_them)}; {answer['verdict_text']}")
    return wrong


class TheChecker(unittest.TestCase):
    """It sees what is wrong."""

    EVENTS = [{"t": 0, "op": "start", "creates": [1]}, {"t": 0, "op": "store", "co": {"x": None}}, {"t": 1, "op": "load", "rf": {"x": 1}}]

    def test_sees_a_contradiction(self):
        examine(self.EVENTS)
        with self.assertRaises(Broken):
            examine([*self.EVENTS[:2], {"t": 1, "op": "load", "rf": {"x": None}}])
        with self.assertRaises(Broken):
            examine([{"t": 0, "op": "start"}, *self.EVENTS[1:]])

    def test_tells_orders_apart(self):
        def written(*lists):
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "dump"
                lines = [{"format": "tarry-traces", "version": 1}] + [{"end": "ended", "events": events} for events in lists]
                file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
                return traces(file)

        start, store, load = self.EVENTS
        before = [start, {"t": 1, "op": "load", "rf": {"x": None}}, store]
        beside = [start, {"t": 1, "op": "load", "rf": {"y": None}}, store]
        self.assertEqual(len(written(self.EVENTS, before)), 2)
        self.assertEqual(len(written(beside, [start, store, {"t": 1, "op": "load", "rf": {"y": None}}])), 1)
        self.assertEqual(list(written(self.EVENTS, self.EVENTS).values()), [2])


class Dumps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.counts = pathlib.Path(cls.folder.name, "counts")
        (cls.counts.parent / "counts.cpp").write_text(source(), encoding="utf-8")
        subprocess.run([TARRY, "c++", "-std=c++20", "-O1", "-o", cls.counts, cls.counts.parent / "counts.cpp", "-pthread"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_against_every_interleaving(self):
        numbers = [number for number, (_, threads) in enumerate(programs()) if Model(threads).executions() <= (20_000 if ALL else 4_000)]
        self.assertGreater(len(numbers), 12)
        self.check_all([(self.counts, EVERY_INTERLEAVING, (), (str(number),)) for number in numbers])

    def test_against_a_model(self):
        for number, (name, threads) in enumerate(programs()):
            if any(thing == "f" for operations in threads for _, thing in operations):
                continue
            with self.subTest(name, threads=threads):
                wanted = {canonical_orders(sequence for _, sequence in order) for order in Model(threads).all_orders()}
                for search in REDUCED:
                    _, _, found = dump(self.counts, search, arguments=(str(number),))
                    self.assertEqual(len(found), len(set(found)))
                    self.assertEqual(set(found), wanted)

    def test_against_depth_first_search(self):
        ways = [(HERE / "dpor" / "classics.cpp", EVERY_ORDER, ("-D", f"HOW={how}", "--races", "ignore"), ()) for how in range(5)]
        ways += [(HERE / "dpor" / "timed.cpp", EVERY_ORDER, ("-D", f"HOW={how}", "--races", "ignore"), ()) for how in range(7)]
        ways += [(HERE / "dpor" / "philosophers.cpp", EVERY_ORDER, ("-D", "N=3"), ()), (HERE / "dpor" / "last_zero.cpp", EVERY_ORDER, ("-D", "N=3"), ())]
        self.check_all(ways)

    def test_random_programs(self):
        picked = [program for program, _ in drawn(9000, 60 if ALL else 15, 300)]
        program = compiled(self.folder.name, picked, "g++", "-O2")
        self.check_all([(program, EVERY_ORDER, ("--explore",), (str(number),)) for number in range(len(picked))])

    def check_all(self, ways):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            wrong = [line for lines in pool.map(lambda way: differences(way[0], way[1], *way[2], arguments=way[3]), ways) for line in lines]
        self.assertEqual(wrong, [])

    def test_several_workers(self):
        """They run together what one runs: each trace once."""
        ways = [(HERE / "dpor" / "last_zero.cpp", ("-D", "N=5")), (HERE / "dpor" / "indexer.cpp", ("-D", "N=13")), (HERE / "dpor" / "philosophers.cpp", ("-D", "N=4"))]
        for program, options in ways:
            wanted = dump(program, ("dpor",), *options)[1]
            for (search,), jobs in itertools.product(REDUCED, ("2", "5")):
                with self.subTest(program.name, search=search, jobs=jobs):
                    answer, found, _ = dump(program, (search,), *options, "--jobs", jobs)
                    self.assertEqual((answer["verdict"], answer["executions"]), ("verified", len(wanted)), answer["verdict_text"])
                    self.assertEqual(found, wanted)

    def test_worker_that_is_killed(self):
        """What it was given is not explored, so nothing is verified."""
        for search, writers in (("dpor", 17), ("source-dpor", 14)):  # so many that it runs for some seconds
            with self.subTest(search):
                self.kill_a_worker(search, writers)

    def kill_a_worker(self, search, writers):
        command = [TARRY, "check", str(HERE / "dpor" / "last_zero.cpp"), "-D", f"N={writers}", "--json", "--time", "100s", "--jobs", "2", "--search", search]
        with subprocess.Popen(command, cwd=self.folder.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            workers = wait_for_workers(run, workers=2)
            self.assertEqual(len(workers), 2)
            os.kill(workers[1], signal.SIGKILL)
            output, _ = run.communicate(timeout=200)
        self.assertNotEqual(json.loads(output)["verdict"], "verified")

    def test_races_that_become_points(self):
        """Executions of before are void, and are not in the file."""
        text = "#include <thread>\nint x, y;\nint main() { std::thread a([] { x = 1; y = 1; }), b([] { y = 2; x = 2; }); a.join(), b.join(); }\n"
        program = pathlib.Path(self.folder.name, "races.cpp")
        program.write_text(text, encoding="utf-8")
        answer, found, _ = dump(program, ("dpor",), "--races", "report")
        self.assertEqual((answer["verdict"], answer["executions"], sorted(found.values())), ("verified", 3, [1, 1, 1]))

    def test_file_that_cannot_be_written(self):
        done = subprocess.run([TARRY, "check", str(self.counts), "--search", "dpor", "--dump-traces", "/nowhere/file", "--", "0"], capture_output=True, text=True, cwd=self.folder.name, check=False)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("/nowhere/file: error: cannot be written", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
