// Knows the chain, and closes it again when a node fails. Failures are reported reliably, one at a time.
machine Master {
  var nodes: seq[Node];
  var clients: seq[Client];

  start state WaitForChain {
    on eChain goto Watching with (chain: tChain) {
      nodes = chain.nodes;
      clients = chain.clients;
    }
  }

  state Watching {
    on eNodeFailed do (failed: Node) {
      var i: int;
      while (nodes[i] != failed) {
        i = i + 1;
      }
      nodes -= (i);
      if (i == 0) {
        HeadFailed();
      } else if (i == sizeof(nodes)) {
        TailFailed();
      } else {
        MiddleFailed(nodes[i - 1], nodes[i]);
      }
    }
  }

  fun HeadFailed() {
    var client: Client;
    send nodes[0], eBecomeHead;
    foreach (client in clients) {
      send client, eNewHead, nodes[0];
    }
  }

  fun TailFailed() {
    var client: Client;
    var tail: Node;
    tail = nodes[sizeof(nodes) - 1];
    send tail, eBecomeTail;
    foreach (client in clients) {
      send client, eNewTail, tail;
    }
  }

  // The successor first: its predecessor has to know what it lacks.
  fun MiddleFailed(before: Node, after: Node) {
    send after, eNewPredecessor, before;
    receive {
      case eLastUpdate: (number: int) {
        send before, eNewSuccessor, (node = after, last = number);
      }
    }
  }
}
