// A person at each of three floors.
machine Building {
  start state SetUp {
    entry {
      var elevator: Elevator;
      var floor: int;
      elevator = new Elevator();
      while (floor <= 2) {
        new Person((floor = floor, elevator = elevator));
        floor = floor + 1;
      }
    }
  }
}

test tcPlanned [main=Building]: assert TopIsServed in { Building, Elevator, Person };

test tcBugNearestFirst [main=Building]: assert TopIsServed in { Building, GreedyElevator -> Elevator, Person };
