// 29 lazy assertion message; no auto-creation of map entries                      R11 at the last statement
machine Main { start state S { entry { var m: map[string, seq[int]]; assert !("k" in m), format("{0}", m["k"]);
  m["k"] = default(seq[int]); m["k"] += (0, 3); assert m["k"][0] == 3; m["z"] += (0, 1); } } }
