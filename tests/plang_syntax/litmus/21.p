// 21 create, send, handle                                                         passes 6 in every interleaving
event e; machine M { start state S { on e do { } } }
machine Main { start state S { entry { var m: M; m = new M(); send m, e; } } }
