// A token that is lost is made anew.
spec TokenComesBack observes eLost, eFound {
  start cold state Going { on eLost goto Lost; }
  hot state Lost { on eFound goto Going; }
}
