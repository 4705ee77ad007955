// 25 explicit receives lists exclude halt                                         R07
event e; machine A receives e; { start state S { ignore e; } }
machine Main { start state S { entry { send new A(), halt; } } }
