type tClientConfig = (coordinator: Coordinator, first: int, count: int);

// Writes the transactions first, first + 1, …, one after the other.
machine Client {
  var coordinator: Coordinator;
  var trans: int;
  var left: int;

  start state Init {
    entry (config: tClientConfig) {
      coordinator = config.coordinator;
      trans = config.first;
      left = config.count;
      goto Writing;
    }
  }

  state Writing {
    entry {
      send coordinator, eWriteReq, (client = this, trans = trans);
    }
    on eWriteResp do (resp: tWriteResp) {
      assert resp.trans == trans, format("wrote {0}, got the answer to {1}", trans, resp.trans);
      trans = trans + 1;
      left = left - 1;
      if (left > 0) {
        goto Writing;
      }
      goto Done;
    }
  }

  state Done { }
}
