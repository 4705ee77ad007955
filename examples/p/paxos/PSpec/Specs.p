// All values taught are the same.
spec OneValueTaught observes eLearn {
  var taught: int;

  start state NothingTaught {
    on eLearn goto Taught with (value: int) {
      taught = value;
    }
  }

  state Taught {
    on eLearn do (value: int) {
      assert value == taught, format("{0} is taught, and {1} was before", value, taught);
    }
  }
}

// Somebody is taught a value. Holds for a single proposer; two can stop each other.
spec SomethingTaught observes eLearn {
  start hot state NothingTaught {
    on eLearn goto Taught;
  }

  cold state Taught {
    ignore eLearn;
  }
}
