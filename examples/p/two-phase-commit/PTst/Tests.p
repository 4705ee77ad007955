test param (numParticipants in [1, 2, 3]) tcOneTransaction [main = OneTransaction]:
  assert Atomicity, Progress in (union Clients, Database, { OneTransaction });

test tcTwoTransactions [main = TwoTransactions]:
  assert Atomicity, Progress in (union Clients, Database, { TwoTransactions });

test param (numParticipants in [1]) tcTwoClients [main = TwoClients]:
  assert Atomicity, Progress in (union Clients, Database, { TwoClients });

test tcOneCrash [main = OneCrash]:
  assert Atomicity, Progress in (union Clients, Database, { OneCrash });

test tcBugStaleVote [main = TwoTransactions]:
  assert Atomicity, Progress in (union Clients, ForgetfulDatabase, { TwoTransactions });
