#!/usr/bin/env python3
"""Data structures in the manner of the libraries that people use, as they are used there: no alarm on correct ones, whatever the verdict in the time given; each
planted mistake is found by default, within a minute, and replays."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "awaits"))

from harness import TARRY, check, compiled  # noqa: E402

SOURCES = pathlib.Path(os.environ["SOURCE_DIR"]).resolve() / "tests/native/libraries"

# By library: what each of its mistakes may be found as.
BUGS = {
    "mpmc_queue": ({"data-race", "memory", "crash"}, {"data-race", "assertion", "memory", "crash", "livelock"}, {"data-race", "crash", "memory"}),
    "spsc_queue": ({"assertion", "data-race", "memory", "livelock"}, {"data-race"}),
    "slot_ring": ({"assertion", "livelock"}, {"assertion", "livelock", "deadlock"}),
    "futures_pool": ({"data-race", "deadlock"}, {"assertion", "exception"}, {"data-race"}),
    "sharded_map": ({"data-race"}, {"livelock", "deadlock"}, {"data-race"}),
    "read_copy_update": ({"memory"}, {"memory"}, {"memory"}),
    "hazard_stack": ({"memory"}, {"memory"}, {"memory"}),
}


class Libraries(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def correct(self, name, level):
        answer = check(compiled(self.folder.name, SOURCES / f"{name}.cpp", level=level), "--time", "8s", jobs=2)
        return [] if answer["kinds"] == [] and answer["verdict"] in ("verified", "no-bug-found") else [f"{name} {level}: {answer['verdict']}, {answer['findings'][:2]}"]

    def wrong(self, name, bug, kinds):
        answer = check(compiled(self.folder.name, SOURCES / f"{name}.cpp", f"-DBUG={bug}"), "--time", "60s", jobs=2)
        if not set(answer["kinds"]) & kinds:
            return [f"{name}, mistake {bug}: {answer['verdict']}, {answer['kinds']}"]
        again = subprocess.run([TARRY, "replay", answer["findings"][0]["trace"]], capture_output=True, text=True, cwd=self.folder.name, check=False)
        return [] if again.returncode == 1 and answer["findings"][0]["kind"] + ":" in again.stdout else [f"{name}, mistake {bug}: replay: {again.returncode}, {again.stdout[-300:]}{again.stderr[-300:]}"]

    def test_no_alarm_and_every_mistake(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(self.correct, name, level) for name in BUGS for level in ("-O0", "-O2")]
            jobs += [pool.submit(self.wrong, name, i + 1, kinds) for name, bugs in BUGS.items() for i, kinds in enumerate(bugs)]
            self.assertEqual([line for job in jobs for line in job.result()], [])


if __name__ == "__main__":
    unittest.main()
