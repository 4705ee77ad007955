// Bug: insists on its own value, whatever the acceptors have accepted before.
machine StubbornProposer {
  var acceptors: set[Acceptor];
  var learner: Learner;
  var ballot: int;
  var value: int;
  var answers: int;

  start state Init {
    entry (config: tProposerConfig) {
      acceptors = config.acceptors;
      learner = config.learner;
      ballot = config.ballot;
      value = config.value;
      goto Preparing;
    }
  }

  state Preparing {
    entry {
      var acceptor: Acceptor;
      foreach (acceptor in acceptors) {
        send acceptor, ePrepare, (proposer = this, ballot = ballot);
      }
    }
    on ePromise do (promise: tPromise) {
      answers = answers + 1;
      if (answers == Majority(sizeof(acceptors))) {
        goto Accepting;
      }
    }
  }

  state Accepting {
    entry {
      var acceptor: Acceptor;
      answers = 0;
      foreach (acceptor in acceptors) {
        send acceptor, eAccept, (proposer = this, ballot = ballot, value = value);
      }
    }
    on eAccepted do {
      answers = answers + 1;
      if (answers == Majority(sizeof(acceptors))) {
        goto Teaching;
      }
    }
    ignore ePromise;
  }

  state Teaching {
    entry {
      send learner, eLearn, value;
    }
    ignore ePromise, eAccepted;
  }
}
