// A read gives no older value than the last one that was acknowledged when the read began. (Values of the writer grow.)
spec ReadsSeeAcknowledgedWrites observes eWriteDone, eRead, eReadDone {
  var acknowledged: int;
  var atLeast: map[Client, int];

  start state Watching {
    on eWriteDone do (value: int) {
      if (value > acknowledged) {
        acknowledged = value;
      }
    }
    on eRead do (client: Client) {
      atLeast[client] = acknowledged;
    }
    on eReadDone do (done: tReadDone) {
      assert done.value >= atLeast[done.client],
        format("{0} reads {1}, but {2} was acknowledged", done.client, done.value, atLeast[done.client]);
    }
  }
}

// Every node applies the updates 1, 2, … in this order, and none that its predecessors lack.
spec UpdatesFlowDown observes eApplied, eCrashed {
  var last: map[int, int];
  var crashed: set[int];

  start state Watching {
    on eApplied do (applied: tApplied) {
      var before: int;
      if (!(applied.position in last)) {
        last[applied.position] = 0;
      }
      assert applied.number == last[applied.position] + 1,
        format("node {0} applies {1} after {2}", applied.position, applied.number, last[applied.position]);
      last[applied.position] = applied.number;
      while (before < applied.position) {
        assert before in crashed || (before in last && last[before] >= applied.number),
          format("node {0} applies {1} before node {2}", applied.position, applied.number, before);
        before = before + 1;
      }
    }
    on eCrashed do (position: int) {
      crashed += (position);
    }
  }
}

// Every write is answered.
spec WritesAreAnswered observes eWrite, eWriteDone {
  var answered: set[int];
  var value: int;

  start cold state AllAnswered {
    on eWrite do (write: tWrite) {
      value = write.value;
      if (!(value in answered)) {
        goto Waiting;
      }
    }
    ignore eWriteDone;
  }

  hot state Waiting {
    on eWriteDone do (done: int) {
      answered += (done);
      if (done == value) {
        goto AllAnswered;
      }
    }
    // The client repeats the request.
    ignore eWrite;
  }
}
