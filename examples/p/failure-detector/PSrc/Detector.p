type tDetectorConfig = (nodes: set[Node], network: Network, timer: Timer, attempts: int);

// Bug: with this set, the detector takes a pong of any round for an answer.
param bugStalePong: bool;

// Starts a round; the payload is who gets the reports.
event eProbe: machine;
// A node that did not answer in a round.
event eNodeDown: Node;

// In a round the detector pings all nodes it has not yet reported. It waits for a time-out, pings the silent ones again,
// and after some attempts reports those that are still silent. On a lossy network it may report a node that is alive.
machine Detector {
  var nodes: set[Node];
  var silent: set[Node];
  var network: Network;
  var timer: Timer;
  var attempts: int;
  var attempt: int;
  var round: int;
  var observer: machine;

  start state Init {
    entry (config: tDetectorConfig) {
      nodes = config.nodes;
      network = config.network;
      timer = config.timer;
      attempts = config.attempts;
      goto Idle;
    }
  }

  state Idle {
    on eProbe goto Probing with (who: machine) {
      observer = who;
      round = round + 1;
      attempt = 0;
      silent = nodes;
    }
    // Too late for the round.
    ignore ePong, eTimeOut;
  }

  state Probing {
    entry {
      var node: Node;
      if (attempt == attempts || sizeof(silent) == 0) {
        goto Reporting;
      }
      foreach (node in silent) {
        send network, ePacket, (destination = node, message = ePing, payload = (detector = this, round = round));
      }
      send timer, eStartTimer, this;
    }
    exit {
      send timer, eCancelTimer;
    }
    on ePong do (pong: tPong) {
      if (pong.round == round || bugStalePong) {
        silent -= (pong.node);
        if (sizeof(silent) == 0) {
          goto Reporting;
        }
      }
    }
    on eTimeOut goto Probing with {
      attempt = attempt + 1;
    }
    // One round at a time.
    defer eProbe;
  }

  state Reporting {
    entry {
      var node: Node;
      foreach (node in silent) {
        nodes -= (node);
        send observer, eNodeDown, node;
      }
      silent = default(set[Node]);
      goto Idle;
    }
  }
}
