// Explorers on P programs: what they learn of a step is what 001 section 6.2 needs.
#include <gtest/gtest.h>

#include "core/registry.h"
#include "tests/support/p_vm.h"

namespace tarry::plang {
namespace {

using namespace testing_vm;

/// Who runs, step by step, in the execution without delays. Data choices are 0.
std::vector<std::string> undelayed(const std::string& explorer_name, const std::string& text) {
  const Ready ready = make_ready(text);
  const PProgram program(*ready.code, ready.test(), Points::kNeeded, Purpose::kReplay);
  PSpace space(program.world(), program.layout());
  const auto narrator = program.narrator();
  const auto explorer = Registry<Explorer>::find(explorer_name)->kind.make(1);
  std::vector<Word> state(program.layout().words());
  EXPECT_EQ(space.initial(state.data()).kind, FindingKind(""));
  Survey before(program.shape().processes), after(before);
  Taken taken(program.layout().words());
  space.survey(state, before);
  Memo memo = explorer->initial(before.alive());
  std::vector<std::string> out;
  while (!before.open().empty()) {
    const ProcessId p = explorer->next(memo, before.open());
    space.take(state, p, {}, taken);
    EXPECT_EQ(taken.outcome, abi::Outcome::kMoved);
    out.push_back(narrator->process_name(p));
    space.survey(taken.state(), after);
    memo = explorer->step(memo, step_between(p, before, after, taken));
    std::copy(taken.state().begin(), taken.state().end(), state.begin());
    std::swap(before, after);
  }
  return out;
}

constexpr const char* kChain = R"(
event e: int;
machine Main { start state S { entry { var c: Link; var b: Link; c = new Link(null as machine); b = new Link(c); send b, e, 1; send c, e, 2; } } }
machine Link { var next: machine; start state S { entry (n: machine) { next = n; } on e do (k: int) { if (next != null) { send next, e, k; } } } }
)";

// Main creates both and stops before its first send. The newest machine runs before its creator: Link(3), then Link(2), each to its entry's end. Then Main sends to
// Link(3), which is at the end of its step before the second send: the receiver runs, sends on to Link(2), which handles it before Main goes on.
TEST(PExplorers, RunToCompletionFollowsTheCausalSequenceOfEvents) {
  EXPECT_EQ(undelayed("run-to-completion", kChain),
            (std::vector<std::string>{"Main(1)", "Link(3)", "Link(2)", "Main(1)", "Link(3)", "Link(3)", "Link(2)", "Main(1)", "Link(2)"}));
}

// Round robin lets Main go on until it has nothing to do.
TEST(PExplorers, RoundRobinStaysWithAMachineUntilItStops) {
  EXPECT_EQ(undelayed("round-robin", kChain),
            (std::vector<std::string>{"Main(1)", "Main(1)", "Main(1)", "Link(2)", "Link(3)", "Link(3)", "Link(2)"}));
}

}  // namespace
}  // namespace tarry::plang
