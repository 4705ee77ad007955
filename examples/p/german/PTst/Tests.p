param numClients: int;

machine TestClients {
  start state Init {
    entry {
      new Host(numClients);
    }
  }
}

test param (numClients in [2, 3]) tcCoherent [main = TestClients]:
  assert Coherence, RequestsAreGranted in (union Caches, { TestClients });

// Readers never give anything up: an invalidation would be an unhandled event.
test param (numClients in [3]) tcReaders [main = TestClients]:
  assert Coherence, RequestsAreGranted in (union ReadOnlyCaches, { TestClients });

// Two holders are enough for one acknowledgement to be missing: needs three clients.
test param (numClients in [3]) tcBugFirstAck [main = TestClients]:
  assert Coherence in (union HastyCaches, { TestClients });
