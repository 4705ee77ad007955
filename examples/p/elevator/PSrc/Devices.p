// Opens and closes; when it closes, something may be in its way.
machine Door {
  var elevator: machine;

  start state Closed {
    entry (owner: machine) {
      elevator = owner;
    }
    on eOpenDoor goto Opened;
  }

  state Opened {
    entry {
      send elevator, eDoorOpened;
    }
    on eCloseDoor do {
      if ($) {
        goto Blocked;
      }
      goto ClosedAgain;
    }
  }

  state Blocked {
    entry {
      send elevator, eObstacle;
    }
    on eOpenDoor goto Opened;
  }

  state ClosedAgain {
    entry {
      send elevator, eDoorClosed;
    }
    on eOpenDoor goto Opened;
  }
}

machine Motor {
  var elevator: machine;

  start state Ready {
    entry (owner: machine) {
      elevator = owner;
    }
    on eMoveTo do (floor: int) {
      send elevator, eArrived, floor;
    }
  }
}

// May fire at any moment after its start, and surely does unless it is cancelled in time.
machine Timer {
  var elevator: machine;

  start state Init {
    entry (owner: machine) {
      elevator = owner;
      goto Idle;
    }
  }

  state Idle {
    on eStartTimer goto Running;
    ignore eCancelTimer;
  }

  state Running {
    on eCancelTimer goto Idle;
    on null do {
      send elevator, eTimeOut;
      goto Idle;
    }
  }
}
