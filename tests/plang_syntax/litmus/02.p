// 2  set iteration order: freed slot is reused, a copy is dense                   passes 2
machine Main { var s: set[int]; var t: set[int]; start state S { entry {
  s += (1); s += (2); s += (3); s -= (2); s += (9); assert s[1] == 9 && s[2] == 3;
  s -= (1); t = s; t += (5); assert t[0] == 9 && t[2] == 5; s += (5); assert s[0] == 5; } } }
