// An exclusive owner is the only one who holds the line.
spec Coherence observes eClients, eCacheChange {
  var caches: map[Client, tCache];

  start state Init {
    on eClients goto Watching with (clients: seq[Client]) {
      var c: Client;
      foreach (c in clients) {
        caches[c] = INVALID;
      }
    }
  }

  state Watching {
    on eCacheChange do (change: tCacheChange) {
      var c: Client;
      caches[change.client] = change.cache;
      foreach (c in keys(caches)) {
        if (c != change.client) {
          assert change.cache != EXCLUSIVE || caches[c] == INVALID,
            format("{0} becomes the owner, but {1} has a copy", change.client, c);
          assert change.cache != SHARED || caches[c] != EXCLUSIVE,
            format("{0} gets a copy, but {1} is the owner", change.client, c);
        }
      }
    }
  }
}

// Nobody waits for a grant when the execution ends. (Executions end when all share and nobody wants more.)
spec RequestsAreGranted observes eReqShared, eReqExclusive, eGrantShared, eGrantExclusive {
  var waiting: int;

  start cold state NobodyWaits {
    on eReqShared, eReqExclusive goto SomebodyWaits;
  }

  hot state SomebodyWaits {
    entry {
      waiting = waiting + 1;
    }
    on eReqShared, eReqExclusive do {
      waiting = waiting + 1;
    }
    on eGrantShared, eGrantExclusive do {
      waiting = waiting - 1;
      if (waiting == 0) {
        goto NobodyWaits;
      }
    }
  }
}
