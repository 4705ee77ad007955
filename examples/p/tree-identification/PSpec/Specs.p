// One node becomes the root, at some time; never two.
spec OneRoot observes eRoot {
  start hot state Looking { on eRoot goto Found; }
  cold state Found { on eRoot do (node: machine) { assert false, "there are two roots"; } }
}
