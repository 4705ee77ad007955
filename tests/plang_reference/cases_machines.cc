// Events, states, creation, sending, receive, halt and monitors (4.2 to 4.9), with the exact number of steps.
#include "tests/support/p_reference/cases.h"

namespace tarry::plang::reference {

namespace {

std::vector<Case> scheduling_points() {
  return {
      {"points: none but the root's", "pass", 2, "", kBody},
      {"points: new", "pass", 4, "new M();", "} machine M { start state S { } }"},
      {"points: send, dequeue", "pass", 4, "event e; machine Main { start state S { entry { send this, e; } on e do { } } }"},
      {"points: every dequeue after the first", "pass", 6,
       "event e; machine Main { start state S { entry { send this, e; send this, e; } on e do { } } }"},
      {"points: the dequeue after having been idle is free, the next is not", "pass", 8,
       "event e; machine M { start state S { on e do { } } } machine Main { start state S { entry { var m: M; m = new M(); send "
       "m, e; send m, e; } } }"},
      {"points: an ignored event costs nothing", "pass", 3,
       "event e; machine Main { start state S { entry { send this, e; } ignore e; } }"},
      {"points: raise, goto, announce cost nothing", "pass", 2,
       "event e; machine Main { start state S { entry { announce e; raise e; } on e goto T; } state T { entry { goto U; } } "
       "state U { } }"},
      {"points: null event", "pass", 4,
       "machine Main { start state S { on null goto T; } state T { entry (x: any) { assert x == null; } } }"},
      {"points: an event comes before the null event", "pass", 5,
       "event e; machine Main { start state S { entry { send this, e; } on e do { raise halt; } on null do { assert false; } } "
       "}"},
      {"points: the null event with a deferred one", "pass", 7,
       "event e; machine Main { var n: int; start state S { defer e; entry { send this, e; } on null do { n = n + 1; if (n == 2) "
       "raise halt; } } }"},
      {"points: the null event with an ignored one", "pass", 5,
       "event e; machine Main { start state S { ignore e; entry { send this, e; } on null goto T; } state T { on e do { assert "
       "false; } } }"},
      {"points: receive of what is there", "pass", 4, "send this, e; receive { case e: { } }", "} event e;"},
      {"points: receive, there or not", "pass", 6, "new M(this); receive { case e: { } }",
       "} event e; machine M { start state S { entry (m: machine) { send m, e; } } }"},
      {"points: the end of a task while others are enabled", "pass", 6, "new M(); new M();", "} machine M { start state S { } }"},
      {"points: the end of a halted machine", "pass", 5, "var m: machine; m = new M(); send m, e;",
       "} event e; machine M { start state S { entry { raise halt; } } }"},
      {"points: a new machine starts when its creator has come to a point", "pass", 4,
       "var m: M; m = new M(); x = 1; assert x == 1; announce go;",
       "var x: int; } event go; event up; machine M { start state S { entry { announce up; } } }\n"
       "spec P observes go, up { var n: int; start state A { on go do { n = 1; } on up do { assert n == 1; } } }\n"
       "test DefaultImpl [main = Main]: assert P in { Main, M };"},
      {"points: senders interleave", "R01,pass", 0,
       "new M(this, 1); new M(this, 2); receive { case e: (n: int) { assert n == 1; } } receive { case e: (n: int) { assert n == "
       "2; } }",
       "} event e: int; machine M { start state S { entry (p: (machine, int)) { send p.0, e, p.1; } } }"},
      {"points: the order of one sender is kept", "pass", 8,
       "new M(this); receive { case e: (n: int) { assert n == 1; } } receive { case e: (n: int) { assert n == 2; } }",
       "} event e: int; machine M { start state S { entry (m: machine) { send m, e, 1; send m, e, 2; } } }"},
  };
}

std::vector<Case> events() {
  return {
      {"unhandled: dequeued", "R02", 4, "send this, e;", "} event e;"},
      {"unhandled: raised", "R02", 2, "raise e;", "} event e;"},
      {"unhandled: handlers of other states do not count", "R02", 4,
       "event e; event f; machine Main { start state S { entry { send this, e; goto T; } on e do { } } state T { on f do { } } "
       "}"},
      {"unhandled: the exit function runs first", "R01", 2,
       "event e; machine Main { start state S { entry { raise e; } exit { assert false; } } }"},
      {"unhandled: halt is no failure", "pass", 2, "raise halt;", "}"},
      {"raise: before what is in the inbox", "pass", 4,
       "event a; event b; machine Main { var n: int; start state S { entry { send this, a; raise b; } on b do { n = 1; } on a do "
       "{ assert n == 1; } } }"},
      {"raise: ignored", "pass", 2, "event e; machine Main { start state S { entry { raise e; } ignore e; } }"},
      {"raise: deferred, so it is lost", "pass", 2,
       "event e; machine Main { start state S { entry { raise e; } defer e; on halt goto T; } state T { on e do { assert false; "
       "} } }"},
      {"raise: from a called function", "pass", 2,
       "event e; machine Main { start state S { entry { f(); assert false; } on e do { } } fun f() { g(); assert false; } fun "
       "g() { raise e; } }"},
      {"raise: its event is evaluated once", "pass", 2,
       "event e; machine Main { var n: int; start state S { entry { raise pick(); } on e do { assert n == 1; } } fun pick(): "
       "event { n = n + 1; return e; } }"},
      {"raise: with a payload", "pass", 2,
       "event e: int; machine Main { start state S { entry { raise e, 4; } on e do (x: int) { assert x == 4; } } }"},
      {"raise: chains", "pass", 2,
       "event a; event b; machine Main { start state S { entry { raise a; } on a do { raise b; } on b goto T; } state T { entry "
       "{ raise halt; } } }"},
      {"null event: sent", "R04", 2, "var v: event; send this, v;", kBody},
      {"null event: raised", "R04", 2, "var v: event; raise v;", kBody},
      {"null event: announced", "R04", 2, "var v: event; announce v;", kBody},
      {"null event: before the null target", "R04", 2, "var v: event; var m: machine; send m, v;", kBody},
      {"null target", "R05", 2, "var m: machine; send m, e;", "} event e;"},
      {"null target: before the send set", "R05", 2,
       "event e; event f; machine Main sends e; { start state S { entry { var m: machine; send m, f; } } }"},
      {"null target: arguments are evaluated before", "R14", 2, "var m: machine; var z: int; send m, e, 1 / z;",
       "} event e: int;"},
      {"send set: event is missing", "R06", 2,
       "event e; event f; machine Main sends e; { start state S { ignore f; entry { send this, f; } } }"},
      {"send set: event is there", "pass", 3,
       "event e; event f; machine Main sends e; sends f; { start state S { ignore f; entry { send this, f; } } }"},
      {"send set: halt is missing", "R06", 2, "event e; machine Main sends e; { start state S { entry { send this, halt; } } }"},
      {"send set: before the permission", "R06", 2,
       "event e; event f; machine Main receives e; sends e; { start state S { entry { send this, f; } } }"},
      {"send set: not for raise and announce", "pass", 2,
       "event e; event f; machine Main sends e; { start state S { on f do { } entry { announce f; raise f; } } }"},
      {"send set: of the machine that runs the function", "R06", 2,
       "event e; fun f(m: machine) { send m, e; } machine Main sends; { start state S { ignore e; entry { f(this); } } }"},
      {"permission: event is missing", "R07", 2,
       "event e; event f; machine Main receives e; { start state S { entry { send this, f; } } }"},
      {"permission: event is there", "pass", 3,
       "event e; event f; machine Main receives e; { start state S { ignore e; entry { send this, e; } } }"},
      {"permission: of the interface that was created", "R07", 3, "send new I(), f;",
       "} event e; event f; interface I() receives e; machine A { start state S { ignore f; } } test DefaultImpl [main = Main]: "
       "{ Main, A -> I };"},
      {"permission: halt is listed", "pass", 6, "send new A(), halt;",
       "} event e; machine A receives e, halt; { start state S { } }"},
      {"payload: of several arguments", "pass", 4,
       "event e: (int, string); machine Main { start state S { entry { send this, e, 1, \"q\"; } on e do (p: (int, string)) { "
       "assert p.0 == 1 && p.1 == \"q\"; } } }"},
      {"payload: raised with several arguments", "pass", 2,
       "event e: (int, string); machine Main { start state S { entry { raise e, 1, \"q\"; } on e do (p: (int, string)) { assert "
       "p == (1, \"q\"); } } }"},
      {"payload: dropped by a handler without parameter", "pass", 4,
       "event e: int; machine Main { start state S { entry { send this, e, 1; } on e do { } } }"},
      {"payload: of another kind", "R12", 4,
       "event e: int; machine Main { start state S { entry { var v: event; v = e; send this, v, \"x\"; } on e do (x: int) { } } "
       "}"},
      {"payload: of another kind but nobody takes it", "pass", 4,
       "event e: int; machine Main { start state S { entry { var v: event; v = e; send this, v, \"x\"; } on e do { } } }"},
      {"payload: missing", "R12", 4,
       "event e: int; machine Main { start state S { entry { var v: event; v = e; send this, v; } on e do (x: int) { } } }"},
      {"payload: missing, for an entry", "R12", 4,
       "event e: int; machine Main { start state S { entry { var v: event; v = e; send this, v; } on e goto T; } state T { entry "
       "(x: int) { } } }"},
      {"payload: missing, but null is a seq", "pass", 4,
       "event e: seq[int]; machine Main { start state S { entry { var v: event; v = e; send this, v; } on e do (x: seq[int]) { } "
       "} }"},
      {"payload: a one-field tuple is not unwrapped", "R12", 4,
       "event e: (int); machine Main { start state S { entry { send this, e, (1,); } on e do (x: int) { } } }"},
      {"events in variables", "pass", 4,
       "event e: int; machine Main { start state S { entry { var q: seq[event]; q += (0, e); send this, q[0], 3; } on e do (x: "
       "int) { assert x == 3; } } }"},
      {"defer: handled after the state is left, in its place", "pass", 10,
       "event a: int; event b; machine Main { var n: int; start state S { entry { send this, a, 1; send this, b; send this, a, "
       "2; } defer a; on b goto T; }\n"
       "state T { on a do (x: int) { n = n + 1; assert n == x; if (n == 2) { send this, b; } } on b do { raise halt; } } }"},
      {"defer: does not wake", "pass", 7, "var m: M; m = new M(); send m, a; send m, b;",
       "} event a; event b; machine M { start state S { defer a; on b goto T; } state T { ignore a; } }"},
      {"creation: several arguments", "pass", 4, "new W(4, \"q\");",
       "} machine W { start state S { entry (p: (int, string)) { assert p.0 == 4 && p.1 == \"q\"; } } }"},
      {"creation: argument of type any", "pass", 4, "new W(null);",
       "} machine W { start state S { entry (p: any) { assert p == null; } } }"},
      {"creation: through an interface with its links", "pass", 4, "new I(7);",
       "} interface I(int) receives; machine A { start state S { entry (x: int) { assert x == 7; } } } test DefaultImpl [main = "
       "Main]: { Main, A -> I };"},
      {"params", "pass", 2,
       "param n: int; param b: bool; param c: int; machine Main { start state S { entry { assert n == -2 && b && c == 0; } } }\n"
       "test param (n in [-2], b in [true]) t [main = Main]: { Main };"},
  };
}

std::vector<Case> states() {
  return {
      {"transition: exit, with, entry", "pass", 2,
       "event e; machine Main { var n: int; start state S { entry { raise e; } on e goto T with { n = n * 10 + 2; } exit { n = n "
       "* 10 + 1; } } state T { entry { n = n * 10 + 3; assert n == 123; } } }"},
      {"transition: to the state itself", "pass", 2,
       "event e; machine Main { var n: int; start state S { entry { n = n + 1; if (n < 3) { raise e; } assert m == 2; } exit { m "
       "= m + 1; } on e goto S; } var m: int; }"},
      {"transition: goto runs exit and entry", "pass", 2,
       "machine Main { var n: int; start state S { entry { goto T; } exit { n = 1; } } state T { entry { assert n == 1; } } }"},
      {"transition: payload for with and entry", "pass", 2,
       "event e: int; machine Main { var n: int; start state S { entry { raise e, 5; } on e goto T with (x: int) { n = x; } } "
       "state T { entry (x: int) { assert x == 5 && n == 5; } } }"},
      {"transition: payload of another kind for with", "R12", 2,
       "event e: int; machine Main { start state S { entry { var v: event; v = e; raise v, true; } on e goto T with (x: int) { } "
       "} state T { } }"},
      {"goto: with a value", "pass", 2,
       "machine Main { start state S { entry { goto T, 5; } } state T { entry (x: int) { assert x == 5; } } }"},
      {"goto: with a value, to a named entry", "pass", 4,
       "event e: int; machine Main { start state S { entry { send this, e, 8; goto T, 5; } } state T { entry f; on e do (y: int) "
       "{ assert y == 8; } } fun f(x: int) { assert x == 5; } }"},
      {"goto: unwinds", "pass", 2,
       "machine Main { start state S { entry { f(); assert false; } } fun f() { while (true) { goto T; } } state T { } }"},
      {"goto: out of a do handler", "pass", 4,
       "event e; machine Main { start state S { entry { send this, e; } on e do { goto T; } } state T { } }"},
      {"handlers: named, with results", "pass", 4,
       "event e: int; machine Main { start state S { entry f; on e do g; } fun f(): int { send this, e, 3; return 1; } fun g(x: "
       "int): int { assert x == 3; return x; } }"},
      {"halt: dequeued", "pass", 4, "send this, halt;", "}"},
      {"halt: handled", "R01", 4, "machine Main { start state S { entry { send this, halt; } on halt do { assert false; } } }"},
      {"halt: ignored", "pass", 3, "machine Main { start state S { entry { send this, halt; } ignore halt; } }"},
      {"halt: deferred", "pass", 3, "machine Main { start state S { entry { send this, halt; } defer halt; } }"},
      {"halt: runs the exit function, which may send", "R02", 6, "new M(this);",
       "} event e; machine M { var o: machine; start state S { entry (m: machine) { o = m; raise halt; } exit { send o, e; } } "
       "}"},
      {"halt: what follows in the inbox is gone", "pass", 4, "send this, e; send this, e; raise halt;", "} event e;"},
      {"halt: from a variable", "pass", 4, "var h: event; var q: seq[event]; h = halt; q += (0, h); send this, q[0];", "}"},
      {"halt: later events are dropped", "pass", 7, "var m: M; m = new M(); send m, halt; send m, e;",
       "} event e; machine M { start state S { ignore e; } }"},
  };
}

std::vector<Case> receives() {
  return {
      {"receive: overtakes, whatever the state says", "pass", 7,
       "event a; event b; machine Main { start state S { entry { send this, a; send this, b; receive { case b: { } } receive { "
       "case a: { } } send this, a; } ignore a; defer b; on halt do { } } }"},
      {"receive: leftovers are handled afterwards", "R02", 8,
       "send this, a; send this, b; receive { case b: { } } send this, b; receive { case b: { } }", "} event a; event b;"},
      {"receive: deadlock", "R08", 2, "receive { case a: { } }", "} event a;"},
      {"receive: deadlock although others are idle", "R08", 4, "new M(); receive { case a: { } }",
       "} event a; machine M { start state S { } }"},
      {"receive: null never comes", "R08", 2, "receive { case null: { } }", "}"},
      {"receive: null beside another", "pass", 4, "send this, a; receive { case null: { assert false; } case a: { } }",
       "} event a;"},
      {"receive: several events in a case", "pass", 6,
       "var n: int; send this, a, 1; send this, b, 2; while (n < 3) receive { case a, b: (x: int) { n = n + x; } }",
       "} event a: int; event b: int;"},
      {"receive: payload of another kind", "R12", 4, "var v: event; v = a; send this, v, true; receive { case a: (x: int) { } }",
       "} event a: int;"},
      {"receive: locals of a case are fresh", "pass", 6,
       "var i: int; while (i < 2) { i = i + 1; send this, a; receive { case a: { var n: int; n = n + 1; assert n == 1; i = i + "
       "0; } } }",
       "} event a;"},
      {"receive: break ends the case", "pass", 4,
       "var n: int; while (n < 1) { n = n + 1; send this, a; receive { case a: { if (n == 1) { break; } assert false; } } n = n "
       "+ 1; } assert n == 2;",
       "} event a;"},
      {"receive: break of a loop in a case", "pass", 4,
       "var n: int; send this, a; receive { case a: { while (true) { n = n + 1; if (n == 3) break; } n = n + 1; } } assert n == "
       "4;",
       "} event a;"},
      {"receive: continue goes on with the loop", "pass", 6,
       "var n: int; while (n < 2) { n = n + 1; send this, a; receive { case a: { if (true) { continue; } } } assert false; } "
       "assert n == 2;",
       "} event a;"},
      {"receive: return leaves the function", "pass", 4, "f(); assert n == 1;",
       "var n: int; fun f() { while (true) { send this, a; receive { case a: { n = 1; return; } } assert false; } } } event a;"},
      {"receive: goto and raise unwind", "pass", 7,
       "event a; event b; machine Main { start state S { entry { send this, a; send this, a; f(); assert false; } on b do { "
       "receive { case a: { goto T; } } assert false; } }\n"
       "fun f() { receive { case a: { send this, a; raise b; } } assert false; } state T { ignore a; } }"},
      {"receive: nested", "pass", 6,
       "var n: int; send this, a, 1; send this, b, 2; receive { case b: (x: int) { n = x; receive { case a: (y: int) { n = n * "
       "10 + y + x; } } } } assert n == 23;",
       "} event a: int; event b: int;"},
      {"receive: in exit and transition functions", "pass", 8,
       "event a; event b; event go; machine Main { var n: int; start state S { entry { send this, a; send this, b; send this, "
       "go; } defer a, b; exit { receive { case b: { n = 1; } } }\n"
       "on go goto T with { receive { case a: { n = n + 1; } } } } state T { entry { assert n == 2; } } }"},
      {"receive: in a global function", "pass", 4, "assert wait(this) == 6;",
       "} event a: int; fun wait(m: machine): int { var r: int; send m, a, 6; receive { case a: (x: int) { r = x; } } return r; "
       "}"},
      {"receive: others are queued meanwhile", "R02", 8, "new M(this); receive { case a: { n = 1; } }",
       "var n: int; } event a; event b; machine M { start state S { entry (m: machine) { send m, b; send m, a; } } }\n"},
      {"receive: halt acts as raise halt", "pass", 4, "send this, halt; receive { case a: { } } assert false;", "} event a;"},
      {"receive: halt that is handled", "R01", 4,
       "event a; machine Main { start state S { entry { send this, halt; receive { case a: { } } } on halt do { assert false; } "
       "} }"},
      {"receive: halt that is deferred is lost", "pass", 4,
       "event a; machine Main { start state S { entry { send this, halt; receive { case a: { } } } defer halt; } }"},
      {"receive: halt as a case", "pass", 4, "var n: int; send this, halt; receive { case halt: { n = 1; } } assert n == 1;",
       "}"},
      {"receive: halt comes first in the inbox", "pass", 5,
       "send this, halt; send this, a; receive { case a: { assert false; } }", "} event a;"},
      {"receive: halt while an exit function waits ends the transition, and halts in the old state", "R08", 4,
       "event a; machine Main { start state S { entry { send this, halt; goto T; } exit { receive { case a: { } } } } state T { "
       "entry { assert false; } } }"},
      {"receive: halt while an entry waits", "pass", 6, "var m: M; m = new M(); send m, halt;",
       "} event a; machine M { start state S { entry { receive { case a: { } } assert false; } exit { n = n + 1; assert n == 1; "
       "} } var n: int; }"},
  };
}

std::vector<Case> monitors() {
  return {
      {"monitor: event without handler", "R03", 2, "announce e;",
       "} event e; spec P observes e { start state A { exit { assert false; } } } test DefaultImpl [main = Main]: assert P in { "
       "Main };"},
      {"monitor: ignored", "pass", 2, "announce e;",
       "} event e; spec P observes e { start state A { ignore e; } } test DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: not observed", "pass", 2, "announce f;",
       "} event e; event f; spec P observes e { start state A { } } test DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: raised without handler", "R03", 2, "announce e;",
       "} event e; event f; spec P observes e { start state A { on e do { raise f; } } } test DefaultImpl [main = Main]: assert "
       "P in { Main };"},
      {"monitor: raised and handled", "R01", 2, "announce e;",
       "} event e; event f: int; spec P observes e { start state A { on e do { raise f, 3; } on f do (x: int) { assert x != 3; } "
       "} } test DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: raised and ignored", "pass", 2, "announce e;",
       "} event e; event f; spec P observes e { start state A { on e do { g(); assert false; } ignore f; } fun g() { raise f; } "
       "} test DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: goto with a value", "pass", 2, "announce e, 4;",
       "} event e: int; spec P observes e { var n: int; start state A { on e do (x: int) { goto B, x + 1; assert false; } exit { "
       "n = 1; } } state B { entry f; } fun f(x: int) { assert x == 5 && n == 1; } } test DefaultImpl [main = Main]: assert P in "
       "{ Main };"},
      {"monitor: exit, with, entry", "pass", 2, "announce e, 4;",
       "} event e: int; spec P observes e { var n: int; start state A { on e goto B with (x: int) { n = n * 10 + x; } exit { n = "
       "1; } } state B { entry (x: int) { assert n == 14 && x == 4; } } } test DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: the start state's entry runs at once", "R01", 0, "",
       "} event e; spec P observes e { start state A { entry { goto B; } } state B { entry { assert false; } } } test "
       "DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: entries that go on", "pass", 2, "announce e;",
       "} event e; event f; spec P observes e { start state A { entry { raise f; } on f goto B; } state B { on e goto C; } state "
       "C { entry { goto D; } } state D { } } test DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: has no start state", "R20", 0, "",
       "} event e; spec P observes e { state A { } } test DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: in order of attachment", "R01", 2, "announce e;",
       "} event e; spec P observes e { start state A { } } spec Q observes e { start state A { on e do { assert false; } } } "
       "test DefaultImpl [main = Main]: assert Q, P in { Main };"},
      {"monitor: only of the machines it is attached to", "pass", 5, "announce e; send new M(), e;",
       "} event e; machine M { start state S { ignore e; entry { } } } spec P observes e { start state A { } } test DefaultImpl "
       "[main = Main]: (union (assert P in { M }), { Main });"},
      {"monitor: of the machine that sends", "R03", 4, "new M();",
       "} event e; machine M { start state S { entry { announce e; } } } spec P observes e { start state A { } } test "
       "DefaultImpl [main = Main]: (union (assert P in { M }), { Main });"},
      {"monitor: sees events that are dropped", "R03", 0, "send new M(), halt; send new M(), e;",
       "} event e; machine M { start state S { ignore e; } } spec P observes halt { start state A { ignore halt; } } spec Q "
       "observes e { start state A { } } test DefaultImpl [main = Main]: assert P, Q in { M, Main };"},
      {"monitor: runs before the event is enqueued", "R01", 2, "send this, e;",
       "} event e; spec P observes e { start state A { on e do { assert false; } } } test DefaultImpl [main = Main]: assert P in "
       "{ Main };"},
      {"monitor: runs after the permissions are tested", "R07", 2,
       "event e; event f; machine Main receives e; { start state S { entry { send this, f; } } } spec P observes f { start state "
       "A { } } test DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: does not see what is raised", "pass", 2,
       "event e; machine Main { start state S { entry { raise e; } on e do { } } } spec P observes e { start state A { } } test "
       "DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: payload of another kind", "R12", 2, "var v: event; v = e; announce v, true;",
       "} event e: int; spec P observes e { start state A { on e do (x: int) { } } } test DefaultImpl [main = Main]: assert P in "
       "{ Main };"},
      {"monitor: payload of several arguments", "pass", 2, "announce e, 1, 2;",
       "} event e: (int, int); spec P observes e { start state A { on e do (x: (int, int)) { assert x == (1, 2); } } } test "
       "DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: a payload is each one's own", "pass", 4,
       "var s: seq[int]; s += (0, 1); send this, e, s; receive { case e: (q: seq[int]) { assert q[0] == 1; } }",
       "} event e: seq[int]; spec P observes e { start state A { on e do (x: seq[int]) { x[0] = x[0] + 1; assert x[0] == 2; } } "
       "} spec Q observes e { start state A { on e do (x: seq[int]) { assert x[0] == 1; } } } test DefaultImpl [main = Main]: "
       "assert P, Q in { Main };"},
      {"monitor: hot at the end", "R09", 2, "announce e;",
       "} event e; spec P observes e { start state A { on e goto B; } hot state B { } } test DefaultImpl [main = Main]: assert P "
       "in { Main };"},
      {"monitor: hot at the start and at the end", "R09", 2, "",
       "} event e; spec P observes e { start hot state A { } } test DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: warm at the end", "pass", 2, "announce e;",
       "} event e; spec P observes e { start hot state A { on e goto B; } state B { } } test DefaultImpl [main = Main]: assert P "
       "in { Main };"},
      {"monitor: hot at a deadlock", "R08", 2, "receive { case e: { } }",
       "} event e; spec P observes e { start hot state A { } } test DefaultImpl [main = Main]: assert P in { Main };"},
      {"monitor: not attached", "pass", 2, "announce e;",
       "} event e; spec P observes e { start hot state A { } } test DefaultImpl [main = Main]: { Main };"},
      {"monitor: of the default implementation there is none", "pass", 2, "announce e;",
       "} event e; spec P observes e { start hot state A { } }"},
      {"scenario: hot at the end", "pass", 2, "announce e;",
       "} event e; scenario P observes e { start hot state A { ignore e; } cold state B { } } test DefaultImpl [main = Main]: { "
       "Main };"},
      {"scenario: event without handler", "R03", 2, "announce e;",
       "} event e; scenario P observes e { start state A { } cold state B { } } test DefaultImpl [main = Main]: { Main };"},
      {"scenario: assertion", "R01", 2, "announce e;",
       "} event e; scenario P observes e { start state A { on e do { assert false; } } cold state B { } } test DefaultImpl [main "
       "= Main]: { Main };"},
  };
}

}  // namespace

std::vector<Case> machine_cases() {
  std::vector<Case> out;
  for (const auto& part : {scheduling_points(), events(), states(), receives(), monitors()})
    out.insert(out.end(), part.begin(), part.end());
  return out;
}

}  // namespace tarry::plang::reference
