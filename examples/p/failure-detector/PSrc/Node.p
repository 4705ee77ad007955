type tPing = (detector: machine, round: int);
type tPong = (node: Node, round: int);

event ePing: tPing;
event ePong: tPong;
// Stops a node; the payload is who wants to know when that is done.
event eShutDown: machine;
// The last words of a node.
event eGone: Node;

// Answers pings until it is shut down.
machine Node {
  var network: Network;

  start state Alive {
    entry (n: Network) {
      network = n;
    }
    on ePing do (ping: tPing) {
      send network, ePacket, (destination = ping.detector, message = ePong, payload = (node = this, round = ping.round));
    }
    on eShutDown do (who: machine) {
      send who, eGone, this;
      raise halt;
    }
  }
}
