// Explorers from files are checked on the way: one that is not sound, names a process that cannot run, is impure or throws is blamed by name,
// with the state where it failed, and never verifies.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "base/hash.h"
#include "tests/support/composed.h"
#include "tests/support/fewer.h"
#include "tests/support/random_program.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

/// Process 0 takes a step alone; then all three take two steps each, in any order.
struct Fan {
  struct State {
    Upto<1> begun;
    Upto<2> at[3];
    TARRY_FIELDS(begun, at)
  };
  static constexpr int processes = 3;
  State initial() { return {}; }
  void step(State& s, int p, Run& run) {
    if (s.begun == 0) {
      if (p != 0) return run.idle();
      s.begun = 1;
      return;
    }
    if (s.at[p] == 2) return run.ended();
    ++s.at[p];
  }
};
constexpr std::uint64_t kFanStates = 1 + 3 * 3 * 3;

const abi::Model& fan() {
  static constexpr abi::Model kTable = detail::Adapter<Fan>::table("fan", __FILE__);
  return kTable;
}

/// Sound: the memo counts delays since the last step. What derives from it is not.
class Counting : public Explorer {
 public:
  Memo initial(const ProcessSet&) const override { return {0}; }
  ProcessId next(const Memo& memo, const ProcessSet& open) const override { return open.at(memo[0] % open.size()); }
  Memo delay(const Memo& memo, const ProcessSet&) const override { return {static_cast<std::uint16_t>(memo[0] + 1)}; }
  Memo step(const Memo&, const Step&) const override { return {0}; }
};

class NeverMovesOn final : public Counting {
  Memo delay(const Memo& memo, const ProcessSet&) const override { return memo; }
};
/// Offers the first, the second, and the second again.
class ForgetsTheLast final : public Counting {
  ProcessId next(const Memo& memo, const ProcessSet& open) const override { return open.at(std::min<std::uint32_t>(memo[0], open.size() == 3 ? 1 : open.size() - 1)); }
};
class NamesTheClosed final : public Counting {
  ProcessId next(const Memo& memo, const ProcessSet& open) const override {
    for (std::uint32_t p = 0; p < 3; ++p)
      if (!open.contains(ProcessId{p})) return ProcessId{p};
    return Counting::next(memo, open);
  }
};
class NamesNobody final : public Counting {
  ProcessId next(const Memo&, const ProcessSet&) const override { return ProcessId{~std::uint32_t{0}}; }
};
class CountsItsCalls final : public Counting {
  ProcessId next(const Memo&, const ProcessSet& open) const override { return open.at(++calls_ % open.size()); }
  mutable std::atomic<std::uint32_t> calls_{0};
};
/// Two questions in a row have one answer; but it depends on the step that was seen last.
class RemembersTheLastStep final : public Counting {
  ProcessId next(const Memo& memo, const ProcessSet& open) const override { return open.at((memo[0] + last_) % open.size()); }
  Memo step(const Memo&, const Step& step) const override { return last_ = index(step.process), Memo{0}; }
  mutable std::atomic<std::uint32_t> last_{0};
};
class ImpureDelay final : public Counting {
  Memo delay(const Memo& memo, const ProcessSet&) const override { return {static_cast<std::uint16_t>(memo[0] + 1 + 3 * (++calls_ % 2))}; }
  mutable std::atomic<std::uint32_t> calls_{0};
};
class Throws final : public Counting {
  ProcessId next(const Memo& memo, const ProcessSet& open) const override {
    if (open.size() == 2) throw std::runtime_error("two is a crowd");
    return Counting::next(memo, open);
  }
};
class ThrowsInStep final : public Counting {
  Memo step(const Memo&, const Step&) const override { throw 7; }
};

template <class Type>
ExplorerMaker make() {
  return [](std::uint64_t) { return std::make_unique<Type>(); };
}

Searched search_with(const Program& program, const std::string& search, const ExplorerMaker& explorer, SearchOptions options = {}) {
  const auto progress = std::make_unique<Progress>();
  const Entry<Search>* entry = Registry<Search>::find(search);
  options.limits.memory = 64 << 20;
  options.limits.samples = 200;
  Session session(program, options, explorer, *progress);
  session.explorer_file = "Mine";
  entry->kind.make(with_defaults(entry->params, search == "fair-cycle" ? ParamValues{{"deepen", 1}} : ParamValues{}))->run(session);
  return {session.outcome, session.findings(), session.totals()};
}

struct Case {
  const char* name;
  ExplorerMaker make;
  const char* says;
  const char* or_says = nullptr;  // with several workers: another one asked the same explorer between two questions
};
constexpr const char* kLeavesOut = "which can run, not at all";

std::vector<Case> faults() {
  return {{"never moves on", make<NeverMovesOn>(), "which can run, not at all; as many delays as there are open processes must offer each of them once"},
          {"forgets the last", make<ForgetsTheLast>(), "it offers process 1 twice and process 2, which can run, not at all"},
          {"names the closed", make<NamesTheClosed>(), "'next' named process 1, which cannot run here"},
          {"names nobody", make<NamesNobody>(), "which cannot run here"},
          {"counts its calls", make<CountsItsCalls>(), "'next' gave two answers to one question", kLeavesOut},
          {"remembers the last step", make<RemembersTheLastStep>(), "'next' gave two answers to one question", kLeavesOut},
          {"impure delay", make<ImpureDelay>(), "'delay' gave two answers to one question", kLeavesOut},
          {"throws", make<Throws>(), "'next' threw an exception: two is a crowd"},
          {"throws in step", make<ThrowsInStep>(), "'step' threw an exception"}};
}

std::vector<std::string> searches_with_explorer() {
  std::vector<std::string> out;
  for (const Entry<Search>& entry : Registry<Search>::all())
    if (entry.kind.takes_explorer) out.push_back(entry.name);
  return out;
}

TEST(UnsoundExplorer, parallel_EveryFaultIsBlamedOnTheExplorerByEverySearch) {
  const auto program = make_model_program(fan());
  for (const Case& fault : faults()) {
    for (const std::string& search : searches_with_explorer()) {
      for (const std::uint32_t jobs : {1u, 2u}) {
        for (const std::uint32_t fair : {0u, 1u}) {  // fair schedules are explored by running the program again and again
          if (fair != 0 && (search == "ses-ss" || jobs > 1)) continue;
          SCOPED_TRACE(std::string(fault.name) + ", " + search + ", jobs " + std::to_string(jobs) + ", fair " + std::to_string(fair));
          SearchOptions options;
          options.jobs = jobs;
          options.fair = fair;
          const Searched result = search_with(*program, search, fault.make, options);
          ASSERT_FALSE(result.findings.empty());
          for (const Finding& finding : result.findings) {
            EXPECT_EQ(finding.kind, FindingKind("explorer"));
            EXPECT_TRUE(finding.message.starts_with("explorer 'Mine' is not sound: ")) << finding.message;
            const auto says = [&](const char* words) { return finding.message.find(words) != std::string::npos; };
            EXPECT_TRUE(says(fault.says) || (jobs > 1 && fault.or_says != nullptr && says(fault.or_says))) << finding.message;
            EXPECT_EQ(follow(fan(), finding), "");  // the schedule leads to a state of the program
          }
          EXPECT_FALSE(result.outcome.complete);
          EXPECT_EQ(result.outcome.stopped_by, StoppedBy::kFinding);
        }
      }
    }
  }
}

// The schedule leads to a state in which the first open process hides the second; with one open process there is nothing to leave out.
TEST(UnsoundExplorer, TheFindingSaysInWhichStateTheExplorerFailed) {
  const auto program = make_model_program(fan());
  for (const std::string& search : searches_with_explorer()) {
    const Searched result = search_with(*program, search, make<NeverMovesOn>());
    ASSERT_EQ(result.findings.size(), 1u) << search;
    Composed composed(fan());
    Words state = *composed.initial();
    for (const Choice& choice : result.findings[0].schedule) state = composed.take(state, choice.number, {}).words;
    const Around around = composed.around(state);
    ASSERT_GE(around.open().size(), 2u) << search;
    const std::string says = "it offers process " + std::to_string(index(around.open().at(0))) + " twice and process " + std::to_string(index(around.open().at(1))) + ", which";
    EXPECT_NE(result.findings[0].message.find(says), std::string::npos) << search << ": " << result.findings[0].message;
    if (search == "ss") {
      EXPECT_EQ(result.findings[0].steps, 1u);
    }
  }
}

TEST(UnsoundExplorer, parallel_ASoundOneIsNotBlamed) {
  const auto program = make_model_program(fan());
  for (const std::uint32_t jobs : {1u, 2u}) {
    SearchOptions options;
    options.jobs = jobs;
    const Searched counting = search_with(*program, "ses", make<Counting>(), options);
    EXPECT_TRUE(counting.outcome.complete);
    EXPECT_EQ(counting.totals.states, kFanStates);
    for (const Entry<Explorer>& entry : Registry<Explorer>::all()) {
      for (const std::string& search : searches_with_explorer()) {
        const Searched checked = search_with(*program, search, entry.kind.make, options);
        EXPECT_TRUE(checked.findings.empty()) << entry.name << ", " << search << ": " << checked.findings[0].message;
        if (search != "ss") {
          EXPECT_EQ(checked.totals.states, kFanStates) << entry.name;
        }
      }
    }
  }
}

/// Sound but for some memos, whose delays lead nowhere.
class SometimesStuck final : public Counting {
 public:
  explicit SometimesStuck(std::uint64_t seed) : seed_(seed) {}
  Memo initial(const ProcessSet&) const override { return {0, 0}; }
  Memo delay(const Memo& memo, const ProcessSet&) const override {
    return {static_cast<std::uint16_t>(memo[0] + (stuck(memo) ? 0 : 1)), memo[1]};
  }
  Memo step(const Memo& memo, const Step& step) const override {
    return {0, static_cast<std::uint16_t>((memo[1] * 7 + index(step.process) + 1) % 61)};
  }

 private:
  bool stuck(const Memo& memo) const { return hash_of(memo.span(), seed_) % 24 == 0; }
  std::uint64_t seed_;
};

// What is said to be verified was explored to the last state, whatever the explorer. Otherwise the explorer is blamed, or a bug found.
TEST(UnsoundExplorer, NothingIsVerifiedWithAStateLeftOut) {
  int blamed = 0, verified = 0;
  for (std::uint64_t seed = 0; seed < fewer(400u); ++seed) {
    const RandomProgram random(seed + 70'000);
    const Everything truth = brute_force(model_of(random), 5000);
    if (!truth.verified()) continue;
    for (const CacheKey cache : {CacheKey::kProgram, CacheKey::kProgramAndExplorer}) {
      Record record;
      const RecordingProgram program(model_of(random), record);
      SearchOptions options;
      options.cache = cache;
      const Searched result = search_with(program, "ses", [seed](std::uint64_t) { return std::make_unique<SometimesStuck>(seed); }, options);
      if (result.outcome.complete) {
        ++verified;
        ASSERT_EQ(record.states.size(), truth.states.size()) << random.text();
      } else {
        ++blamed;
        ASSERT_EQ(result.findings.size(), 1u);
        ASSERT_EQ(result.findings[0].kind, FindingKind("explorer")) << result.findings[0].message;
      }
    }
  }
  EXPECT_GT(blamed, fewer(50));
  EXPECT_GT(verified, fewer(20));
}

}  // namespace
}  // namespace tarry::test
