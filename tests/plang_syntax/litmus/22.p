// 22 choices cost steps, also choose(1)                                           passes 4
machine Main { start state S { entry { if (choose(1) == 0 && $) { print "x"; } } } }
