// Bug: with this set, a node does not send its open updates to a new successor.
param bugNoResend: bool;

// A replica. Its place in the chain follows from its neighbours: the head has no predecessor, the tail no successor.
machine Node {
  var position: int;
  var predecessor: machine;
  var successor: machine;
  var master: Master;
  // The number of the last update, and the value it wrote.
  var last: int;
  var value: int;
  // Forwarded, and not yet acknowledged by the tail; oldest first.
  var open: seq[tUpdate];

  start state WaitForSetup {
    on eSetup goto Serving with (setup: tSetup) {
      position = setup.position;
      predecessor = setup.predecessor;
      successor = setup.successor;
      master = setup.master;
    }
  }

  state Serving {
    on eWrite do (write: tWrite) {
      // There is one writer, and its values grow: what is not larger is a repeated request that the chain already has.
      if (write.value > value) {
        Apply((number = last + 1, value = write.value, client = write.client));
      }
    }
    on eUpdate do Apply;
    on eAck do Acknowledge;
    on eRead do (client: Client) {
      send client, eReadDone, (client = client, value = value);
    }

    on eCrash do {
      announce eCrashed, position;
      send master, eNodeFailed, this;
      raise halt;
    }

    on eBecomeHead do {
      predecessor = null;
    }
    on eBecomeTail do {
      var update: tUpdate;
      successor = null;
      foreach (update in open) {
        Finish(update);
      }
      open = default(seq[tUpdate]);
    }
    on eNewPredecessor do (node: machine) {
      predecessor = node;
      send master, eLastUpdate, last;
    }
    on eNewSuccessor do (repair: tNewSuccessor) {
      var update: tUpdate;
      successor = repair.node;
      Acknowledge(repair.last);
      if (!bugNoResend) {
        foreach (update in open) {
          send successor, eUpdate, update;
        }
      }
    }
  }

  fun Apply(update: tUpdate) {
    last = update.number;
    value = update.value;
    announce eApplied, (position = position, number = last);
    if (successor == null) {
      Finish(update);
    } else {
      open += (sizeof(open), update);
      send successor, eUpdate, update;
    }
  }

  // The tail has the update: the client may know.
  fun Finish(update: tUpdate) {
    send update.client, eWriteDone, update.value;
    if (predecessor != null) {
      send predecessor, eAck, update.number;
    }
  }

  // The tail has everything up to this number.
  fun Acknowledge(number: int) {
    while (sizeof(open) > 0 && open[0].number <= number) {
      open -= (0);
    }
    if (predecessor != null) {
      send predecessor, eAck, number;
    }
  }
}
