// 1  bare variables are read late in operators                                   passes 2
machine Main { var x: int; start state S { entry { x = 1; assert x + bump() == 4; assert bump() + x == 6; } }
  fun bump(): int { x = x + 1; return x; } }
