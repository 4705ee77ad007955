// What happens when memory is spent. A store that is full forgets, or does not learn; what is being worked on is pinned, so that
// the search goes round no cycle; and nobody says more than was seen.
#include <gtest/gtest.h>

#include "tests/support/random_program.h"
#include "tests/support/registered.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

using namespace std::chrono_literals;

/// First a fan: process 0 goes to one of `kLeaves` ends, each by two ways. Then a line of ten states, walked to and fro. When the
/// fan has filled the store, no state of the line can be remembered any more: without pins it would be walked for ever.
/// `kWide`: the states are of three words and are folded.
template <bool kWide, bool kBug>
struct FanAndLine {
  static constexpr std::uint32_t kColumns = 200, kRows = 160;
  struct Plain {
    Upto<2> part;
    Upto<kColumns> column;
    Upto<kRows> row;
    Upto<9> at;
    TARRY_FIELDS(part, column, row, at)
  };
  struct Wide {
    Upto<2> part;
    Upto<kColumns> column;
    Upto<kRows> row;
    Upto<9> at;
    std::uint32_t more[2];
    TARRY_FIELDS(part, column, row, at, more)
  };
  using State = std::conditional_t<kWide, Wide, Plain>;

  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.part == 1) return run.ended();
    if (s.part == 2) {
      if (p == 0 ? s.at == 9 : s.at == 0) return run.idle();
      p == 0 ? ++s.at : --s.at;
      return run.expect(!kBug || s.at != 9, "the end of the line");
    }
    if (p == 1) {
      s.part = 2;
      return;
    }
    s.part = 1;
    s.column = run.choose(kColumns);
    s.row = run.choose(kRows);
    run.flip();  // two ways to the same end
    if constexpr (kWide) s.more[0] = s.column * 77u, s.more[1] = s.row * 99u;
  }

  static constexpr std::uint64_t kStates = 1 + kColumns * kRows + 10;
};

/// Three counters that go round: everything can be reached from everywhere.
struct Torus {
  static constexpr std::uint32_t kSide = 48;
  struct State {
    Upto<kSide - 1> at[3];
    TARRY_FIELDS(at)
  };
  static constexpr int processes = 3;
  State initial() { return {}; }
  void step(State& s, int p, Run&) { s.at[p] = (s.at[p] + 1) % kSide; }
};

template <class Type>
const Program& program() {
  static constexpr abi::Model kTable = detail::Adapter<Type>::table("memory", __FILE__);
  static const auto made = make_model_program(kTable);
  return *made;
}

/// How a search fared under one limit after the other. "Full": an end of the fan that is not remembered is counted each time it
/// is reached, so there are more states than there are.
struct Fared {
  int runs = 0, complete = 0, complete_although_full = 0;
  std::uint64_t depth = 0;  // the deepest of all
};

template <class Type>
Fared under_limits(const std::string& search, SearchOptions options, std::uint64_t from, std::uint64_t to, const ParamValues& params = {}) {
  Fared out;
  for (std::uint64_t limit = from; limit < to; limit += limit / 8) {
    SCOPED_TRACE(search + " with " + std::to_string(limit) + " bytes");
    options.limits.memory = limit;
    options.limits.time = 10s;
    const Searched result = run_search(program<Type>(), search, "round-robin", options, params);
    EXPECT_TRUE(result.findings.empty());
    EXPECT_EQ(result.outcome.stopped_by, result.outcome.complete ? StoppedBy::kNothing : StoppedBy::kMemory);
    EXPECT_TRUE(!result.outcome.complete || result.outcome.lossy || result.totals.states >= Type::kStates);
    ++out.runs;
    out.depth = std::max(out.depth, result.totals.depth);
    out.complete += result.outcome.complete ? 1 : 0;
    out.complete_although_full += result.outcome.complete && result.totals.states > Type::kStates ? 1 : 0;
    if (testing::Test::HasFailure()) break;
  }
  return out;
}

constexpr std::uint64_t kLeast = 350'000, kMost = 1'500'000;

// A depth-first walk of this program needs a stack of eleven states. So it comes to its end with any store, if it goes round no
// cycle; going round, it would be stopped when the states of the line, over and over, have used up the memory.
TEST(Memory, DepthFirstGoesRoundNoCycleWhenTheStoreIsFull) {
  for (const WhenFull when : {WhenFull::kStop, WhenFull::kReplace}) {
    for (const char* search : {"dfs", "random-dfs"}) {
      SCOPED_TRACE(search);
      SearchOptions options;
      options.when_full = when;
      const Fared plain = under_limits<FanAndLine<false, false>>(search, options, kLeast, kMost);
      EXPECT_EQ(plain.complete, plain.runs);
      EXPECT_GT(plain.complete_although_full, 0);
      const Fared wide = under_limits<FanAndLine<true, false>>(search, options, kLeast, kMost);
      EXPECT_EQ(wide.complete, wide.runs);
      EXPECT_GT(wide.complete_although_full, 0);
    }
  }
}

// The stratified searches write down how they reached each state, so that little more fits after the store is full. With one great
// stratum the frontier takes no room.
TEST(Memory, SesGoesRoundNoCycleWhenTheStoreIsFull) {
  for (const WhenFull when : {WhenFull::kStop, WhenFull::kReplace}) {
    for (const CacheKey key : {CacheKey::kProgram, CacheKey::kProgramAndExplorer}) {
      SearchOptions options;
      options.when_full = when;
      options.cache = key;
      const Fared fared = under_limits<FanAndLine<false, false>>("ses", options, 400'000, 2'500'000, {{"delta", 1'000'000}});
      EXPECT_GT(fared.complete_although_full, 0) << static_cast<int>(key);
    }
  }
}

/// The same fan; then process 0 swings between two states of one of 64 pairs, and in each of them process 2, which is asked before it, has a data choice that
/// leads nowhere. A state must stay pinned when the point of its data choice is done with: else the swing has no end, and is deeper than two steps.
struct FanAndSwing {
  static constexpr std::uint32_t kColumns = 200, kRows = 160;
  struct State {
    Upto<2> part;
    Upto<kColumns> column;
    Upto<kRows> row;
    Upto<1> at;
    Upto<63> pair;
    TARRY_FIELDS(part, column, row, at, pair)
  };
  static constexpr int processes = 3;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.part == 1) return run.ended();
    if (s.part == 2) {
      if (p == 1) return run.idle();
      if (p == 2) run.flip();
      else s.at = 1 - s.at;
      return;
    }
    if (p == 2) return run.idle();
    if (p == 1) {
      s.part = 2;
      s.pair = run.choose(64);
      return;
    }
    s.part = 1;
    s.column = run.choose(kColumns);
    s.row = run.choose(kRows);
    run.flip();
  }
  static constexpr std::uint64_t kStates = 1 + kColumns * kRows + 128;
};

TEST(Memory, StatesStayPinnedWhenTheirDataChoicesAreDone) {
  for (const WhenFull when : {WhenFull::kStop, WhenFull::kReplace}) {
    SearchOptions options;
    options.when_full = when;
    options.choice_cost = ChoiceCost::kUnit;
    const Fared ses = under_limits<FanAndSwing>("ses", options, 400'000, 2'500'000, {{"delta", 1'000'000}});
    EXPECT_GT(ses.complete_although_full, 0);
    EXPECT_EQ(ses.depth, 2u);
    const Fared preemptions = under_limits<FanAndSwing>("preemption-bounded", options, 400'000, 2'500'000);
    EXPECT_GT(preemptions.complete_although_full, 0);
    EXPECT_EQ(preemptions.depth, 2u);
  }
}

TEST(Memory, parallel_SearchesEndWhenTheStoreIsFull) {
  for (const WhenFull when : {WhenFull::kStop, WhenFull::kReplace}) {
    SearchOptions options;
    options.when_full = when;
    options.jobs = 2;
    options.choice_cost = ChoiceCost::kUnit;
    under_limits<FanAndLine<false, false>>("dfs", options, kLeast, kMost);
    under_limits<FanAndLine<false, false>>("ses", options, kLeast, kMost);
    under_limits<FanAndLine<false, false>>("preemption-bounded", options, kLeast, kMost);
  }
}

/// The torus with states of eight words: most of the memory goes into their parts, and the store of visited ones is full before it is all spent.
struct WideTorus {
  struct State {
    Upto<Torus::kSide - 1> at[3];
    std::uint32_t more[7];
    TARRY_FIELDS(at, more)
  };
  static constexpr int processes = 3;
  State initial() { return {}; }
  void step(State& s, int p, Run&) {
    s.at[p] = (s.at[p] + 1) % Torus::kSide;
    for (std::uint32_t i = 0; i < 7; ++i) s.more[i] = (s.at[0] * 48u * 48u + s.at[1] * 48u + s.at[2]) * (2654435761u + i);
  }
};

// Whatever it is that has no more room, sampling goes on from where the exhaustive part stopped.
TEST(Memory, SesSsGoesOnBySamplingWhicheverTableIsFull) {
  for (const Program* torus : {&program<Torus>(), &program<WideTorus>()}) {
    for (std::uint64_t limit = 600'000; limit < 12'000'000; limit += limit / 4) {
      SearchOptions options;
      options.limits.memory = limit;
      options.limits.samples = 5;
      options.limits.max_depth = 200;
      const Searched result = run_search(*torus, "ses-ss", "round-robin", options);
      if (result.outcome.complete) continue;
      ASSERT_EQ(result.outcome.stopped_by, StoppedBy::kSamples) << limit;
      ASSERT_EQ(result.outcome.samples, 5u) << limit;
    }
  }
}

TEST(Memory, AnyLimitIsHonoured) {
  for (const std::string& search : single_safety_searches()) {
    SearchOptions options;
    options.limits.samples = 10;
    for (const std::uint64_t limit : {1u, 20'000u, 200'000u}) {
      SCOPED_TRACE(search + " with " + std::to_string(limit) + " bytes");
      options.limits.memory = limit;
      options.limits.time = 10s;
      const Searched plain = run_search(program<FanAndLine<false, false>>(), search, "round-robin", options);
      EXPECT_FALSE(plain.outcome.complete);
      const Searched wide = run_search(program<FanAndLine<true, false>>(), search, "round-robin", options);
      EXPECT_FALSE(wide.outcome.complete);
    }
  }
}

TEST(Memory, FindingsAreFoundAlthoughTheStoreIsFull) {
  using Buggy = FanAndLine<false, true>;
  for (const char* search : {"dfs", "random-dfs"}) {
    for (const WhenFull when : {WhenFull::kStop, WhenFull::kReplace}) {
      for (std::uint64_t limit = kLeast; limit < kMost; limit += limit / 3) {
        SCOPED_TRACE(std::string(search) + " with " + std::to_string(limit) + " bytes");
        SearchOptions options;
        options.when_full = when;
        options.limits.memory = limit;
        options.limits.time = 10s;
        const Searched result = run_search(program<Buggy>(), search, "round-robin", options);
        ASSERT_EQ(result.findings.size(), 1u);
        EXPECT_EQ(result.findings[0].kind, FindingKind("assertion"));
        EXPECT_FALSE(result.outcome.complete);
      }
    }
  }
}

// Where everything is one great cycle, a full store means to search again what was forgotten: it may end by the clock.
TEST(Memory, parallel_NobodySaysVerifiedTooEarly) {
  constexpr std::uint64_t kStates = std::uint64_t{Torus::kSide} * Torus::kSide * Torus::kSide;
  for (const Entry<Search>& entry : Registry<Search>::all()) {
    if (entry.kind.reduces) continue;  // dpor_test.cc
    if (!entry.kind.complete) continue;
    for (const StoreKind store : {StoreKind::kExact, StoreKind::kBitstate}) {
      for (const WhenFull when : {WhenFull::kStop, WhenFull::kReplace}) {
        for (const std::uint64_t limit : {std::uint64_t{1}, std::uint64_t{60'000}, std::uint64_t{300'000}, std::uint64_t{700'000}}) {
          SCOPED_TRACE(entry.name + " with " + std::to_string(limit) + " bytes");
          SearchOptions options;
          options.jobs = 2;
          options.store = store;
          options.when_full = when;
          options.limits.memory = limit;
          options.limits.time = 40ms;
          const Searched result = run_search(program<Torus>(), entry.name, "run-to-completion", options);
          EXPECT_TRUE(result.findings.empty());
          const bool lossy = store != StoreKind::kExact;
          EXPECT_TRUE(result.outcome.lossy || !lossy || entry.kind.decides_liveness);
          EXPECT_TRUE(lossy || !result.outcome.complete || result.outcome.totals.value_or(result.totals).states >= kStates);
          if (!result.outcome.complete) {
            EXPECT_TRUE(result.outcome.stopped_by == StoppedBy::kMemory || result.outcome.stopped_by == StoppedBy::kTime)
                << static_cast<int>(result.outcome.stopped_by);
          }
        }
      }
    }
  }
}

TEST(Memory, LossyStoresAreSaidToBeLossy) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomProgram random(seed + 70'000);
    const Everything truth = brute_force(model_of(random), 5000);
    if (!truth.complete) continue;
    const auto made = make_model_program(model_of(random));
    for (const Entry<Search>& entry : Registry<Search>::all()) {
      if (entry.kind.reduces) continue;  // dpor_test.cc
      if (!entry.kind.complete) continue;
      SCOPED_TRACE(entry.name);
      SearchOptions options;
      options.store = StoreKind::kBitstate;
      options.limits.memory = 8 << 20;
      const Searched result = run_search(*made, entry.name, "round-robin", options);
      EXPECT_TRUE(result.outcome.lossy || !truth.verified() || entry.kind.decides_liveness);  // those are exact whatever is asked for; the command line refuses it
      EXPECT_TRUE(result.findings.empty() || !truth.verified());
    }
  }
}

}  // namespace
}  // namespace tarry::test
