#!/usr/bin/env python3
"""The programs of bench/p that are written as people write them: small instances are verified, with exact counts."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import CliTest  # noqa: E402

BENCH = pathlib.Path(os.environ["SOURCE_DIR"], "bench", "p")
ROWS = [
    ("bank.p", "tcBank___clients_2__requests_1", 1423, 1656),
    ("two_phase_commit.p", "tcCommit___numParticipants_2__numClients_1__numTransactions_1__numCrashes_1", 28870, 64126),
    ("multi_paxos.p", "tcPaxos___numAcceptors_2__numLeaders_2__numCommands_1__numTimeouts_0", 84831, 135428),
    ("raft.p", "tcRaft___numServers_2__numTimeouts_1__numCommands_1__grows_false", 2296, 3443),
]


class BenchPrograms(CliTest):
    def test_small_instances_are_verified_with_exact_counts(self):
        for file, test, states, transitions in ROWS:
            result = self.check_json(BENCH / file, "-tc", test, "--search", "dfs", "--jobs", "1", expect=0)
            self.assertEqual((result["verdict"], result["states"], result["transitions"]), ("verified", states, transitions), test)


if __name__ == "__main__":
    unittest.main()
