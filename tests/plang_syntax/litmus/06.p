// 6  defer keeps the place; handled after the state is left                        passes 6
event a; event b; machine Main { var n: int;
  start state S { entry { send this, a; send this, b; } defer a; on b goto T; }
  state T { on a do { n = n + 1; assert n == 1; raise halt; } } }
