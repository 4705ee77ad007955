param numNodes: int;
param numAttempts: int;

fun MakeNodes(count: int, network: Network): set[Node] {
  var nodes: set[Node];
  var i: int;
  while (i < count) {
    nodes += (new Node(network));
    i = i + 1;
  }
  return nodes;
}

// The detector works, nobody is shut down.
machine NoFailure {
  start state Init {
    entry {
      var network: Network;
      var detector: Detector;
      network = new Network();
      detector = new Detector(
        (nodes = MakeNodes(numNodes, network), network = network, timer = new Timer(), attempts = numAttempts));
      send detector, eProbe, this;
    }
    ignore eNodeDown;
  }
}

// One node is shut down during the first round. The second round starts when the node is gone.
machine OneFailure {
  var detector: Detector;

  start state Init {
    entry {
      var network: Network;
      var nodes: set[Node];
      network = new Network();
      nodes = MakeNodes(numNodes, network);
      detector = new Detector((nodes = nodes, network = network, timer = new Timer(), attempts = numAttempts));
      send detector, eProbe, this;
      send choose(nodes), eShutDown, this;
    }
    ignore eNodeDown;
    on eGone do {
      send detector, eProbe, this;
    }
  }
}
