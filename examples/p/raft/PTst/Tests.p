test param (numServers in [3], numTimeouts in [1, 2], numCommands in [0]) tcElection [main = World]:
  assert OneLeaderATerm, CommittedStays in (union Servers, { World });

test param (numServers in [3], numTimeouts in [1], numCommands in [1]) tcReplication [main = World]:
  assert OneLeaderATerm, CommittedStays in (union Servers, { World });

test param (numServers in [2], numTimeouts in [2], numCommands in [2]) tcTwoServers [main = World]:
  assert OneLeaderATerm, CommittedStays in (union Servers, { World });

test param (numServers in [3], numTimeouts in [2], numCommands in [1]) tcTwoTerms [main = World]:
  assert OneLeaderATerm, CommittedStays in (union Servers, { World });

test param (numServers in [3], numTimeouts in [2], numCommands in [0], bugVotesTwice in [true]) tcBugVotesTwice [main = World]:
  assert OneLeaderATerm, CommittedStays in (union Servers, { World });

test param (numServers in [3], numTimeouts in [2], numCommands in [2], bugAnyLog in [true]) tcBugAnyLog [main = World]:
  assert OneLeaderATerm, CommittedStays in (union Servers, { World });
