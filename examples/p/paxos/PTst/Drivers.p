param numProposers: int;
param numAcceptors: int;

// Proposer i has the ballot i and the value 10 * i.
machine TestPaxos {
  start state Init {
    entry {
      var acceptors: set[Acceptor];
      var learner: Learner;
      var i: int;
      while (i < numAcceptors) {
        acceptors += (new Acceptor());
        i = i + 1;
      }
      learner = new Learner();
      i = 1;
      while (i <= numProposers) {
        new Proposer((acceptors = acceptors, learner = learner, ballot = i, value = 10 * i));
        i = i + 1;
      }
    }
  }
}
