// 26 entry parameter after a payload-less event is null (type any)                passes 4
event a; event b; machine Main { start state S { entry { send this, a; raise b; } on b goto T; }
  state T { on a do { } entry (x: any) { assert x == null; } } }
