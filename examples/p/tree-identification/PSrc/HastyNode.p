// Bug: asks again at once, always. Both do.
machine HastyNode {
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
      asked = true;
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
