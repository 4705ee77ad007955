// Models for the tests of replay and renderers, compiled into the test: no compiler is started.
#pragma once

#include <tarry/model.h>

#include <initializer_list>
#include <memory>
#include <vector>

#include "core/move.h"
#include "cppmodel/model_program.h"

namespace tarry::testing {

template <class M>
std::unique_ptr<Program> program_of() {
  static constexpr abi::Model kTable = detail::Adapter<M>::table("model", "model.cpp");
  return make_model_program(kTable);
}

/// Two processes read a counter and write it back, plus one: an update may be lost. The example of <tarry/model.h>, but for the
/// room that the last ++ needs.
struct Counter {
  struct State {
    Upto<3> pc[2];
    Upto<2> copy[2];
    Upto<2> total;
    TARRY_FIELDS(pc, copy, total)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    switch (s.pc[p]++) {
      case 0: s.copy[p] = s.total; return run.label("reads {}", s.total);
      case 1: s.total = s.copy[p] + 1; return run.label("writes {}", s.total);
      default: return run.ended();
    }
  }
  void at_end(const State& s, Run& run) {
    run.expect(s.total == 2, {"an update was lost: total is {}", "counter.cpp", 24}, s.total);
  }
  std::string process_name(int p) { return p == 0 ? "ann" : "bob"; }
};

/// One process draws cards; another one does nothing of note. Choices of different sizes, the second only after a one.
struct Cards {
  struct State {
    Upto<10> drawn;
    Upto<9> sum;
    TARRY_FIELDS(drawn, sum)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.drawn == 10) return run.ended();
    ++s.drawn;
    if (p == 1) return run.label("looks on");
    const std::uint32_t color = run.choose(2);
    const std::uint32_t card = color == 1 ? run.choose(3) : 0;
    s.sum = (s.sum + color + card) % 10;
    run.label("draws");
  }
};

/// Takes a step for ever.
struct Clock {
  struct State {
    std::uint32_t time;
    TARRY_FIELDS(time)
  };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& s, int /*p*/, Run& run) {
    ++s.time;
    run.label("ticks");
  }
};

/// Fails before its first step.
struct Unborn {
  struct State {
    bool alive;
    TARRY_FIELDS(alive)
  };
  static constexpr int processes = 1;
  State initial() { return {}; }
  void step(State& /*s*/, int /*p*/, Run& run) { run.ended(); }
  void invariant(const State& s, Run& run) { run.expect(s.alive, {"not alive", "unborn.cpp", 7}); }
};

/// Waits from the start.
struct Stuck {
  struct State {
    bool any;
    TARRY_FIELDS(any)
  };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& /*s*/, int p, Run& run) { p == 0 ? run.idle() : run.blocked(); }
};

inline std::vector<Choice> schedule_of(std::initializer_list<std::uint32_t> list) {
  std::vector<Choice> out;
  for (const std::uint32_t p : list) out.push_back({Choice::Kind::kProcess, p});
  return out;
}

}  // namespace tarry::testing
