// 5  exit function runs before the unhandled-event error                          R01 (from exit), after 4 steps
event e; machine Main { start state S { entry { send this, e; } exit { assert false, "exit first"; } } }
