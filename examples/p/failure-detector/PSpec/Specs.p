// A node that was shut down is reported (before that or after).
spec ShutDownsAreReported observes eGone, eNodeDown {
  var reported: set[Node];
  var unreported: set[Node];

  start cold state AllReported {
    on eGone do (node: Node) {
      if (!(node in reported)) {
        unreported += (node);
        goto SomeUnreported;
      }
    }
    on eNodeDown do (node: Node) {
      reported += (node);
    }
  }

  hot state SomeUnreported {
    on eGone do (node: Node) {
      if (!(node in reported)) {
        unreported += (node);
      }
    }
    on eNodeDown do (node: Node) {
      reported += (node);
      unreported -= (node);
      if (sizeof(unreported) == 0) {
        goto AllReported;
      }
    }
  }
}

// No node is reported twice.
spec ReportedOnce observes eNodeDown {
  var reported: set[Node];

  start state Watching {
    on eNodeDown do (node: Node) {
      assert !(node in reported), format("{0} is reported again", node);
      reported += (node);
    }
  }
}
