// The elevator moves only while the door is closed, and the door stays closed while it moves.
spec DoorIsClosedInMotion observes eOpenDoor, eDoorOpened, eDoorClosed, eMoveTo, eArrived {
  start state DoorClosed {
    on eDoorOpened goto DoorOpen;
    on eMoveTo goto InMotion;
    ignore eOpenDoor;
  }

  state DoorOpen {
    on eDoorClosed goto DoorClosed;
    on eMoveTo do (floor: int) {
      assert false, format("leaves for floor {0} with an open door", floor);
    }
    ignore eOpenDoor, eDoorOpened;
  }

  state InMotion {
    on eArrived goto DoorClosed;
    on eOpenDoor, eDoorOpened do {
      assert false, "the door opens between two floors";
    }
    ignore eDoorClosed;
  }
}

// Every call is served: the door is open at that floor at some later moment.
spec CallsAreServed observes eCall, eServed {
  var waiting: set[int];

  start cold state NobodyWaits {
    on eCall goto SomebodyWaits;
    ignore eServed;
  }

  hot state SomebodyWaits {
    entry (floor: int) {
      waiting += (floor);
    }
    on eCall do (floor: int) {
      waiting += (floor);
    }
    on eServed do (floor: int) {
      waiting -= (floor);
      if (sizeof(waiting) == 0) {
        goto NobodyWaits;
      }
    }
  }
}

// Worth seeing: something is in the way of the door, and it closes in the end.
scenario ObstacleThenClosed observes eObstacle, eDoorClosed {
  start state Begin {
    on eObstacle goto Blocked;
    ignore eDoorClosed;
  }

  state Blocked {
    on eDoorClosed goto Seen;
    ignore eObstacle;
  }

  cold state Seen {
    ignore eObstacle, eDoorClosed;
  }
}
