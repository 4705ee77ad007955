// Bug: does not look at the transaction of a vote.
machine ForgetfulCoordinator {
  var participants: set[Participant];
  var timer: Timer;
  var current: tWriteReq;
  var missing: int;

  start state Init {
    entry (config: (participants: set[Participant], timer: Timer)) {
      participants = config.participants;
      timer = config.timer;
      goto Ready;
    }
  }

  state Ready {
    on eWriteReq goto Collecting with (req: tWriteReq) {
      current = req;
      missing = sizeof(participants);
    }
    // Late: the transaction has been decided.
    ignore eVote, eTimeOut;
  }

  state Collecting {
    entry {
      Broadcast(participants, ePrepare, (coordinator = this, trans = current.trans));
      send timer, eStartTimer, this;
    }
    exit {
      send timer, eCancelTimer;
    }
    on eVote do (vote: tVote) {
      if (vote.answer == NO) {
        goto Decided, ABORTED;
      }
      missing = missing - 1;
      if (missing == 0) {
        goto Decided, COMMITTED;
      }
    }
    // The time-out may be that of the transaction before. Aborting too early does no harm.
    on eTimeOut do {
      goto Decided, ABORTED;
    }
    // One transaction at a time.
    defer eWriteReq;
  }

  state Decided {
    entry (decision: tDecision) {
      if (decision == COMMITTED) {
        Broadcast(participants, eCommit, current.trans);
      } else {
        Broadcast(participants, eAbort, current.trans);
      }
      send current.client, eWriteResp, (trans = current.trans, decision = decision);
      current = default(tWriteReq);
      missing = 0;
      goto Ready;
    }
  }
}
