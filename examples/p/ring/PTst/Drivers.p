// The number of nodes.
param n: int;

// Creates the nodes, then closes the ring: node i has the id size - i and sends to node i + 1.
fun SetUpRing(size: int) {
  var nodes: seq[Node];
  var i: int;
  while (i < size) {
    nodes += (i, new Node(size - i));
    i = i + 1;
  }
  i = 0;
  while (i < size) {
    send nodes[i], eSuccessor, nodes[(i + 1) % size];
    i = i + 1;
  }
}

machine Main {
  start state Init {
    entry {
      SetUpRing(n);
    }
  }
}

machine ThreeNodes {
  start state Init {
    entry {
      SetUpRing(3);
    }
  }
}

machine NineNodes {
  start state Init {
    entry {
      SetUpRing(9);
    }
  }
}
