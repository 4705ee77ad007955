// Every state of a program, one after the other, and searches of it held against that; for P programs, whose states are made as they are met.
//
// Everything is found by StateSpace::expand alone, breadth first over a std::map (brute_force.h does the same for models).
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/finding.h"
#include "core/program.h"
#include "plang/vm/p_program.h"
#include "tests/support/brute_force.h"
#include "tests/support/p_vm.h"
#include "tests/support/run_search.h"
#include "trace/replayer.h"

namespace tarry::test {

/// Gives up, with `complete` false, when there are more than `most` states. `bugs`: kind and place of all that can happen; may be null.
inline Everything every_state(const Program& program, std::size_t most = SIZE_MAX, std::set<std::string>* bugs = nullptr) {
  Everything out;
  const auto space = program.open();
  const auto narrator = program.narrator();
  Words first(program.shape().words);
  const auto failed = [&](const StepText& text, std::uint32_t steps) {
    const auto known = out.failures.emplace(text.kind.name(), steps).first;
    known->second = std::min(known->second, steps);
    if (bugs != nullptr) bugs->insert(std::string(text.kind.name()) + " " + text.location);
  };
  if (const StepText wrong = space->initial(first.data()); !wrong.kind.empty()) {
    out.initial_failed = true;
    failed(wrong, 0);
    return out;
  }
  out.states[first] = 0;
  std::deque<Words> queue{first};
  Expansion expansion(program.shape().words);
  while (!queue.empty()) {
    if (out.states.size() > most) {
      out.complete = false;
      return out;
    }
    const Words state = std::move(queue.front());
    queue.pop_front();
    const std::uint32_t distance = out.states[state];
    space->expand(state, expansion);
    if (expansion.deadlock()) failed({.label = "", .kind = "deadlock", .message = "", .location = ""}, distance);
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> failing;
    for (std::uint32_t i = 0; i < expansion.count; ++i) {
      ++out.transitions;
      const abi::Successor& s = expansion.successors[i];
      const auto values = expansion.values_of(s);
      if ((s.flags & abi::kFailed) != 0) {
        failing.emplace_back(s.process, std::vector<std::uint32_t>(values.begin(), values.end()));
        continue;
      }
      Words next(expansion.state(i).begin(), expansion.state(i).end());
      if (out.states.emplace(next, distance + 1).second) queue.push_back(std::move(next));
    }
    for (const auto& [process, values] : failing) failed(narrator->explain(state, ProcessId{process}, values), distance + 1);
  }
  return out;
}

/// A program that writes down which states it is asked about.
class Recorded final : public Program {
 public:
  Recorded(const Program& inner, Record& record) : inner_(inner), record_(record) {}
  const Shape& shape() const override { return inner_.shape(); }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Space>(inner_.open(), record_); }
  std::unique_ptr<Narrator> narrator() const override { return inner_.narrator(); }
  void make_portable(Finding& finding) const override { inner_.make_portable(finding); }
  std::uint64_t bytes() const override { return inner_.bytes(); }

 private:
  class Space final : public StateSpace {
   public:
    Space(std::unique_ptr<StateSpace> inner, Record& record) : inner_(std::move(inner)), record_(record) {}
    StepText initial(Word* words) override { return inner_->initial(words); }
    void expand(StateView state, abi::Expansion& out) override {
      record_.saw(state);
      inner_->expand(state, out);
    }
    void survey(StateView state, Survey& out) override {
      record_.saw(state);
      inner_->survey(state, out);
    }
    void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) override {
      inner_->take(state, process, values, out);
    }
    const abi::Cursor& cursor() const override { return inner_->cursor(); }
    Ledger* ledger() override { return inner_->ledger(); }

   private:
    std::unique_ptr<StateSpace> inner_;
    Record& record_;
  };

  const Program& inner_;
  Record& record_;
};

/// One test of a P program, ready to be searched.
struct Searchable {
  plang::testing_support::Ready ready;
  plang::Points points;
  std::unique_ptr<plang::PProgram> program;

  explicit Searchable(const std::string& text, plang::Points at = plang::Points::kNeeded, plang::Bounds bounds = {})
      : ready(plang::testing_support::make_ready(text)),
        points(at),
        program(std::make_unique<plang::PProgram>(*ready.code, ready.test(), at, plang::Purpose::kSearch, bounds)) {}

  /// What the finding's schedule shows when it is followed from a fresh start: "" if all is as the finding says.
  std::string replayed(Finding finding) const {
    const FindingKind kind = finding.kind;
    program->make_portable(finding);
    if (finding.kind != kind) return "made portable, '" + std::string(kind.name()) + "' is '" + std::string(finding.kind.name()) + "'";
    const plang::PProgram again(*ready.code, ready.test(), points, plang::Purpose::kReplay);
    const Replay shown = replay(again, finding.schedule, {});
    if (shown.diverged_at) return "diverges at step " + std::to_string(*shown.diverged_at) + ": " + shown.divergence;
    if (shown.ending.kind != finding.kind) return "ends with '" + std::string(shown.ending.kind.name()) + "', not '" + std::string(finding.kind.name()) + "'";
    if (shown.ending.message != finding.message) return "says '" + shown.ending.message + "', not '" + finding.message + "'";
    return "";
  }
};

}  // namespace tarry::test
