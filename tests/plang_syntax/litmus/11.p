// 11 a deferred event in the inbox of an idle machine is no deadlock              passes 3
event a; machine Main { start state S { defer a; entry { send this, a; } } }
