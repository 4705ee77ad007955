// The protocol of examples/p/german with four clients, which is too large for an example.
test param (numClients in [4]) tcCoherent [main = TestClients]:
  assert Coherence, RequestsAreGranted in (union Caches, { TestClients });
