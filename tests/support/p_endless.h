// Random P programs that go on for ever in few states, with specs that may stay hot.
//
// Machines hand a few events on to each other: who takes one sends at most one, so inboxes stay short. On the way specs are told things, coins are tossed, short-lived
// machines are made.
#pragma once

#include <string>

#include "base/rng.h"

namespace tarry::test {

class EndlessProgram {
 public:
  explicit EndlessProgram(std::uint64_t seed) : rng_(seed, 99) {}

  std::string text() {
    const std::size_t others = 1 + below(2);
    const std::size_t specs = 1 + below(2);
    std::string out = "event a; event b; event m0; event m1; event m2;\n";
    out += machine("Main", "entry { " + births(others) + " goto R0; }");
    for (std::size_t i = 1; i <= others; ++i) out += machine("M" + std::to_string(i), "entry (m: machine) { p = m; goto R0; }");
    out += "machine K { start state S { entry (m: machine) { " + (chance(50) ? tell() : "") + "send m, a; raise halt; } } }\n";
    std::string attached;
    for (std::size_t i = 0; i < specs; ++i) {
      out += spec("Spec" + std::to_string(i));
      attached += (i == 0 ? "" : ", ") + ("Spec" + std::to_string(i));
    }
    std::string names = "Main, K";
    for (std::size_t i = 1; i <= others; ++i) names += ", M" + std::to_string(i);
    return out + "test t [main=Main]: assert " + attached + " in { " + names + " };\n";
  }

 private:
  std::size_t below(std::size_t n) { return rng_.below(n); }
  bool chance(unsigned percent) { return rng_.below(100) < percent; }

  std::string births(std::size_t others) {
    std::string out = "p = new M1(this); ";
    if (others == 2) out += "q = new M2(this); ";
    out += "send p, a; ";
    if (others == 2 && chance(60)) out += "send q, " + event() + "; ";
    if (others == 1 && chance(25)) out += "send this, b; ";
    return out;
  }

  std::string event() { return chance(50) ? "a" : "b"; }
  std::string tell() { return "announce m" + std::to_string(below(3)) + "; "; }

  std::string machine(const std::string& name, const std::string& start) {
    std::string out = "machine " + name + " { var p: machine; var q: machine; var x: int;\n  start state S { defer a, b; " + start + " }\n";
    const std::size_t states = 1 + below(2);
    for (std::size_t i = 0; i < states; ++i) {
      out += "  state R" + std::to_string(i) + " {";
      if (chance(25)) out += " entry { " + tell() + "}";
      for (const char* e : {"a", "b"}) {
        if (i > 0 && chance(15)) out += std::string(" ignore ") + e + ";";
        else if (i > 0 && *e == 'b' && chance(30)) out += " defer b;";
        else out += std::string(" on ") + e + " do { " + body(states) + "}";
      }
      if (chance(6)) out += " on null do { if ($) { " + tell() + "} }";
      out += " }\n";
    }
    return out + "}\n";
  }

  std::string body(std::size_t states) {
    std::string out;
    for (std::size_t i = below(3); i > 0; --i) {
      switch (below(4)) {
        case 0: out += "x = (x + 1) % 2; "; break;
        case 1: out += std::string("if (") + coin() + ") { " + tell() + "} "; break;
        default: out += tell();
      }
    }
    if (chance(10)) return out;  // the event is gone
    switch (below(6)) {
      case 0: out += std::string("if (") + coin() + ") { send " + whom() + ", a; } else { send " + whom() + ", b; } "; break;
      case 1: out += std::string("if (") + coin() + ") { send " + whom() + ", a; } "; break;
      case 2: out += "new K(" + whom() + "); "; break;
      case 3: out += "if (x == 0) { " + tell() + "send " + whom() + ", a; } else { send " + whom() + ", " + event() + "; } "; break;
      default: out += "send " + whom() + ", " + event() + "; ";
    }
    if (chance(25)) out += tell();
    if (chance(40)) out += "goto R" + std::to_string(below(states)) + "; ";
    return out;
  }
  /// Main's q may be null: only p is there in all of them.
  std::string whom() { return chance(75) ? "p" : "this"; }
  const char* coin() { return chance(75) ? "$" : "$$"; }

  std::string spec(const std::string& name) {
    const std::size_t states = 2 + below(3);
    std::string out = "spec " + name + " observes m0, m1, m2" + (chance(50) ? ", a" : "") + " {\n";
    const bool sees_a = out.find(", a ") != std::string::npos;
    for (std::size_t i = 0; i < states; ++i) {
      const char* const warmth[] = {"hot ", "cold ", ""};
      out += std::string("  ") + (i == 0 ? "start " : "") + warmth[i == 1 ? 0 : below(3)] + "state T" + std::to_string(i) + " {";
      if (i > 0 && i + 1 < states && chance(12)) out += " entry { goto T" + std::to_string(i + 1) + "; }";
      for (const char* e : {"m0", "m1", "m2", "a"}) {
        if (*e == 'a' && !sees_a) continue;
        if (chance(*e == 'a' ? 70 : 25)) out += std::string(" ignore ") + e + ";";
        else out += std::string(" on ") + e + " goto T" + std::to_string(below(states)) + ";";
      }
      out += " }\n";
    }
    return out + "}\n";
  }

  Rng rng_;
};

}  // namespace tarry::test
