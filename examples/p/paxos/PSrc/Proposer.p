type tProposerConfig = (acceptors: set[Acceptor], learner: Learner, ballot: int, value: int);

// Tries one ballot: prepare, then accept, then teach. A proposer without a majority stays where it is.
machine Proposer {
  var acceptors: set[Acceptor];
  var learner: Learner;
  var ballot: int;
  var value: int;
  var best: int;
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
      // A value of an earlier ballot may have been chosen; the one of the highest ballot is taken over.
      if (promise.acceptedBallot > best) {
        best = promise.acceptedBallot;
        value = promise.acceptedValue;
      }
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
