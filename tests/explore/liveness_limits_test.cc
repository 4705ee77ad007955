// Searches for liveness that are told to end: what is proven or found by then is kept, and the watcher sees that they go on (process/supervise.h).
#include <gtest/gtest.h>

#include <atomic>

#include "tests/support/graph_program.h"
#include "tests/support/liveness_ways.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

/// A graph that counts what it is asked.
class CountingGraph final : public Program {
 public:
  explicit CountingGraph(Graph graph) : inner_(std::move(graph)) {}
  const Shape& shape() const override { return inner_.shape(); }
  std::unique_ptr<Narrator> narrator() const override { return inner_.narrator(); }
  std::vector<Property> properties() const override { return inner_.properties(); }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Space>(*this); }

  mutable std::atomic<std::uint64_t> steps{0}, asked_who_can_run{0};
  std::function<void()> stepped = [] {};

 private:
  class Space final : public StateSpace {
   public:
    explicit Space(const CountingGraph& all) : all_(all), inner_(all.inner_.open()) {}
    StepText initial(Word* words) override { return inner_->initial(words); }
    void expand(StateView s, abi::Expansion& out) override { step(), inner_->expand(s, out); }
    void survey(StateView s, Survey& out) override { inner_->survey(s, out); }
    void enabled(StateView s, std::span<std::uint64_t> out) override { ++all_.asked_who_can_run, inner_->enabled(s, out); }
    void take(StateView s, ProcessId p, std::span<const std::uint32_t> v, abi::Taken& out) override { step(), inner_->take(s, p, v, out); }
    const abi::Cursor& cursor() const override { return inner_->cursor(); }

   private:
    void step() { ++all_.steps, all_.stepped(); }
    const CountingGraph& all_;
    std::unique_ptr<StateSpace> inner_;
  };
  GraphProgram inner_;
};

/// Runs a search that has to end as soon as `told` says so.
Searched run_until(const Program& program, const LivenessWay& way, const SearchOptions& options, const std::function<bool()>& told, Progress& progress) {
  const Entry<Search>* const entry = Registry<Search>::find(way.search);
  Session session(program, options, Registry<Explorer>::find("round-robin")->kind.make, progress);
  session.watch = told;
  entry->kind.make(with_defaults(entry->params, way.params))->run(session);
  return {session.outcome, session.findings(), session.totals()};
}
Searched run_until(const Program& program, const LivenessWay& way, const SearchOptions& options, const std::function<bool()>& told) {
  const auto progress = std::make_unique<Progress>();
  return run_until(program, way, options, told, *progress);
}

std::vector<LivenessWay> ways_of(const std::string& search) {
  std::vector<LivenessWay> out = liveness_ways();
  std::erase_if(out, [&](const LivenessWay& way) { return way.search != search; });
  return out;
}

constexpr std::uint32_t kRing = 2'000;

/// Process 0 goes round. Its choice in the first state can end that, so the loop needs a choice that goes against the program for ever.
Graph ring_with_way_out() {
  Graph out{.states = kRing + 1, .processes = 2, .properties = 1, .edges = {{0, 0, {0}, 1, {1, 0}, {}}, {0, 0, {1}, kRing, {}, {}}}};
  for (std::uint32_t s = 1; s < kRing; ++s) out.edges.push_back({s, 0, {}, (s + 1) % kRing, {1, 0}, {}});
  return out;
}

// Who can run is asked for the note only: with fair choices there is no component to judge.
TEST(LivenessLimits, AProofIsKeptIfTheTimeIsOverBeforeItsNote) {
  Graph starving = ring_with_way_out();  // process 1 can run in every state, so every state is asked about
  for (std::uint32_t s = 0; s < kRing; ++s) starving.hidden.insert({s, 1});
  for (const LivenessWay& way : ways_of("fair-cycle")) {
    const CountingGraph program(starving);
    const Searched searched = run_until(program, way, {}, [&] { return program.asked_who_can_run > 0; });
    EXPECT_TRUE(searched.outcome.live && searched.outcome.complete);
    EXPECT_EQ(searched.outcome.stopped_by, StoppedBy::kNothing);
    EXPECT_EQ(searched.outcome.notes, std::vector<std::string>{"whether fair choices were needed was not found out in time"});
    EXPECT_LT(program.asked_who_can_run, kRing);
  }
}

TEST(LivenessLimits, ANoteWhosePlaceIsNotFoundInTimeNamesNone) {
  for (const LivenessWay& way : ways_of("fair-cycle"))
    for (const bool told : {false, true}) {
      const CountingGraph program(ring_with_way_out());
      const Searched searched = run_until(program, way, {}, [&] { return told && program.asked_who_can_run > 0; });
      EXPECT_TRUE(searched.outcome.live && searched.outcome.complete);
      ASSERT_EQ(searched.outcome.notes.size(), 1u);
      EXPECT_EQ(searched.outcome.notes[0], "property 0 holds because data choices are fair: " + std::string(told ? "a choice" : "the choice of process 0") + " could go against it for ever; --choices demonic shows how");
    }
}

/// Process 0 stays hot in the first state; process 1 goes to the other state and back.
const Graph kTwoStates{.states = 2, .processes = 2, .properties = 1, .edges = {{0, 0, {}, 0, {1, 0}, {}}, {0, 1, {}, 1, {}, {}}, {1, 1, {}, 0, {}, {}}}};

TEST(LivenessLimits, ALoopIsReportedIfTheTimeIsOverBeforeItIsComplete) {
  for (const LivenessWay& way : ways_of("fair-cycle")) {
    const CountingGraph program(kTwoStates);
    const std::uint64_t asked_before = way.deepens ? 1 : 0;  // without delays there is only the first state, where process 1 is starved
    const Searched searched = run_until(program, way, {}, [&] { return program.asked_who_can_run > asked_before; });
    EXPECT_EQ(searched.outcome.stopped_by, StoppedBy::kFinding);
    ASSERT_EQ(searched.findings.size(), 1u);
    EXPECT_EQ(searched.findings[0].loop, 1u);
    EXPECT_EQ(searched.findings[0].steps, 1u);
    EXPECT_EQ(searched.findings[0].why.back(), "the loop that is shown is part of the fair one, for which there was no time");
    const Searched in_time = run_until(program, way, {}, [] { return false; });
    ASSERT_EQ(in_time.findings.size(), 1u);
    EXPECT_EQ(in_time.findings[0].steps, 3u);
    EXPECT_EQ(in_time.findings[0].why.size(), 1u);
  }
}

constexpr std::uint32_t kLong = 100'000;

Graph ring(const abi::Marks& closing, const abi::Marks& others) {
  Graph out{.states = kLong, .processes = 1, .properties = 1, .edges = {}};
  for (std::uint32_t s = 0; s < kLong; ++s) out.edges.push_back({s, 0, {}, (s + 1) % kLong, s + 1 == kLong ? closing : others, {}});
  return out;
}

SearchOptions demonic(std::uint32_t jobs = 1) {
  SearchOptions options;
  options.choices = LoopChoices::kDemonic;
  options.jobs = jobs;
  return options;
}

// A long way back is looked for when the last step has been taken.
TEST(LivenessLimits, parallel_TheWatcherSeesThatALassoIsMade) {
  for (const LivenessWay& way : liveness_ways()) {
    const auto progress = std::make_unique<Progress>();
    CountingGraph program(ring({1, 0}, {}));
    std::uint64_t before = 0;
    program.stepped = [&] { before = progress->workers[0].beat; };
    const Searched searched = run_until(program, way, demonic(), [] { return false; }, *progress);
    ASSERT_EQ(searched.findings.size(), 1u) << way.search;
    EXPECT_GE(progress->workers[0].beat - before, kLong / 4096) << way.search;
  }
}

// The ring is cold in one place, so all of it is dropped. Nothing else is done once the last step has been taken.
TEST(LivenessLimits, parallel_MapEndsWhileItDropsPartitions) {
  for (const LivenessWay& way : ways_of("map"))
    for (const std::uint32_t jobs : {1u, 2u}) {
      const CountingGraph program(ring({0, 1}, {1, 0}));
      std::atomic<std::uint64_t> steps{0}, polls{0};
      const auto told = [&] {
        if (steps.exchange(program.steps) != program.steps) polls = 0;
        return ++polls > 100;
      };
      const Searched searched = run_until(program, way, demonic(jobs), told);
      EXPECT_EQ(searched.outcome.stopped_by, StoppedBy::kInterrupt);
      EXPECT_FALSE(searched.outcome.live || searched.outcome.complete);
      EXPECT_GE(program.steps, kLong);
      EXPECT_TRUE(run_until(program, way, demonic(jobs), [] { return false; }).outcome.live);
    }
}

}  // namespace
}  // namespace tarry::test
