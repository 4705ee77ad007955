// A client that only ever wants to share.
machine Reader {
  var host: machine;

  start state Init {
    entry (h: machine) {
      host = h;
      send host, eReqShared, this;
    }
    on eGrantShared do {
      announce eCacheChange, (client = this, cache = SHARED);
    }
  }
}
