// 20 interface types compare by event set                                         E22 only at the last assignment
event e; machine A receives halt; { start state S { } } machine B { start state S { } } machine C { start state S { } }
machine Main { start state S { entry { var a: A; var b: B; var m: machine; b = new C(); m = a; a = b; } } }
