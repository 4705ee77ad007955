// 14 deep copies                                                                  passes 2
machine Main { start state S { entry { var t: (int, (a: int, b: seq[int])); var u: (int, (a: int, b: seq[int]));
  t.1.b += (0, 7); u = t; t.1.b[0] = 8; assert u.1.b[0] == 7 && u != t; } } }
