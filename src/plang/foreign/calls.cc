#include "plang/foreign/calls.h"

#include <set>

namespace tarry::plang {
namespace {

/// Walks over machines, by the interface they are created through, and over the functions of each machine.
class Walk {
 public:
  Walk(const Code& code, const TestCase& test) : code_(code), test_(test) {}

  /// Returns the foreign functions that are called, by number.
  const std::set<std::uint32_t>& foreign() const { return foreign_; }
  /// Returns the number of assertions, counted by function and place in its code.
  std::size_t assertions() const { return assertions_.size(); }

  void over_monitors() {
    for (const AttachedMonitor& m : test_.monitors) machine(code_.machines[m.monitor->index]);
  }

  void over_machines() {
    std::vector<std::uint32_t> waiting{test_.main->index};
    std::set<std::uint32_t> seen{test_.main->index};
    while (!waiting.empty()) {
      const std::uint32_t interface = waiting.back();
      waiting.pop_back();
      if (test_.bindings[interface] == nullptr) continue;
      created_.clear();
      functions_.clear();
      machine(code_.machines[test_.bindings[interface]->index]);
      for (const std::uint32_t named : created_)
        if (const Interface* made = test_.links[interface][named]; made != nullptr && seen.insert(made->index).second) waiting.push_back(made->index);
    }
  }

 private:
  void machine(const CodeMachine& m) {
    for (const CodeState& state : m.states) {
      function(state.entry);
      function(state.exit);
      for (const Reaction& reaction : state.reactions) function(reaction.function);
    }
  }

  void function(std::uint32_t first) {
    std::vector<std::uint32_t> waiting{first};
    while (!waiting.empty()) {
      const std::uint32_t number = waiting.back();
      waiting.pop_back();
      if (number == kNone || !functions_.insert(number).second) continue;
      for (const Instr& i : code_.functions[number].code) {
        if (i.op == Op::kFail) assertions_.insert(&i);
        if (i.op == Op::kCall) waiting.push_back(i.a);
        if (i.op == Op::kCallForeign) foreign_.insert(i.a);
        if (i.op == Op::kNew) created_.insert(i.a);
      }
    }
  }

  const Code& code_;
  const TestCase& test_;
  std::set<std::uint32_t> functions_, created_, foreign_;
  std::set<const Instr*> assertions_;
};

}  // namespace

std::vector<std::uint32_t> foreign_calls(const Code& code, const TestCase& test) {
  Walk walk(code, test);
  walk.over_monitors();
  walk.over_machines();
  return {walk.foreign().begin(), walk.foreign().end()};
}

std::size_t assertions_of_machines(const Code& code, const TestCase& test) {
  Walk walk(code, test);
  walk.over_machines();
  return walk.assertions();
}

}  // namespace tarry::plang
