// Bug: compares the ballot of a value with the last one it accepted, not with the one it promised.
machine ForgetfulAcceptor {
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
      if (accept.ballot >= acceptedBallot) {
        promised = accept.ballot;
        acceptedBallot = accept.ballot;
        acceptedValue = accept.value;
        send accept.proposer, eAccepted, accept.ballot;
      }
    }
  }
}
