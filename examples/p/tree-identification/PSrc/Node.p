// The neighbours of a node, told once by the driver.
event eNeighbours: seq[machine];
// Be my parent; and: I am.
event eBeMyParent: machine;
event eIAm;
// Root contention: the sender has asked again, or waits to be asked.
event eAskedAgain: bool;
// For the spec.
event eContention;
event eRoot: machine;

// Whether a node asks again at once when both ends of a link want the other for parent.
fun Coin(): bool { return $; }

// A node that has but one neighbour left without a parent asks that neighbour to be its parent. If both ends of a link ask each other, they toss coins until one asks
// and the other waits. (After IEEE 1394, tree identify.)
machine Node {
  var open: seq[machine];  // neighbours that are not yet children
  var asked: bool;

  start state SetUp {
    defer eBeMyParent, eAskedAgain;
    on eNeighbours goto Collecting with (all: seq[machine]) { open = all; }
  }

  state Collecting {
    entry { Look(); }
    on eBeMyParent do (child: machine) {
      Adopt(child);
      Look();
    }
    defer eAskedAgain;
  }

  state Asking {
    entry { send open[0], eBeMyParent, this; }
    on eIAm goto Child;
    on eBeMyParent do (child: machine) {
      announce eContention;
      goto Contending;
    }
    defer eAskedAgain;
  }

  state Contending {
    entry {
      asked = Coin();
      send open[0], eAskedAgain, asked;
    }
    on eAskedAgain do (other: bool) {
      if (other == asked) { goto Contending; }
      if (asked) { goto Child; }
      goto Root;
    }
  }

  state Child { }

  state Root { entry { announce eRoot, this; } }

  fun Adopt(child: machine) {
    var i: int;
    while (open[i] != child) { i = i + 1; }
    open -= (i);
    send child, eIAm;
  }

  fun Look() {
    if (sizeof(open) == 1) { goto Asking; }
    if (sizeof(open) == 0) { goto Root; }
  }
}
