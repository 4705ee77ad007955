// Seals: between seal and unseal there is one order only. States are counted by hand and against references; the seal is part of
// the state.
#include <gtest/gtest.h>

#include <tarry/model.h>
#include "core/execution.h"
#include "tests/support/figure5.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

enum class How { kPlain, kSealed, kNested, kNeverUnsealed };

/// Process 0 takes four steps; it seals with the first and unseals with the third. Process 1 takes two steps of its own.
template <How kHow>
struct Critical {
  struct State {
    Upto<4> a;
    Upto<2> b;
    TARRY_FIELDS(a, b)
  };
  static constexpr int processes = 2;
  static constexpr bool uses_seals = kHow != How::kPlain;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 1) {
      if (s.b == 2) return run.ended();
      ++s.b;
      return;
    }
    if (s.a == 4) return run.ended();
    ++s.a;
    if constexpr (uses_seals) {
      if (s.a == 1) run.seal();
      if (kHow == How::kNested && s.a == 2) run.seal(), run.seal(), run.unseal();
      if (kHow == How::kNested && s.a == 3) run.unseal();
      if (kHow == How::kSealed && s.a == 3) run.unseal();
    }
  }
};

/// Process 0 seals and then waits for process 1, or ends.
template <bool kEnds>
struct Careless {
  struct State {
    Upto<2> a;
    Upto<2> b;
    TARRY_FIELDS(a, b)
  };
  static constexpr int processes = 2;
  static constexpr bool uses_seals = true;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 1) {
      if (s.b == 2) return run.ended();
      ++s.b;
      return;
    }
    if (s.a == 2 || (kEnds && s.a == 1)) return run.ended();
    if (s.a == 1 && s.b == 0) return run.blocked();
    ++s.a;
    if (s.a == 1) run.seal();
  }
};

/// The same program state with a seal and without one: process 0 chooses whether it seals.
struct Maybe {
  struct State {
    Upto<2> a;
    Upto<1> b;
    TARRY_FIELDS(a, b)
  };
  static constexpr int processes = 2;
  static constexpr bool uses_seals = true;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (p == 1) {
      if (s.b == 1) return run.ended();
      ++s.b;
      return;
    }
    if (s.a == 2) return run.ended();
    ++s.a;
    if (s.a == 1 && !run.flip()) run.seal();
    if (s.a == 2) run.expect(s.b == 0, "process 1 came in between");
  }
};

template <class Type>
const abi::Model& table() {
  static constexpr abi::Model kTable = detail::Adapter<Type>::table("sealed", __FILE__);
  return kTable;
}

template <class Type>
Searched search(const std::string& name, const std::string& explorer = "round-robin", Record* record = nullptr) {
  Record unused;
  const RecordingProgram program(table<Type>(), record == nullptr ? unused : *record);
  SearchOptions options;
  options.limits.memory = 32 << 20;
  options.limits.samples = 60;
  return run_search(program, name, explorer, options, {}, record == nullptr ? &unused : record);
}

// Without seals: a from 0 to 4, b from 0 to 2, in any combination: 15.
// With seals: after the first and the second step of process 0 nobody else moves. States with a = 1 or 2 are sealed, one for each
// b at which process 0 may have begun: 3 each. All others are as before. The count is the same; what falls away are transitions.
//   Without: process 0 moves in 4 * 3 states, process 1 in 5 * 2: 22. With: process 1 does not at a = 1 and a = 2: 22 - 2 * 2.
TEST(Seals, NobodyElseRunsWhileAProcessHoldsASeal) {
  for (const char* name : {"dfs", "bfs", "random-dfs", "preemption-bounded", "depth-bounded"}) {
    SCOPED_TRACE(name);
    const Searched plain = search<Critical<How::kPlain>>(name);
    EXPECT_EQ(plain.totals.states, 15u);
    EXPECT_EQ(plain.totals.transitions, 22u);
    EXPECT_FALSE(plain.outcome.sealed);
    const Searched sealed = search<Critical<How::kSealed>>(name);
    EXPECT_EQ(sealed.totals.states, 15u);
    EXPECT_EQ(sealed.totals.transitions, 18u);
    EXPECT_TRUE(sealed.outcome.sealed);
    EXPECT_TRUE(sealed.outcome.complete);
  }
}

// The inner seal is given up in the step that takes it and one more: with two levels left after the second step, the unseal of
// the third leaves one, so that the fourth is sealed too. It ends the process, which unseals. Process 1 moves at a = 0 and a = 4.
TEST(Seals, Nest) {
  for (const char* name : {"dfs", "bfs", "preemption-bounded"}) {
    const Searched nested = search<Critical<How::kNested>>(name);
    EXPECT_EQ(nested.totals.states, 15u);
    EXPECT_EQ(nested.totals.transitions, 12u + 2 * 2);
    EXPECT_TRUE(nested.outcome.complete);
  }
}

TEST(Seals, AreGivenUpByAnOwnerThatEnds) {
  for (const char* name : {"dfs", "bfs", "preemption-bounded"}) {
    const Searched never = search<Critical<How::kNeverUnsealed>>(name);
    EXPECT_EQ(never.totals.transitions, 12u + 2 * 2);
    EXPECT_TRUE(never.outcome.complete);
    const Searched ends = search<Careless<true>>(name);
    EXPECT_EQ(ends.totals.states, 6u);
    EXPECT_TRUE(ends.outcome.complete);
    EXPECT_TRUE(ends.findings.empty());
  }
}

// At a = 1, b = 0 the owner waits: the seal is gone, and process 1 can run. At a = 1, b > 0 the seal holds for the last step.
// States: (0,0) (0,1) (0,2) (1,0) (1,1) unsealed, sealed (1,1) (1,2), unsealed (1,2), (2,1) (2,2).
TEST(Seals, AreGivenUpByAnOwnerThatWaits) {
  for (const char* name : {"dfs", "bfs", "preemption-bounded", "ses"}) {
    SCOPED_TRACE(name);
    const Searched waits = search<Careless<false>>(name);
    EXPECT_EQ(waits.totals.states, 10u);
    EXPECT_TRUE(waits.findings.empty());
    EXPECT_TRUE(waits.outcome.complete);
  }
}

// The sealed state comes first (value 0) and shows no bug. If it stood for the unsealed one as well, the bug would be missed.
TEST(Seals, ArePartOfTheState) {
  for (const Entry<Search>& entry : Registry<Search>::all()) {
    if (entry.kind.reduces) continue;  // dpor_test.cc
    if (!entry.kind.complete) continue;
    SCOPED_TRACE(entry.name);
    const Searched result = search<Maybe>(entry.name);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind("assertion"));
    EXPECT_EQ(follow(table<Maybe>(), result.findings[0]), "assertion");
  }
}

// The owner goes on whatever the explorer's order, and there is nothing to delay. The explorer learns of the steps as of any others.
TEST(Seals, LetTheOwnerGoOnUnderEveryExplorer) {
  for (const Entry<Explorer>& entry : Registry<Explorer>::all()) {
    const auto compare = [&]<class Type>(const Type*) {
      const auto explorer = entry.kind.make(1);
      Figure5 figure(table<Type>(), *explorer, 1);
      figure.run();
      Record record;
      const Searched result = search<Type>("ses", entry.name, &record);
      EXPECT_EQ(record.states, figure.states) << entry.name;
      EXPECT_EQ(result.totals.transitions, figure.transitions) << entry.name;
      EXPECT_EQ(result.outcome.complete, figure.complete) << entry.name;
      return result;
    };
    compare(static_cast<const Critical<How::kPlain>*>(nullptr));
    compare(static_cast<const Critical<How::kNested>*>(nullptr));
    compare(static_cast<const Critical<How::kNeverUnsealed>*>(nullptr));
    compare(static_cast<const Careless<true>*>(nullptr));
    compare(static_cast<const Careless<false>*>(nullptr));
    const Searched sealed = compare(static_cast<const Critical<How::kSealed>*>(nullptr));
    EXPECT_EQ(sealed.totals.states, 15u) << entry.name;
    EXPECT_EQ(sealed.totals.transitions, 18u) << entry.name;
  }
}

/// Process 0 seals and sends to process 1, whose step ends process 0 and itself: the case in which searches with an explorer once let process 1
/// run inside the seal, and then asked for the next of no processes.
struct Killer {
  struct State {
    Upto<2> a;
    Upto<1> killed;
    TARRY_FIELDS(a, killed)
  };
  static constexpr int processes = 2;
  static constexpr bool uses_seals = true;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.killed != 0 || (p == 0 && s.a == 2)) return run.ended();
    if (p == 1) {
      if (s.a == 0) return run.idle();
      s.killed = 1;
      return;
    }
    ++s.a;
    if (s.a == 1) run.seal(), run.sends(1), run.moves_first(1);
  }
};

// (0), (1) sealed, (2) with the seal gone, (2) killed: process 1 cannot come between.
TEST(Seals, KeepOthersOutUnderEverySearchAndExplorer) {
  for (const Entry<Search>& entry : Registry<Search>::all()) {
    if (entry.kind.reduces) continue;  // dpor_test.cc
    for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) {
      SCOPED_TRACE(entry.name + ", " + explorer.name);
      Record record;
      const Searched result = search<Killer>(entry.name, explorer.name, &record);
      EXPECT_TRUE(result.findings.empty());
      EXPECT_EQ(result.outcome.complete, entry.kind.complete);
      EXPECT_EQ(record.states.size(), 4u);
      if (!entry.kind.takes_explorer) break;
    }
  }
}

// A schedule that a trace holds may be older than the seal: process 1 steps although process 0 holds one. The seal ends with its owner.
TEST(Seals, AreGivenUpWhicheverProcessTookTheStep) {
  const auto program = make_model_program(table<Killer>());
  const auto space = program->open();
  std::vector<Word> state(program->shape().words);
  ASSERT_TRUE(space->initial(state.data()).kind.empty());
  Taken taken(program->shape().words);
  Survey survey(2);
  const auto step = [&](std::uint32_t process) {
    space->take(state, ProcessId{process}, {}, taken);
    ASSERT_EQ(taken.outcome, abi::Outcome::kMoved);
    std::copy(taken.state().begin(), taken.state().end(), state.begin());
    space->survey(state, survey);
  };
  step(0);
  EXPECT_TRUE(survey.sealed());
  EXPECT_EQ(index(survey.owner()), 0u);
  step(1);
  EXPECT_EQ(survey.sealed_by, 0u);
  EXPECT_TRUE(survey.open().empty());
}

// A front end that leaves the mark of a seal whose owner cannot run: nobody is held back.
TEST(Seals, OfAnOwnerThatCannotRunHoldNobodyBack) {
  Survey survey(3);
  survey.sealed_by = 2;
  survey.bits()[0] = 0b101;
  EXPECT_FALSE(survey.sealed());
  EXPECT_EQ((ChoicePoint{survey, 0, {}}.alternatives()), 2u);
  survey.bits()[0] = 0b111;
  EXPECT_TRUE(survey.sealed());
  EXPECT_EQ((ChoicePoint{survey, 0, {}}.alternatives()), 1u);
}

}  // namespace
}  // namespace tarry::test
