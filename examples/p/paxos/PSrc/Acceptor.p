// Promises to take nothing below a ballot, and accepts a value unless it has promised otherwise. It says nothing to old ballots.
machine Acceptor {
  var promised: int;
  var acceptedBallot: int;
  var acceptedValue: int;

  start state Serving {
    on ePrepare do (prepare: tPrepare) {
      if (prepare.ballot > promised) {
        promised = prepare.ballot;
        send prepare.proposer, ePromise,
          (ballot = prepare.ballot, acceptedBallot = acceptedBallot, acceptedValue = acceptedValue);
      }
    }
    on eAccept do (accept: tAccept) {
      if (accept.ballot >= promised) {
        promised = accept.ballot;
        acceptedBallot = accept.ballot;
        acceptedValue = accept.value;
        send accept.proposer, eAccepted, accept.ballot;
      }
    }
  }
}
