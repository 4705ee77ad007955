// 10 blocked receive with nothing enabled                                         R08
event a; machine Main { start state S { entry { receive { case a: { } } } } }
