// Bug: keeps a late report of the door (defer) instead of dropping it (ignore), and believes it the next time it closes the door.
machine TrustingElevator {
  var door: Door;
  var motor: Motor;
  var timer: Timer;
  var floor: int;

  start state Init {
    entry {
      door = new Door(this);
      motor = new Motor(this);
      timer = new Timer(this);
      goto Parked;
    }
  }

  // At a floor, the door is closed.
  state Parked {
    on eCall do (wanted: int) {
      if (wanted == floor) {
        goto Opening;
      }
      goto Moving, wanted;
    }
    on eOpenButton goto Opening;
    ignore eCloseButton, eTimeOut, eDoorClosed, eObstacle;
  }

  state Moving {
    entry (wanted: int) {
      send motor, eMoveTo, wanted;
    }
    on eArrived goto Opening with (where: int) {
      floor = where;
    }
    defer eCall;
    ignore eOpenButton, eCloseButton, eTimeOut, eDoorClosed, eObstacle;
  }

  state Opening {
    entry {
      send door, eOpenDoor;
    }
    on eDoorOpened goto Open;
    defer eCall, eCloseButton;
    defer eDoorClosed, eObstacle;
    ignore eOpenButton, eTimeOut;
  }

  state Open {
    entry {
      announce eServed, floor;
      send timer, eStartTimer;
    }
    exit {
      send timer, eCancelTimer;
    }
    // As if somebody pressed the button.
    on eTimeOut do {
      raise eCloseButton;
    }
    on eCloseButton goto Closing;
    // Starts the timer again.
    on eOpenButton goto Open;
    defer eCall;
    defer eDoorClosed, eObstacle;
  }

  state Closing {
    entry {
      send door, eCloseDoor;
    }
    on eDoorClosed goto Parked;
    on eObstacle, eOpenButton goto Opening;
    defer eCall;
    ignore eCloseButton, eTimeOut;
  }
}
