// Starts the timer; the payload is who is to be told.
event eStartTimer: machine;
event eCancelTimer;
event eTimeOut;

// May fire at any moment after its start, and surely does unless it is cancelled in time.
machine Timer {
  var owner: machine;

  start state Idle {
    on eStartTimer goto Running;
    ignore eCancelTimer;
  }

  state Running {
    entry (who: machine) {
      owner = who;
    }
    on eCancelTimer goto Idle;
    on null do {
      send owner, eTimeOut;
      goto Idle;
    }
  }
}
