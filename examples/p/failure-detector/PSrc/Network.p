type tPacket = (destination: machine, message: event, payload: any);
event ePacket: tPacket;

// Delivers a packet or loses it. It may take its time: other messages can overtake those that go through the network.
machine Network {
  start state Working {
    on ePacket do (packet: tPacket) {
      if ($) {
        send packet.destination, packet.message, packet.payload;
      }
    }
  }
}
