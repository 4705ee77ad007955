// 9  break inside a case ends the case, not the loop                              passes 8
event a; machine Main { var i: int; var k: int; start state S { entry { while (i < 3) { i = i + 1; send this, a;
  receive { case a: { if (i == 2) { break; } k = k + 1; } } } assert i == 3 && k == 2; } } }
