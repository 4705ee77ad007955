// 13 the monitor runs before the scheduling point of the send                     R01 in P after 3 steps
event e; machine K { start state S { entry { raise halt; } } }
machine Main { start state S { entry { var k: K; k = new K(); send k, e; } } }
spec P observes e { var n: int; start state C { on e do { n = n + 1; assert n < 1; } } }
test DefaultImpl [main = Main]: assert P in { K, Main };
