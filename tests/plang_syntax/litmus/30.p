// 30 assert false counts as returning                                             passes 2
fun f(): int { if ($) { return 1; } assert false; }
machine Main { start state S { entry { var k: int; if (false) { k = f(); } } } }
