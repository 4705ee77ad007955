// 24 several constructor arguments form the tuple                                 passes 4
machine W { start state S { entry (p: (int, string)) { assert p.0 == 4 && p.1 == "q"; } } }
machine Main { start state S { entry { new W(4, "q"); } } }
