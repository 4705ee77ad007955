// 12 hot at termination                                                           R09
event up; event dn; machine Main { start state S { entry { announce up; } } }
spec H observes up, dn { start state C { on up goto W; } hot state W { on dn goto C; } }
test DefaultImpl [main = Main]: assert H in { Main };
