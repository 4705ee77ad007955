// 18 null event fires repeatedly, two steps each                                  passes 8
machine Main { var n: int; start state S { on null do { n = n + 1; if (n == 3) { raise halt; } } } }
