// 27 halt while blocked acts as raise halt and may be handled                     passes 6
event a; machine M { start state S { entry { receive { case a: { assert false; } } } on halt do { raise a; } on a goto T; }
  state T { } } machine Main { start state S { entry { send new M(), halt; } } }
