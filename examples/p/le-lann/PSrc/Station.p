// The next station on the ring, told once by the driver, and whether this station makes the first token.
event eStart: (next: Station, first: bool);
// The right to send, on its way round the ring.
event eToken;
// The largest id that an election has met so far, on its way round the ring.
event eElect: int;
// For the spec: the token is lost, and there is one again.
event eLost;
event eFound;

// A token goes round for ever. A station may lose it, and then starts an election: who gets its own id back makes a new token. (After Le Lann.)
machine Station {
  var id: int;
  var next: Station;

  start state WaitForStart {
    entry (myId: int) { id = myId; }
    defer eToken, eElect;
    on eStart do (ring: (next: Station, first: bool)) {
      next = ring.next;
      if (ring.first) { send next, eToken; }
      goto Passing;
    }
  }

  state Passing {
    on eToken do {
      if ($) {
        announce eLost;
        send next, eElect, id;
      } else {
        send next, eToken;
      }
    }
    on eElect do (candidate: int) {
      if (candidate == id) {
        announce eFound;
        send next, eToken;
      } else if (candidate > id) {
        send next, eElect, candidate;
      } else {
        send next, eElect, id;
      }
    }
  }
}

// Bug: passes on its own id, too. Nobody is ever elected.
machine ModestStation {
  var id: int;
  var next: Station;

  start state WaitForStart {
    entry (myId: int) { id = myId; }
    defer eToken, eElect;
    on eStart do (ring: (next: Station, first: bool)) {
      next = ring.next;
      if (ring.first) { send next, eToken; }
      goto Passing;
    }
  }

  state Passing {
    on eToken do {
      if ($) {
        announce eLost;
        send next, eElect, id;
      } else {
        send next, eToken;
      }
    }
    on eElect do (candidate: int) {
      if (candidate >= id) {
        send next, eElect, candidate;
      } else {
        send next, eElect, id;
      }
    }
  }
}
