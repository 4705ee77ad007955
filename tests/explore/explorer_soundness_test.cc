// Every registered explorer is sound (FSE 2015, section 2): at each reachable (s, d) of the composition of program and
// explorer, Next^|Choices(s)|(d) = Choices(s). And it is a set of pure functions.
#include <gtest/gtest.h>

#include "core/registry.h"
#include "tests/support/composed.h"
#include "tests/support/fewer.h"
#include "tests/support/random_program.h"

namespace tarry::test {
namespace {

/// Thirty places that are filled and emptied in any order, with every kind of mark; more than a memo holds without a heap.
struct Churn {
  static constexpr int max_processes = 30;
  enum class At : std::uint8_t { kAbsent, kRuns, kWaits, kServes, kGone, count_ };
  struct State {
    At at[max_processes];
    TARRY_FIELDS(at)
  };

  int processes(const State&) { return max_processes; }
  State initial() {
    State s{};
    for (int p = 0; p < 3; ++p) s.at[p] = At::kRuns;
    return s;
  }
  void step(State& s, int p, Run& run) {
    switch (s.at[p]) {
      case At::kAbsent:
      case At::kGone: return run.ended();
      case At::kWaits: return run.blocked();
      case At::kServes: return run.idle();
      default: break;
    }
    const int other = static_cast<int>(run.choose(max_processes));
    switch (run.choose(8)) {
      case 0:
      case 1:
      case 2: s.at[other] = At::kRuns; break;  // creates, wakes, or brings back what had ended
      case 3: s.at[other] = At::kGone; break;
      case 4: s.at[p] = At::kWaits; break;
      case 5: s.at[p] = At::kServes; run.yields(); break;
      case 6: run.moves_first(other), run.moves_last(p); break;
      default: break;
    }
    run.sends(other);
    run.sends((other + 7) % max_processes);
  }
};

const abi::Model& churn() {
  static constexpr abi::Model kTable = detail::Adapter<Churn>::table("churn", __FILE__);
  return kTable;
}

class Check {
 public:
  Check(const abi::Model& model, const Entry<Explorer>& entry, std::uint64_t seed)
      : program_(model), explorer_(entry.kind.make(seed)), twin_(entry.kind.make(seed)), random_(seed) {}

  std::uint64_t states = 0, created = 0, ended = 0, most_open = 0;

  void execution(std::uint32_t most_steps) {
    Words state = *program_.initial();
    Around around = program_.around(state);
    Memo memo = explorer_->initial(around.alive());
    ASSERT_EQ(memo, twin_->initial(around.alive()));
    for (std::uint32_t i = 0; i < most_steps && !around.open().empty(); ++i) {
      sound_at(memo, around.open());
      if (testing::Test::HasFailure()) return;
      for (std::uint32_t delays = random_.below(around.open().size()); delays > 0; --delays) {
        memo = explorer_->delay(memo, around.open());
        sound_at(memo, around.open());  // (s, d) is reachable in the middle of delays, too
      }
      const std::uint32_t process = index(explorer_->next(memo, around.open()));
      std::vector<std::uint32_t> values;
      Moved moved = program_.take(state, process, values);
      while (moved.arity != 0) {
        values.push_back(random_.below(moved.arity));
        moved = program_.take(state, process, values);
      }
      if (moved.failed()) return;
      const Around after = program_.around(moved.words);
      const Step step = Composed::step(process, around, after, moved);
      after.alive().for_each([&](ProcessId p) { created += step.created(p) ? 1 : 0; });
      around.alive().for_each([&](ProcessId p) { ended += step.finished(p) ? 1 : 0; });
      const Memo before = memo;
      const Memo next = explorer_->step(memo, step);
      ASSERT_EQ(memo, before);
      ASSERT_EQ(next, explorer_->step(memo, step));
      ASSERT_EQ(next, twin_->step(memo, step));
      memo = next;
      state = moved.words;
      around = after;
    }
  }

 private:
  void sound_at(const Memo& at, const ProcessSet& open) {
    ++states;
    most_open = std::max<std::uint64_t>(most_open, open.size());
    std::set<std::uint32_t> offered, choices;
    open.for_each([&](ProcessId p) { choices.insert(index(p)); });
    Memo memo = at;
    for (std::uint32_t i = 0; i < open.size(); ++i) {
      const ProcessId next = explorer_->next(memo, open);
      ASSERT_TRUE(open.contains(next)) << "process " << index(next) << " is offered and cannot run";
      ASSERT_TRUE(offered.insert(index(next)).second) << "process " << index(next) << " is offered twice";
      ASSERT_EQ(next, explorer_->next(memo, open)) << "next is not a function";
      ASSERT_EQ(next, twin_->next(memo, open)) << "next depends on more than seed and memo";
      const Memo delayed = explorer_->delay(memo, open);
      ASSERT_EQ(delayed, explorer_->delay(memo, open)) << "delay is not a function";
      ASSERT_EQ(delayed, twin_->delay(memo, open)) << "delay depends on more than seed and memo";
      memo = delayed;
    }
    ASSERT_EQ(offered, choices);
  }

  Composed program_;
  std::unique_ptr<Explorer> explorer_, twin_;
  SplitMix random_;
};

TEST(ExplorerSoundness, EveryExplorerOffersEveryOpenProcessOnRandomPrograms) {
  for (const Entry<Explorer>& entry : Registry<Explorer>::all()) {
    std::uint64_t states = 0, created = 0, ended = 0;
    for (std::uint64_t seed = 0; seed < fewer(1500u); ++seed) {
      const RandomProgram program(seed + 40'000);
      SCOPED_TRACE(entry.name + ", program " + std::to_string(seed) + "\n" + program.text());
      Check check(model_of(program), entry, seed);
      for (int i = 0; i < 3; ++i) check.execution(40);
      if (HasFailure()) return;
      states += check.states, created += check.created, ended += check.ended;
    }
    EXPECT_GT(states, fewer(50'000u)) << entry.name;
    EXPECT_GT(created, fewer(300u)) << entry.name;
    EXPECT_GT(ended, fewer(2000u)) << entry.name;
  }
}

TEST(ExplorerSoundness, EveryExplorerKeepsUpWithProcessesThatComeAndGo) {
  for (const Entry<Explorer>& entry : Registry<Explorer>::all()) {
    std::uint64_t created = 0, ended = 0, most_open = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE(entry.name + ", seed " + std::to_string(seed));
      Check check(churn(), entry, seed);
      for (int i = 0; i < 5; ++i) check.execution(120);
      if (HasFailure()) return;
      created += check.created, ended += check.ended, most_open = std::max(most_open, check.most_open);
    }
    EXPECT_GT(created, 1000u);
    EXPECT_GT(ended, 500u);
    EXPECT_GT(most_open, 16u) << "no memo was longer than what it holds without a heap";
  }
}

}  // namespace
}  // namespace tarry::test
