test param (numProposers in [1], numAcceptors in [1, 2, 3]) tcOneProposer [main = TestPaxos]:
  assert OneValueTaught, SomethingTaught in (union Proposing, Accepting, Learning, { TestPaxos });

test param (numProposers in [2], numAcceptors in [1, 2]) tcTwoProposers [main = TestPaxos]:
  assert OneValueTaught in (union Proposing, Accepting, Learning, { TestPaxos });

test param (numProposers in [2], numAcceptors in [3]) tcTwoOnThree [main = TestPaxos]:
  assert OneValueTaught in (union Proposing, Accepting, Learning, { TestPaxos });

test param (numProposers in [2], numAcceptors in [1]) tcBugStubborn [main = TestPaxos]:
  assert OneValueTaught in (union StubbornProposing, Accepting, Learning, { TestPaxos });

test param (numProposers in [2], numAcceptors in [2]) tcBugWrongBallot [main = TestPaxos]:
  assert OneValueTaught in (union Proposing, ForgetfulAccepting, Learning, { TestPaxos });
