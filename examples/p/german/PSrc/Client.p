// A cache. It asks whenever it holds nothing, may ask for more when it shares, and gives up what it holds when told.
machine Client {
  var host: machine;

  start state Init {
    entry (h: machine) {
      host = h;
      goto Invalid;
    }
  }

  state Invalid {
    entry {
      if ($) {
        send host, eReqShared, this;
      } else {
        send host, eReqExclusive, this;
      }
      goto Asking;
    }
  }

  // Asked from Invalid or from Shared. In the second case the host invalidates the copy first.
  state Asking {
    on eInvalidate do GiveUp;
    on eGrantShared goto Shared;
    on eGrantExclusive goto Exclusive;
  }

  state Shared {
    entry {
      announce eCacheChange, (client = this, cache = SHARED);
      if ($) {
        send host, eReqExclusive, this;
        goto Asking;
      }
    }
    on eInvalidate goto Invalid with GiveUp;
  }

  state Exclusive {
    entry {
      announce eCacheChange, (client = this, cache = EXCLUSIVE);
    }
    on eInvalidate goto Invalid with GiveUp;
  }

  fun GiveUp() {
    announce eCacheChange, (client = this, cache = INVALID);
    send host, eInvAck, this;
  }
}
