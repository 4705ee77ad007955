// 8  receive overrides ignore and defer, and overtakes                            passes 6
event a; event b; machine Main { var n: int; start state S { entry { send this, a; send this, b;
  receive { case b: { n = 1; } } assert n == 1; receive { case a: { n = 2; } } assert n == 2; } ignore a; defer b; } }
