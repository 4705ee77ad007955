// How often the user does something.
param numActions: int;

// Asks for coffees, and nothing else.
machine ThirstyUser {
  start state Init {
    entry {
      var panel: Panel;
      var i: int;
      panel = new Panel();
      while (i < numActions) {
        send panel, eCoffeeButton;
        i = i + 1;
      }
    }
  }
}

// Does anything at any time: the buttons, and the door, which is open or closed.
machine PlayfulUser {
  start state Init {
    entry {
      var panel: Panel;
      var open: bool;
      var i, what: int;
      panel = new Panel();
      while (i < numActions) {
        what = choose(3);
        if (what == 0) {
          send panel, eCoffeeButton;
        } else if (what == 1) {
          send panel, eResetButton;
        } else {
          open = !open;
          send panel, eDoor, open;
        }
        i = i + 1;
      }
    }
  }
}
