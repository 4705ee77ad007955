// The directory: knows who holds the line, and grants it in the order of the requests.
machine Host {
  var clients: seq[Client];
  var holds: map[Client, bool];
  var exclusive: bool;

  start state Init {
    entry (size: int) {
      var c: Client;
      var i: int;
      while (i < size) {
        c = new Client(this);
        clients += (i, c);
        holds[c] = false;
        i = i + 1;
      }
      announce eClients, clients;
      goto Serving;
    }
  }

  state Serving {
    on eReqShared do (c: Client) {
      if (exclusive) {
        InvalidateAll();
      }
      holds[c] = true;
      send c, eGrantShared;
    }
    on eReqExclusive do (c: Client) {
      InvalidateAll();
      holds[c] = true;
      exclusive = true;
      send c, eGrantExclusive;
    }
  }

  // Takes the line back from everybody who holds it. Requests wait in the inbox meanwhile.
  fun InvalidateAll() {
    var c: Client;
    var pending: int;
    foreach (c in clients) {
      if (holds[c]) {
        send c, eInvalidate;
        pending = pending + 1;
      }
    }
    while (pending > 0) {
      receive {
        case eInvAck: (client: Client) {
          holds[client] = false;
        }
      }
      pending = pending - 1;
    }
    exclusive = false;
  }
}
