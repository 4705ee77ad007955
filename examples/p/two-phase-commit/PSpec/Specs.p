// Announced by the driver: the number of participants.
event eParticipants: int;

// A transaction commits everywhere or nowhere, and only if all participants voted yes for it.
spec Atomicity observes eParticipants, eVote, eCommit, eAbort, eWriteResp {
  var participants: int;
  var yes: map[int, int];
  var decisions: map[int, tDecision];

  start state Init {
    on eParticipants goto Watching with (count: int) {
      participants = count;
    }
  }

  state Watching {
    on eVote do (vote: tVote) {
      if (!(vote.trans in yes)) {
        yes[vote.trans] = 0;
      }
      if (vote.answer == YES) {
        yes[vote.trans] = yes[vote.trans] + 1;
      }
    }
    on eCommit do (trans: int) {
      assert trans in yes && yes[trans] == participants,
        format("transaction {0} commits, but not all {1} participants voted yes", trans, participants);
      Decide(trans, COMMITTED);
    }
    on eAbort do (trans: int) {
      Decide(trans, ABORTED);
    }
    on eWriteResp do (resp: tWriteResp) {
      assert resp.trans in decisions && decisions[resp.trans] == resp.decision,
        format("the client hears another decision on transaction {0} than the participants", resp.trans);
    }
  }

  fun Decide(trans: int, decision: tDecision) {
    if (trans in decisions) {
      assert decisions[trans] == decision, format("two decisions on transaction {0}", trans);
    }
    decisions[trans] = decision;
  }
}

// Every write is answered.
spec Progress observes eWriteReq, eWriteResp {
  var open: int;

  start cold state AllAnswered {
    on eWriteReq goto Waiting with {
      open = 1;
    }
  }

  hot state Waiting {
    on eWriteReq do {
      open = open + 1;
    }
    on eWriteResp do {
      open = open - 1;
      if (open == 0) {
        goto AllAnswered;
      }
    }
  }
}
