// Leader election on a ring (Le Lann, Chang, Roberts) at the granularity of bench/peers/spin/lcrp.pml: each node creates its successor and sends it its id.
event eElect: int;
event eLeader: int;
event eElected: int;
param n: int;
machine Node {
  var id: int;
  var next: machine;
  start state Electing {
    entry (p: (left: int, first: machine)) {
      id = p.left;
      if (p.left > 1) { next = new Node((left = p.left - 1, first = p.first)); } else { next = p.first; }
      send next, eElect, id;
    }
    on eElect do (candidate: int) {
      if (candidate > id) { send next, eElect, candidate; }
      else if (candidate == id) { announce eElected, id; send next, eLeader, id; }
    }
    on eLeader do (leader: int) {
      if (leader != id) { send next, eLeader, leader; }
      goto Done;
    }
  }
  state Done { }
}
machine First {
  var id: int;
  var next: machine;
  start state Electing {
    entry {
      id = n;
      next = new Node((left = n - 1, first = this));
      send next, eElect, id;
    }
    on eElect do (candidate: int) {
      if (candidate > id) { send next, eElect, candidate; }
      else if (candidate == id) { announce eElected, id; send next, eLeader, id; }
    }
    on eLeader do (leader: int) {
      if (leader != id) { send next, eLeader, leader; }
      goto Done;
    }
  }
  state Done { }
}
spec OneLeader observes eElected { var k: int; start state S { on eElected do { k = k + 1; assert k == 1; } } }
test param (n in [3, 6, 9, 11]) tcRing [main = First]: assert OneLeader in { First, Node };
