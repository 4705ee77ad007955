// Passenger to controller: open the door.
event eCall;
// Controller to door.
event eOpen;
event eClose;
// Door to passenger: it is wide open; or: is the doorway free?
event eWideOpen;
event eLook: Door;
// Passenger to door.
event eFree;
event eInTheWay;
// Door to controller.
event eClosed;
event eBlocked;
// For the spec: somebody has called, the door is closed again.
event eServing;
event eShut;

machine Door {
  var controller: machine;
  var passenger: machine;

  start state Closed {
    entry (who: (controller: machine, passenger: machine)) {
      controller = who.controller;
      passenger = who.passenger;
    }
    on eOpen goto Open;
  }

  state Open {
    entry { send passenger, eWideOpen; }
    on eClose goto Closing;
    ignore eOpen;
  }

  // It has begun to close, and looks whether somebody stands there.
  state Closing {
    entry { send passenger, eLook, this; }
    on eFree goto Shut;
    on eInTheWay do { send controller, eBlocked; }
    on eOpen goto Open;
    on eClose goto Closing;
  }

  state Shut {
    entry { send controller, eClosed; }
    on eOpen goto Open;
  }
}

// Steps into the doorway when the door opens.
machine Passenger {
  var controller: machine;

  start state Waiting {
    entry (c: machine) {
      controller = c;
      send controller, eCall;
    }
    on eWideOpen goto Passing;
    on eLook do (door: Door) { send door, eFree; }
  }

  // The door may catch the passenger in the doorway. Who is caught waits for it to open.
  state Passing {
    on eLook do (door: Door) {
      if ($) {
        send door, eFree;
        goto Gone;
      }
      send door, eInTheWay;
      goto Caught;
    }
    on eWideOpen goto Gone;
  }

  state Caught {
    on eLook do (door: Door) { send door, eInTheWay; }
    on eWideOpen goto Gone;
  }

  state Gone {
    on eLook do (door: Door) { send door, eFree; }
    ignore eWideOpen;
    on eNextDay goto Again;
  }

  state Again {
    entry { send controller, eCall; }
    on eWideOpen goto Passing;
    on eLook do (door: Door) { send door, eFree; }
  }
}
// Controller to passenger: the door is closed; another ride begins.
event eNextDay;

// Opens when called, and closes at once. Who stands in the way gets a wide-open door.
machine Controller {
  var door: machine;
  var passenger: machine;

  start state SetUp {
    entry {
      passenger = new Passenger(this);
      door = new Door((controller = this, passenger = passenger));
      goto Idle;
    }
    defer eCall;
  }

  state Idle {
    on eCall do {
      announce eServing;
      send door, eOpen;
      send door, eClose;
    }
    on eBlocked do {
      send door, eOpen;
      send door, eClose;
    }
    on eClosed do {
      announce eShut;
      send passenger, eNextDay;
    }
  }
}

// Bug: tries to close once more instead of opening. The passenger is waiting for an open door.
machine StubbornController {
  var door: machine;
  var passenger: machine;

  start state SetUp {
    entry {
      passenger = new Passenger(this);
      door = new Door((controller = this, passenger = passenger));
      goto Idle;
    }
    defer eCall;
  }

  state Idle {
    on eCall do {
      announce eServing;
      send door, eOpen;
      send door, eClose;
    }
    on eBlocked do { send door, eClose; }
    on eClosed do {
      announce eShut;
      send passenger, eNextDay;
    }
  }
}
