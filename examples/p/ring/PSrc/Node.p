// The next node on the ring, told once by the driver.
event eSuccessor: Node;
// A candidate's id on its way round the ring.
event eElect: int;
// The leader's id on its way round the ring.
event eLeader: int;
// Announced by a node that knows it is the leader.
event eElected: int;

// Le Lann, Chang, Roberts: an id passes only nodes with smaller ids. Who gets its own id back is the leader and tells the others.
machine Node {
  var id: int;
  var next: Node;

  start state WaitForSuccessor {
    entry (myId: int) {
      id = myId;
    }
    // The predecessor may start before this node knows where to send.
    defer eElect, eLeader;
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

  // Nothing may arrive any more: eLeader is the last event of every sender.
  state Done { }
}
