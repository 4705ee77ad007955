// How many buttons the user presses.
param numPresses: int;

fun Press(elevator: Elevator, floors: int) {
  var button: int;
  button = choose(3);
  if (button == 0) {
    send elevator, eCall, choose(floors);
  } else if (button == 1) {
    send elevator, eOpenButton;
  } else {
    send elevator, eCloseButton;
  }
}

// Calls the elevator to every floor, and does nothing else.
machine PatientUser {
  start state Init {
    entry {
      var elevator: Elevator;
      var floor: int;
      elevator = new Elevator();
      while (floor < 3) {
        send elevator, eCall, floor;
        floor = floor + 1;
      }
    }
  }
}

// Presses any buttons of a house with two floors.
machine AnyUser {
  start state Init {
    entry {
      var elevator: Elevator;
      var i: int;
      elevator = new Elevator();
      while (i < numPresses) {
        Press(elevator, 2);
        i = i + 1;
      }
    }
  }
}
