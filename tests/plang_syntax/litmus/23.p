// 23 order exit, with, entry                                                      passes 6
event go; machine M { var o: machine; start state S { entry (m: machine) { o = m; } on go goto T with { o = null; }
  exit { assert o != null; } } state T { entry { assert o == null; } } }
machine Main { start state S { entry { send new M(this), go; } } }
