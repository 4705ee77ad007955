// A person to the elevator: come to this floor.
event ePress: (floor: int, person: machine);
// The elevator to a person: here it is.
event eHere;
// The elevator to itself: to the next floor.
event eMove;
// For the spec: the top floor waits, and does not any more.
event eTopWaits;
event eTopServed;

// Presses again as soon as the elevator has come.
machine Person {
  var floor: int;
  var elevator: machine;

  start state Waiting {
    entry (where: (floor: int, elevator: machine)) {
      floor = where.floor;
      elevator = where.elevator;
      Press();
    }
    on eHere do { Press(); }
  }

  fun Press() {
    send elevator, ePress, (floor = floor, person = this);
  }
}

// The first floor where somebody waits, from this one on; -1 if there is none.
fun NextInDirection(wanted: map[int, machine], first: int, up: bool): int {
  var f: int;
  f = first;
  while (f >= 0 && f <= 2) {
    if (f in wanted) { return f; }
    if (up) { f = f + 1; } else { f = f - 1; }
  }
  return -1;
}

fun Distance(a: int, b: int): int {
  if (a > b) { return a - b; }
  return b - a;
}

fun Nearest(wanted: map[int, machine], at: int): int {
  var best: int;
  var f: int;
  best = -1;
  while (f <= 2) {
    if (f in wanted && (best < 0 || Distance(f, at) < Distance(best, at))) { best = f; }
    f = f + 1;
  }
  return best;
}

// Goes on in its direction as long as somebody waits there, then turns round. Who waits where it stands comes last.
machine Elevator {
  var wanted: map[int, machine];
  var at: int;
  var up: bool;

  start state Idle {
    on ePress goto Busy with (p: (floor: int, person: machine)) { Note(p); }
  }

  state Busy {
    entry { send this, eMove; }
    on ePress do (p: (floor: int, person: machine)) { Note(p); }
    on eMove do {
      var goal: int;
      if (up) { goal = NextInDirection(wanted, at + 1, up); } else { goal = NextInDirection(wanted, at - 1, up); }
      if (goal < 0) {  // who presses again where it stands must not hold it
        up = !up;
        goal = NextInDirection(wanted, at, up);
      }
      Serve(goal);
      if (sizeof(wanted) == 0) { goto Idle; }
      send this, eMove;
    }
  }

  fun Note(p: (floor: int, person: machine)) {
    wanted[p.floor] = p.person;
    if (p.floor == 2) { announce eTopWaits; }
  }

  fun Serve(floor: int) {
    var person: machine;
    at = floor;
    person = wanted[floor];
    wanted -= (floor);
    if (floor == 2) { announce eTopServed; }
    send person, eHere;
  }
}

// Bug: goes to the nearest floor where somebody waits. Two busy floors starve the third.
machine GreedyElevator {
  var wanted: map[int, machine];
  var at: int;

  start state Idle {
    on ePress goto Busy with (p: (floor: int, person: machine)) { Note(p); }
  }

  state Busy {
    entry { send this, eMove; }
    on ePress do (p: (floor: int, person: machine)) { Note(p); }
    on eMove do {
      Serve(Nearest(wanted, at));
      if (sizeof(wanted) == 0) { goto Idle; }
      send this, eMove;
    }
  }

  fun Note(p: (floor: int, person: machine)) {
    wanted[p.floor] = p.person;
    if (p.floor == 2) { announce eTopWaits; }
  }

  fun Serve(floor: int) {
    var person: machine;
    at = floor;
    person = wanted[floor];
    wanted -= (floor);
    if (floor == 2) { announce eTopServed; }
    send person, eHere;
  }
}
