// 3  insert of an existing key                                                    R11
machine Main { start state S { entry { var m: map[int, int]; m[1] = 2; m[1] = 3; m += (1, 4); } } }
