// 16 goto from a nested call unwinds                                              passes 2
machine Main { start state S { entry f; } fun f() { g(); assert false; } fun g() { goto T; } state T { } }
