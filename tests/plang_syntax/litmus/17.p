// 17 enum default, enum in any, braces, truncating division                       passes 2
enum E { X = 5, Y = 3 } machine Main { start state S { entry { var a: any; var d: E; assert d == Y; a = X; assert a == 5;
  assert format("{0} {{}}", X) == "5 {{}}"; assert -7 / 2 == -3 && -7 % 3 == -1; } } }
