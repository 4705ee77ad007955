// The position of the node that fails.
param victim: int;

type tSizes = (writes: int, readers: int);

// A chain of three nodes, a writer and some readers.
fun SetUpChain(sizes: tSizes): seq[Node] {
  var master: Master;
  var nodes: seq[Node];
  var clients: seq[Client];
  var none: machine;
  var i: int;
  master = new Master();
  while (i < 3) {
    nodes += (i, new Node());
    i = i + 1;
  }
  send nodes[0], eSetup, (position = 0, predecessor = none, successor = nodes[1], master = master);
  send nodes[1], eSetup, (position = 1, predecessor = nodes[0], successor = nodes[2], master = master);
  send nodes[2], eSetup, (position = 2, predecessor = nodes[1], successor = none, master = master);
  clients += (0, new Client((head = nodes[0], tail = nodes[2], writes = sizes.writes)));
  while (sizeof(clients) <= sizes.readers) {
    clients += (sizeof(clients), new Client((head = nodes[0], tail = nodes[2], writes = 0)));
  }
  send master, eChain, (nodes = nodes, clients = clients);
  return nodes;
}

machine NoCrash {
  start state Init {
    entry {
      SetUpChain((writes = 2, readers = 1));
    }
  }
}

machine OneCrash {
  start state Init {
    entry {
      var nodes: seq[Node];
      nodes = SetUpChain((writes = 2, readers = 0));
      send nodes[victim], eCrash;
    }
  }
}

machine CrashAndReader {
  start state Init {
    entry {
      var nodes: seq[Node];
      nodes = SetUpChain((writes = 1, readers = 1));
      send nodes[victim], eCrash;
    }
  }
}
