// 15 payload through an event variable is unchecked until handled                 R12 after 4 steps
event e: int; machine Main { start state S { entry { var v: event; v = e; send this, v, true; }
  on e do (x: int) { assert x == 1; } } }
