// 28 foreach works on a snapshot                                                  passes 2
machine Main { start state S { entry { var i: int; var n: int; var s: seq[int]; s += (0, 1); s += (1, 2);
  foreach (i in s) { s += (0, i); n = n + i; } assert n == 3 && sizeof(s) == 4 && i == 2; } } }
