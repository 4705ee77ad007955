// Who waits at the top is served at some time.
spec TopIsServed observes eTopWaits, eTopServed {
  start cold state Calm { on eTopWaits goto Waiting; }
  hot state Waiting { on eTopServed goto Calm; }
}
