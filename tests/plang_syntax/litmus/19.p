// 19 receive case must take the payload                                           E22
event a: int; machine Main { start state S { entry { receive { case a: { } } } } }
