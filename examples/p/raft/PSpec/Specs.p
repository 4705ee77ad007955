// Election safety: a term has at most one leader.
spec OneLeaderATerm observes eElected {
  var leaders: map[int, Server];

  start state Watching {
    on eElected do (elected: (leader: Server, term: int)) {
      assert !(elected.term in leaders), format("term {0} has two leaders, {1} and {2}", elected.term, leaders[elected.term], elected.leader);
      leaders[elected.term] = elected.leader;
    }
  }
}

// State machine safety: what is committed at a place of the log is the same on all servers, for ever.
spec CommittedStays observes eCommitted {
  var log: map[int, tEntry];

  start state Watching {
    on eCommitted do (committed: (index: int, what: tEntry)) {
      if (committed.index in log) {
        assert log[committed.index] == committed.what,
          format("entry {0} is committed as {1} and as {2}", committed.index, log[committed.index], committed.what);
      }
      log[committed.index] = committed.what;
    }
  }
}
