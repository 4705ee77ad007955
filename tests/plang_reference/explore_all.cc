// Every execution of a program, by running it again and again.
//
// The chooser follows a list of (choice, number of alternatives), and takes the first alternative where the list ends. After each
// execution the last entry that has an alternative left moves on to it, and what lies behind is forgotten.
#include <utility>
#include <vector>

#include "base/assert.h"
#include "tests/support/p_reference/interpreter.h"

namespace tarry::plang::reference {

namespace {

class Backtracking final : public Chooser {
 public:
  std::uint32_t machine(const std::vector<std::uint32_t>& enabled_ids) override { return enabled_ids[pick(enabled_ids.size())]; }
  bool boolean() override { return pick(2) == 1; }
  std::uint64_t integer(std::uint64_t n) override { return pick(n); }

  /// To the next execution, if there is one.
  bool advance() {
    while (!trail_.empty() && trail_.back().first + 1 == trail_.back().second) trail_.pop_back();
    at_ = 0;
    if (trail_.empty()) return false;
    ++trail_.back().first;
    return true;
  }

 private:
  std::uint64_t pick(std::uint64_t alternatives) {
    if (at_ == trail_.size()) trail_.emplace_back(0, alternatives);
    TARRY_ASSERT(trail_[at_].second == alternatives);
    return trail_[at_++].first;
  }

  std::vector<std::pair<std::uint64_t, std::uint64_t>> trail_;
  std::size_t at_ = 0;
};

class Collector final : public StepHook {
 public:
  explicit Collector(std::set<std::string>& states) : states_(states) {}
  void state(const std::string& text) override { states_.insert(text); }

 private:
  std::set<std::string>& states_;
};

}  // namespace

Explored explore_all(const CheckedProgram& program, const TestCase& test, std::uint64_t max_steps, std::uint64_t max_executions) {
  Explored out;
  Backtracking chooser;
  Collector hook(out.states);
  do {
    if (out.executions == max_executions) {
      out.complete = false;
      break;
    }
    const RunResult result = run(program, test, chooser, max_steps, &hook);
    ++out.executions;
    out.outcomes[result.outcome()].insert(result.steps);
    if (result.end == RunResult::kFailed) out.failures.emplace(result.r_class, result.message);
  } while (chooser.advance());
  return out;
}

}  // namespace tarry::plang::reference
