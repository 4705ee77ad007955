// A door that was opened for somebody is closed at some time.
spec DoorCloses observes eServing, eShut {
  start cold state Closed { on eServing goto Open; }
  hot state Open { on eShut goto Closed; }
}
