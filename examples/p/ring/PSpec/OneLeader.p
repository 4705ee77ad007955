// Exactly one node becomes the leader: never two, and one before the execution ends.
spec OneLeader observes eElected {
  var leader: int;

  start hot state NobodyElected {
    on eElected goto Elected with (id: int) {
      leader = id;
    }
  }

  cold state Elected {
    on eElected do (id: int) {
      assert false, format("{0} is elected, and {1} already was", id, leader);
    }
  }
}
