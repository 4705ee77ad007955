// 7  raising a deferred event loses it                                            passes 2
event a; machine Main { start state S { entry { raise a; } defer a; } }
