// 4  a null that passes the cast fails at its first use                           R12 at sizeof
machine Main { start state S { entry { var a: any; var q: seq[int]; q = a as seq[int];
  print "still alive"; assert sizeof(q) == 0; } } }
