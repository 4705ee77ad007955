// Votes on each transaction as it likes, and keeps a yes until it hears the decision.
machine Participant {
  var prepared: set[int];

  start state Serving {
    on ePrepare do (req: tPrepare) {
      if ($) {
        prepared += (req.trans);
        send req.coordinator, eVote, (participant = this, trans = req.trans, answer = YES);
      } else {
        send req.coordinator, eVote, (participant = this, trans = req.trans, answer = NO);
      }
    }
    on eCommit do (trans: int) {
      assert trans in prepared, format("{0} has to commit {1}, but did not vote for it", this, trans);
      prepared -= (trans);
    }
    on eAbort do (trans: int) {
      prepared -= (trans);
    }
  }
}
