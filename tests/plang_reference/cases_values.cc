// Operations on values (4.10, 4.11): every failure with a near miss, evaluation order, copying, equality, texts.
#include "tests/support/p_reference/cases.h"

namespace tarry::plang::reference {

namespace {

std::vector<Case> maps_and_sets() {
  return {
      {"map: read of a missing key", "R11", 2, "var m: map[int, int]; m[2] = 1; print format(\"{0}\", m[1]);", kBody},
      {"map: read of a key", "pass", 2, "var m: map[int, int]; m[1] = 5; assert m[1] == 5;", kBody},
      {"map: insert of a key that is there", "R11", 2, "var m: map[int, int]; m += (1, 5); m += (1, 5);", kBody},
      {"map: assignment overwrites", "pass", 2, "var m: map[int, int]; m[1] = 5; m[1] = 6; assert m[1] == 6 && sizeof(m) == 1;",
       kBody},
      {"map: assignment of a null key", "R11", 2, "var m: map[any, int]; m[null] = 1;", kBody},
      {"map: insert of a null key", "R11", 2, "var m: map[any, int]; m += (null, 1);", kBody},
      {"map: read of a null key", "R11", 2, "var m: map[any, int]; print format(\"{0}\", m[null]);", kBody},
      {"map: null in", "R11", 2, "var m: map[any, int]; assert !(null in m);", kBody},
      {"map: removal of null", "R11", 2, "var m: map[any, int]; m -= null;", kBody},
      {"map: a key that contains null", "pass", 2, "var m: map[(any, any), int]; m[(null, 1)] = 2; assert m[(null, 1)] == 2;",
       kBody},
      {"map: removal of what is not there", "pass", 2, "var m: map[int, int]; m[1] = 1; m -= 2; m -= (1); assert sizeof(m) == 0;",
       kBody},
      {"map: no entry is made on the way", "R11", 2, "var m: map[int, seq[int]]; m[1] += (0, 1);", kBody},
      {"map: no entry is made on the way to an element", "R11", 2, "var m: map[int, map[int, int]]; m[1][2] = 3;", kBody},
      {"map: element of an entry", "pass", 2,
       "var m: map[int, map[int, int]]; m[1] = default(map[int, int]); m[1][2] = 3; assert m[1][2] == 3;", kBody},
      {"map: null as a value", "pass", 2, "var m: map[int, any]; m[1] = null; assert m[1] == null && sizeof(keys(m)) == 1;",
       kBody},
      {"map: values with a null value", "R12", 2, "var m: map[int, any]; m[1] = null; assert sizeof(values(m)) == 1;", kBody},
      {"map: values", "pass", 2, "var m: map[int, any]; m[1] = 4; assert values(m)[0] == 4 && keys(m)[0] == 1;", kBody},
      {"map: order of slots", "pass", 2,
       R"(var m: map[int, int]; m[1] = 10; m[2] = 20; m[3] = 30; m -= (1); m -= (2); m[4] = 40; m[5] = 50;
        assert keys(m)[0] == 5 && keys(m)[1] == 4 && keys(m)[2] == 3; assert values(m)[0] == 50 && values(m)[2] == 30;)",
       kBody},
      {"map: a copy is dense", "pass", 2,
       R"(var m: map[int, int]; var n: map[int, int]; m[1] = 1; m[2] = 2; m -= (1); n = m; n[3] = 3; m[3] = 3;
        assert keys(n)[0] == 2 && keys(m)[0] == 3; assert n == m;)",
       kBody},
      {"map: overwriting keeps the slot", "pass", 2,
       "var m: map[int, int]; m[1] = 1; m[2] = 2; m[1] = 3; assert keys(m)[0] == 1 && values(m)[0] == 3;", kBody},
      {"set: null is added", "R12", 2, "var s: set[any]; s += (null);", kBody},
      {"set: a tuple with null is added", "pass", 2, "var s: set[(any, int)]; s += ((null, 1)); assert (null, 1) in s;", kBody},
      {"set: null in and removal of null", "pass", 2,
       "var s: set[any]; s += (1); s -= null; assert !(null in s) && sizeof(s) == 1;", kBody},
      {"set: an element twice", "pass", 2, "var s: set[int]; s += (1); s += (1); s -= 7; assert sizeof(s) == 1;", kBody},
      {"set: index", "pass", 2, "var s: set[int]; s += (4); s += (5); assert s[1] == 5;", kBody},
      {"set: index out of range", "R13", 2, "var s: set[int]; s += (4); assert s[1] == 5;", kBody},
      {"set: the slot freed last is taken first", "pass", 2,
       R"(var s: set[int]; s += (1); s += (2); s += (3); s -= 3; s -= 1; s += (8); s += (9);
        assert s[0] == 8 && s[1] == 2 && s[2] == 9;)",
       kBody},
      {"set: an argument is a dense copy", "pass", 2,
       "var s: set[int]; s += (1); s += (2); s -= 1; assert first(s) == 2; s += (7); assert s[0] == 7;",
       "fun first(s: set[int]): int { s += (7); assert s[1] == 7; return s[0]; } }"},
      {"set: within a tuple it is changed in place", "pass", 2,
       R"(var t: (set[int], int); var u: (set[int], int); t.0 += (1); t.0 += (2); t.0 -= 1;
        u = t; u.0 += (3); t.0 += (3); assert t.0[0] == 3 && u.0[0] == 2 && t == u;)",
       kBody},
      {"set: keys of sequences", "pass", 2,
       "var s: set[seq[int]]; var q: seq[int]; q += (0, 1); s += (q); q[0] = 2; s += (q); q[0] = 1; s += (q); assert sizeof(s) "
       "== 2;",
       kBody},
  };
}

std::vector<Case> sequences() {
  return {
      {"seq: index -1", "R13", 2, "var s: seq[int]; s += (0, 1); assert s[-1] == 1;", kBody},
      {"seq: index at the size", "R13", 2, "var s: seq[int]; s += (0, 1); assert s[1] == 1;", kBody},
      {"seq: last index", "pass", 2, "var s: seq[int]; s += (0, 1); s += (1, 2); assert s[1] == 2;", kBody},
      {"seq: assignment at the size", "R13", 2, "var s: seq[int]; s[0] = 1;", kBody},
      {"seq: assignment", "pass", 2, "var s: seq[int]; s += (0, 1); s[0] = 2; assert s[0] == 2;", kBody},
      {"seq: insert beyond the size", "R13", 2, "var s: seq[int]; s += (1, 1);", kBody},
      {"seq: insert shifts", "pass", 2,
       "var s: seq[int]; s += (0, 1); s += (0, 2); s += (2, 3); assert s[0] == 2 && s[1] == 1 && s[2] == 3;", kBody},
      {"seq: removal from an empty one", "R13", 2, "var s: seq[int]; s -= 0;", kBody},
      {"seq: removal shifts", "pass", 2,
       "var s: seq[int]; s += (0, 1); s += (1, 2); s -= (0); assert s[0] == 2 && sizeof(s) == 1;", kBody},
      {"seq: an index has 32 bits", "pass", 2,
       "var s: seq[int]; var i: int; i = 65536 * 65536; s += (i, 7); assert s[i] == 7; s -= i; assert sizeof(s) == 0;", kBody},
      {"seq: index of keys", "R13", 2, "var m: map[int, int]; m[5] = 1; assert keys(m)[1] == 5;", kBody},
      {"seq: elements of any kind", "pass", 2,
       "var s: seq[any]; var t: seq[int]; t += (0, 1); s = t; s[0] = true; s += (1, null); assert s[0] == true && s[1] == null;",
       kBody},
      {"seq: nested places", "pass", 2,
       "var s: seq[map[int, any]]; s += (0, default(map[int, any])); s[0][2] = true; assert s[0][2] == true;", kBody},
      {"seq: in", "pass", 2, "var s: seq[int]; s += (0, 3); assert 3 in s && !(4 in s);", kBody},
      {"foreach: snapshot, break and continue", "pass", 2,
       R"(var i: int; var n: int; var s: set[int]; s += (1); s += (2); s += (3);
        foreach (i in s) { s -= i; if (i == 1) continue; n = n + i; if (i == 2) break; }
        assert n == 2 && i == 2 && sizeof(s) == 1;)",
       kBody},
      {"foreach: return", "pass", 2, "assert find() == 4;",
       "fun find(): int { var i: int; var s: seq[int]; s += (0, 4); foreach (i in s) { return i; } return 0; } }"},
      {"foreach: over a field that is its variable's machine's", "pass", 2,
       "var n: int; s += (0, 1); s += (1, 2); foreach (k in s) { n = n * 10 + k; } assert n == 12 && k == 2;",
       "var s: seq[int]; var k: int; }"},
      {"foreach: over a null", "R12", 2, "var a: any; var i: int; foreach (i in a as seq[int]) { }", kBody},
  };
}

std::vector<Case> casts() {
  return {
      {"as: null is no int", "R12", 2, "var a: any; assert (a as int) == 0;", kBody},
      {"as: null is no string", "R12", 2, "var a: any; assert (a as string) == \"\";", kBody},
      {"as: null is no enum", "R12", 2, "var a: any; var e: E; e = a as E;", "} enum E { X, Y }"},
      {"as: null is a machine, an event, a data", "pass", 2,
       "var a: any; var m: machine; var e: event; m = a as machine; e = a as event; assert m == null && e == null && (a as data) "
       "== null;",
       kBody},
      {"as: bool is no int", "R12", 2, "var a: any; a = true; assert (a as int) == 1;", kBody},
      {"as: int is no float", "R12", 2, "var a: any; a = 1; assert (a as float) == 1.0;", kBody},
      {"as: int", "pass", 2, "var a: any; a = 1; assert (a as int) == 1;", kBody},
      {"as: enum is an int and back", "pass", 2,
       "var a: any; var e: E; a = Y; assert (a as int) == 1; a = 77; e = a as E; assert (e to int) == 77;", "} enum E { X, Y }"},
      {"as: map is no enum", "R12", 2, "var a: any; var e: E; a = default(map[int, int]); e = a as E;", "} enum E { X, Y }"},
      {"as: seq is no set", "R12", 2, "var a: any; var s: set[int]; a = default(seq[int]); s = a as set[int];", kBody},
      {"as: tuple is no named tuple", "R12", 2, "var a: any; var t: (x: int); a = (1,); t = a as (x: int);", kBody},
      {"as: machine is no event", "R12", 2, "var a: any; var e: event; a = this; e = a as event;", kBody},
      {"as: elements are not looked at", "pass", 2,
       "var a: any; var r: seq[bool]; var q: seq[int]; r += (0, true); a = r; q = a as seq[int]; assert sizeof(q) == 1 && q == "
       "a;",
       kBody},
      {"as: elements are looked at when read", "R12", 2,
       "var a: any; var r: seq[bool]; var q: seq[int]; var x: int; r += (0, true); a = r; q = a as seq[int]; x = q[0];", kBody},
      {"as: elements are looked at by foreach", "R12", 2,
       "var a: any; var r: seq[bool]; var x: int; r += (0, true); a = r; foreach (x in a as seq[int]) { }", kBody},
      {"as: elements are looked at by choose", "R12", 3,
       "var a: any; var r: seq[bool]; var x: int; r += (0, true); a = r; x = choose(a as seq[int]);", kBody},
      {"as: values of a map are looked at when read", "R12", 2,
       "var a: any; var r: map[int, bool]; var x: int; r[1] = true; a = r; x = (a as map[int, int])[1];", kBody},
      {"as: arity is not looked at", "pass", 2, "var a: any; var t: (int, int); a = (1,); t = a as (int, int); assert t.0 == 1;",
       kBody},
      {"as: missing field of a tuple", "R18", 2, "var a: any; var t: (int, int); a = (1,); t = a as (int, int); assert t.1 == 1;",
       kBody},
      {"as: missing named field", "R18", 2, "var a: any; var t: (x: int); a = (y = 1,); t = a as (x: int); assert t.x == 1;",
       kBody},
      {"as: assignment to a missing named field", "R18", 2,
       "var a: any; var t: (x: int); a = (y = 1,); t = a as (x: int); t.x = 1;", kBody},
      {"as: named fields are found by name", "pass", 2,
       "var a: any; var t: (x: int, y: int); a = (y = 1, x = 2); t = a as (x: int, y: int); assert t.x == 2; t.y = 5; assert t.y "
       "== 5 && t.x == 2;",
       kBody},
      {"as: field of another kind", "R12", 2,
       "var a: any; var t: (int,  int); a = (1, true); t = a as (int, int); assert t.1 == 1;", kBody},
      {"null seq: sizeof", "R12", 2, "var a: any; assert sizeof(a as seq[int]) == 0;", kBody},
      {"null seq: equality and copies", "pass", 2,
       "var a: any; var s: seq[int]; var t: seq[int]; s = a as seq[int]; t = s; assert t == s && t != default(seq[int]);", kBody},
      {"null seq: index", "R12", 2, "var a: any; assert (a as seq[int])[0] == 0;", kBody},
      {"null seq: in", "R12", 2, "var a: any; assert !(1 in (a as seq[int]));", kBody},
      {"null seq: insert", "R12", 2, "var a: any; var s: seq[int]; s = a as seq[int]; s += (0, 1);", kBody},
      {"null seq: removal", "R12", 2, "var a: any; var s: seq[int]; s = a as seq[int]; s -= 0;", kBody},
      {"null set: add", "R12", 2, "var a: any; var s: set[int]; s = a as set[int]; s += (0);", kBody},
      {"null set: removal", "R12", 2, "var a: any; var s: set[int]; s = a as set[int]; s -= 0;", kBody},
      {"null map: assignment", "R12", 2, "var a: any; var s: map[int, int]; s = a as map[int, int]; s[0] = 1;", kBody},
      {"null map: keys", "R12", 2, "var a: any; assert sizeof(keys(a as map[int, int])) == 0;", kBody},
      {"null map: values", "R12", 2, "var a: any; assert sizeof(values(a as map[int, int])) == 0;", kBody},
      {"null tuple: field", "R12", 2, "var a: any; assert (a as (int, int)).0 == 0;", kBody},
      {"null tuple: assignment to a field", "R12", 2, "var a: any; var t: (x: int); t = a as (x: int); t.x = 1;", kBody},
      {"null collection: choose", "R12", 2, "var a: any; assert choose(a as seq[int]) == 0;", kBody},
      {"to: numbers", "pass", 2, "assert 3 to float == 3.0 && 2.9 to int == 2 && (-2.9) to int == -2 && (Y to int) == 4;",
       "} enum E { X = 1, Y = 4 }"},
      {"to: permissions are missing", "R16", 3, "var m: machine; var b: B; m = new A(); b = m to B;",
       "} event e; event f; machine A receives e; { start state S { ignore e; } } machine B receives e, f; { start state S { } "
       "}"},
      {"to: fewer permissions", "pass", 4, "var m: machine; var b: A; m = new B(); b = m to A;",
       "} event e; event f; machine A receives e; { start state S { } } machine B receives e, f; { start state S { } }"},
      {"to: the permissions are those of the target", "R07", 3, "var m: machine; var b: A; m = new B(); b = m to A; send b, f;",
       "} event e; event f; machine A receives e; { start state S { } } machine B receives e, f; { start state S { } }"},
      {"to: a null reference", "R12", 2, "var m: machine; var b: A; b = m to A;",
       "} event e; machine A receives e; { start state S { } }"},
      {"as: permissions are not looked at", "pass", 4, "var m: machine; var b: B; m = new A(); b = m as B;",
       "} event e; event f; machine A receives e; { start state S { } } machine B receives e, f; { start state S { } }"},
      {"as: permissions stay", "R07", 3, "var m: machine; var b: B; m = new A(); b = m as B; send b, f;",
       "} event e; event f; machine A receives e; { start state S { ignore e; } } machine B receives e, f; { start state S { } "
       "}"},
  };
}

std::vector<Case> arithmetic() {
  return {
      {"int: division by zero", "R14", 2, "var z: int; assert 1 / z == 0;", kBody},
      {"int: modulo zero", "R14", 2, "var z: int; assert 1 % z == 0;", kBody},
      {"int: division and modulo truncate", "pass", 2, "assert -7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1 && 7 / -2 == -3;",
       kBody},
      {"int: the smallest by -1", "R14", 2,
       "var x: int; var i: int; x = 1; while (i < 63) { x = x * 2; i = i + 1; } assert x < 0 && -x == x && x * -1 == x; assert x "
       "/ -1 == x;",
       kBody},
      {"int: wraps", "pass", 2,
       "var x: int; var i: int; x = 1; while (i < 63) { x = x * 2; i = i + 1; } assert x - 1 > 0 && x - 1 + 1 == x;", kBody},
      {"int: modulo has 32 bits", "pass", 2, "assert (65536 * 65536 + 7) % 5 == 2 && (65536 * 32768) % 7 == -2;", kBody},
      {"int: modulo a number whose 32 bits are zero", "R14", 2, "assert 5 % (65536 * 65536) == 5;", kBody},
      {"int: the smallest of 32 bits modulo -1", "R14", 2, "assert (65536 * 32768) % -1 == 0;", kBody},
      {"float: no failures", "pass", 2,
       "var z: float; var n: float; n = z / z; assert n != n && !(n < 1.0) && 1.0 / z > 1.0 && 7.5 % 2.0 == 1.5 && -7.5 % 2.0 == "
       "-1.5;",
       kBody},
      {"string: comparison and concatenation", "pass", 2,
       "assert \"a\" + \"b\" == \"ab\" && \"a\" < \"b\" && \"a\" <= \"a\" && \"b\" > \"a\" && \"ab\" > \"a\";", kBody},
      {"choose: zero and one", "pass", 4, "assert choose(0) == 0 && choose(1) == 0;", kBody},
      {"choose: negative", "R23", 2, "var n: int; n = -1; n = choose(n);", kBody},
      {"choose: too many", "R15", 2, "var n: int; n = 10001; n = choose(n);", kBody},
      {"choose: the most", "pass", 3, "var n: int; n = 10000; assert choose(n) < 10000;", kBody},
      {"choose: has 32 bits", "pass", 3, "var n: int; n = 65536 * 65536 + 1; assert choose(n) == 0;", kBody},
      {"choose: all numbers", "R01,pass", 3, "assert choose(3) < 2;", kBody},
      {"choose: empty seq", "R15", 2, "var s: seq[int]; assert choose(s) == 0;", kBody},
      {"choose: empty set", "R15", 2, "var s: set[int]; assert choose(s) == 0;", kBody},
      {"choose: empty map", "R15", 2, "var s: map[int, int]; assert choose(s) == 0;", kBody},
      {"choose: too long a seq", "R15", 2,
       "var i: int; var s: seq[int]; while (i < 10001) { s += (i, i); i = i + 1; } assert choose(s) == 0;", kBody},
      {"choose: a key", "pass", 3, "var s: map[int, int]; s[4] = 9; assert choose(s) == 4;", kBody},
      {"choose: one of a set", "R01,pass", 3, "var s: set[int]; s += (1); s += (2); assert choose(s) == 1;", kBody},
      {"choose: a choice costs a step", "pass", 5, "var b: bool; b = $; b = $$; b = choose();", kBody},
  };
}

std::vector<Case> order() {
  return {
      {"order: bare operands are read late", "pass", 2,
       "x = 1; assert x + inc() == 4; assert inc() + x == 6; assert x * inc() == 16; assert x == inc() && x - inc() == 0;",
       "var x: int; fun inc(): int { x = x + 1; return x; } }"},
      {"order: an operand that is no bare variable is read at its turn", "pass", 2,
       "t.0 = 1; assert t.0 + inc() == 3; assert (t.0 + 0) * inc() == 6;",
       "var t: (int, int); fun inc(): int { t.0 = t.0 + 1; return t.0; } }"},
      {"order: a bare index is read late", "pass", 2,
       "s += (0, 5); s += (1, 6); assert s[i + 0] + inc() == 6; i = 0; assert grow()[i] == 6;",
       "var s: seq[int]; var i: int; fun inc(): int { i = i + 1; return i; } fun grow(): seq[int] { i = 1; return s; } }"},
      {"order: a bare collection is read late", "pass", 2, "s += (0, 5); assert s[grow()] == 9; assert shrink() in s == false;",
       "var s: seq[int]; fun grow(): int { s += (1, 9); return 1; } fun shrink(): int { s -= (1); return 9; } }"},
      {"order: a bare index of an assignment is read after the right side", "pass", 2,
       "s += (0, 0); s += (1, 0); s[i] = inc(); assert s[0] == 0 && s[1] == 1; s[i - 1] = dec(); assert s[0] == 0 && i == 0;",
       "var s: seq[int]; var i: int; fun inc(): int { i = i + 1; return i; } fun dec(): int { i = i - 1; return i; } }"},
      {"order: a computed index of an assignment is read before", "pass", 2,
       "s += (0, 0); s += (1, 0); s[i + 0] = inc(); assert s[0] == 1 && s[1] == 0;",
       "var s: seq[int]; var i: int; fun inc(): int { i = i + 1; return i; } }"},
      {"order: a bare index within the place of an insert is read late", "pass", 2,
       "m[0] = default(seq[int]); m[1] = default(seq[int]); m[i] += (0, inc()); assert sizeof(m[1]) == 1;",
       "var m: map[int, seq[int]]; var i: int; fun inc(): int { i = i + 1; return i; } }"},
      {"order: the index that is inserted at is read at its turn", "pass", 2,
       "s += (0, 7); s += (i, inc()); assert s[0] == 1 && s[1] == 7;",
       "var s: seq[int]; var i: int; fun inc(): int { i = i + 1; return i; } }"},
      {"order: arguments, fields and tuples from left to right, at once", "pass", 2,
       "assert sub(x, inc()) == 1; assert (x, inc()) == (1, 2); assert (a = x, b = inc()).a == 2; assert format(\"{0}{1}\", x, "
       "inc()) == \"34\";",
       "var x: int; fun inc(): int { x = x + 1; return x; } fun sub(a: int, b: int): int { return b - a; } }"},
      {"order: the left side of && and || is read first", "pass", 2,
       "assert !(b && flip()); assert b == false; assert flip() && b; assert b || flip(); assert b;",
       "var b: bool; fun flip(): bool { b = !b; return b; } }"},
      {"order: short circuits", "pass", 2, "var s: seq[int]; assert !(false && s[1] == 1); assert true || s[1] == 1;", kBody},
      {"order: a message is evaluated only on failure", "pass", 2, "var s: seq[int]; assert true, format(\"{0}\", s[1]);", kBody},
      {"order: a message that fails", "R13", 2, "var s: seq[int]; assert false, format(\"{0}\", s[1]);", kBody},
      {"order: the right side fails before the place", "R14", 2, "var s: seq[int]; var z: int; s[5] = 1 / z;", kBody},
      {"order: a computed index fails before the right side", "R14", 2, "var s: seq[int]; var z: int; s[1 / z] = s[7];", kBody},
  };
}

std::vector<Case> equality_and_copies() {
  return {
      {"equal: null only equals null", "pass", 2,
       "var a: any; var b: any; assert a == null && a == b; b = 0; assert a != b && b != null;", kBody},
      {"equal: kinds", "pass", 2,
       "var a: any; var b: any; a = 1; b = 1.0; assert a != b; b = true; assert a != b; b = \"1\"; assert a != b; b = X; assert "
       "a == b;",
       "} enum E { X = 1, Y = 2 }"},
      {"equal: tuples", "pass", 2,
       "var a: any; var b: any; a = (1, 2); b = (x = 1, y = 2); assert a != b; a = (y = 1, x = 2); assert a != b; a = (x = 1, y "
       "= 2); assert a == b; a = (1,); b = (1, 1); assert a != b;",
       kBody},
      {"equal: sets and maps regardless of order", "pass", 2,
       "var s: set[int]; var t: set[int]; var m: map[int, int]; var n: map[int, int]; s += (1); s += (2); t += (2); t += (1); "
       "m[1] = 1; m[2] = 2; n[2] = 2; n[1] = 1; assert s == t && m == n; n[1] = 5; assert m != n; t -= 1; assert s != t;",
       kBody},
      {"equal: events by name, machines by id", "pass", 2,
       "var e: event; var f: event; var m: machine; e = a; f = a; m = this; assert e == f && e != b && m == this && e != null && "
       "m != null;",
       "} event a; event b: int;"},
      {"equal: machines whatever the permissions", "pass", 4, "var m: machine; var a: A; m = new B(); a = m to A; assert m == a;",
       "} event e; machine A receives e; { start state S { } } machine B { start state S { } }"},
      {"copy: assignment", "pass", 2,
       "var s: seq[seq[int]]; var t: seq[seq[int]]; s += (0, default(seq[int])); t = s; s[0] += (0, 1); assert sizeof(t[0]) == "
       "0;",
       kBody},
      {"copy: arguments and results", "pass", 2, "var t: seq[int]; q += (0, 1); t = give(q); t[0] = 5; assert q[0] == 1;",
       "var q: seq[int]; fun give(s: seq[int]): seq[int] { s[0] = 7; assert q[0] == 1; return q; } }"},
      {"copy: an element as argument", "pass", 2,
       "var s: seq[seq[int]]; s += (0, default(seq[int])); change(s[0]); assert sizeof(s[0]) == 0;",
       "fun change(s: seq[int]) { s += (0, 1); } }"},
      {"copy: keys", "pass", 2,
       "var m: map[seq[int], int]; var k: seq[int]; m[k] = 1; k += (0, 1); m[k] = 2; assert m[default(seq[int])] == 1 && "
       "sizeof(m) == 2;",
       kBody},
      {"copy: payload of a message", "pass", 4,
       "s += (0, 1); send this, e, s; s[0] = 2; receive { case e: (p: seq[int]) { p[0] = p[0] + 6; assert p[0] == 7; } } assert "
       "s[0] == 2;",
       "var s: seq[int]; } event e: seq[int];"},
      {"default: of every type", "pass", 2,
       "var t: (int, bool, float, string, E, event, machine, seq[int], set[int], map[int, int], any, data, (a: int)); assert t "
       "== default((int, bool, float, string, E, event, machine, seq[int], set[int], map[int, int], any, data, (a: int))); "
       "assert t.4 == Y && t.10 == null && t.12.a == 0 && t.3 == \"\";",
       "} enum E { X = 5, Y = 3 }"},
      {"locals are fresh in every call", "pass", 2, "assert once() == 1 && once() == 1 && fac(5) == 120;",
       "fun once(): int { var n: int; n = n + 1; return n; } fun fac(n: int): int { if (n == 0) { return 1; } return n * fac(n - "
       "1); } }"},
  };
}

std::vector<Case> texts() {
  return {
      {"text: scalars", "pass", 2,
       R"(assert format("{0} {1} {2} {3} {4} {5}", true, false, -3, Y, "q", null) == "True False -3 7 q ";)",
       "} enum E { X = 5, Y = 7 }"},
      {"text: floats", "pass", 2,
       R"(assert format("{0} {1} {2} {3}", 10.0, 2.5, -0.125, 0.1 + 0.2) == "10 2.5 -0.125 0.30000000000000004";)", kBody},
      {"text: event and machine", "pass", 2,
       R"p(var v: event; v = e; assert format("{0} {1} {2}", v, this, halt) == "e Main(1) halt";)p", "} event e;"},
      {"text: machines are named by the interface", "pass", 4,
       R"p(var m: machine; m = new I(); assert format("{0}", m) == "I(2)";)p",
       "} event e; interface I() receives e; machine A { start state S { } } test DefaultImpl [main = Main]: { Main, A -> I };"},
      {"text: collections", "pass", 2,
       R"p(var q: seq[int]; var s: set[int]; var m: map[string, int]; assert format("{0}{1}{2}", q, s, m) == "()()()";
        q += (0, 2); q += (1, 1); s += (10); s += (9); s += (1);
        m["b"] = 2; m["a"] = 1; assert format("{0} {1} {2}", q, s, m) == "(2, 1) (<1>, <10>, <9>) (<a->1>, <b->2>)";)p",
       kBody},
      {"text: tuples", "pass", 2,
       R"(assert format("{0} {1} {2} {3}", (1, true), (x = 1, y = "s"), (4,), (n = null,))
         == "<1,True,> <x:1, y:s, > <4,> <n:, >";)",
       kBody},
      {"text: braces", "pass", 2,
       R"(var s: string; s = "{{"; assert s + "}}" == format("{0}}}", s) && format("{1}{0}{1}", 1, 2) == "212"
         && format("{{{0}}}", 5) == format("{0}5{1}", "{{", "}}");)",
       kBody},
      {"text: braces of an argument stay", "R01", 2, R"(assert false, format("{0}", "{{7}}");)", kBody},
      {"text: print", "pass", 2, R"(print "a" + "b"; print format("{0}", 1);)", kBody},
  };
}

}  // namespace

std::vector<Case> value_cases() {
  std::vector<Case> out;
  for (const auto& part : {maps_and_sets(), sequences(), casts(), arithmetic(), order(), equality_and_copies(), texts()}) {
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

}  // namespace tarry::plang::reference
