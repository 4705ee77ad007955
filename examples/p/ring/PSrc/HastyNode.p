// Bug: does not defer eElect while it waits for its successor.
machine HastyNode {
  var id: int;
  var next: Node;

  start state WaitForSuccessor {
    entry (myId: int) {
      id = myId;
    }
    on eSuccessor goto Electing with (successor: Node) {
      next = successor;
    }
  }

  state Electing {
    entry {
      send next, eElect, id;
    }
    on eElect do (candidate: int) {
      if (candidate > id) {
        send next, eElect, candidate;
      } else if (candidate == id) {
        announce eElected, id;
        send next, eLeader, id;
      }
    }
    on eLeader do (leader: int) {
      if (leader != id) {
        send next, eLeader, leader;
      }
      goto Done;
    }
  }

  state Done { }
}
