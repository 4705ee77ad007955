type tClientConfig = (head: Node, tail: Node, writes: int);

// Writes 1, 2, … and reads after each write; a client without writes reads once.
machine Client {
  var head: Node;
  var tail: Node;
  var writes: int;
  var current: int;

  start state Init {
    entry (config: tClientConfig) {
      head = config.head;
      tail = config.tail;
      writes = config.writes;
      goto Next;
    }
  }

  state Next {
    entry {
      if (current < writes) {
        current = current + 1;
        goto Writing;
      }
      goto Reading;
    }
  }

  state Writing {
    entry {
      send head, eWrite, (client = this, value = current);
    }
    on eWriteDone do (value: int) {
      // The tail repeats an answer if the tail before it failed.
      if (value == current) {
        goto Reading;
      }
    }
    // The old head may have lost the request.
    on eNewHead goto Writing with NewHead;
    on eNewTail do NewTail;
  }

  state Reading {
    entry {
      send tail, eRead, this;
    }
    on eReadDone do (done: tReadDone) {
      if (current < writes) {
        goto Next;
      }
      goto Done;
    }
    on eNewHead do NewHead;
    on eNewTail goto Reading with NewTail;
    ignore eWriteDone;
  }

  state Done {
    ignore eWriteDone, eReadDone, eNewHead, eNewTail;
  }

  fun NewHead(node: Node) {
    head = node;
  }

  fun NewTail(node: Node) {
    tail = node;
  }
}
