// Partial-order reduction by several workers: together they run each trace once, as one worker does.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "explore/memory_post.h"
#include "tests/explore/dpor_programs.h"
#include "tests/support/fewer.h"

namespace tarry::test::dpor {
namespace {

/// Keeps letters back for a while, and gives away less often: schedules that threads rarely meet by themselves.
class SlowPost final : public Post {
 public:
  SlowPost(Post& post, std::uint64_t seed) : post_(post), rng_(seed, 77) {}
  void send(std::uint32_t to, std::span<const std::uint32_t> words) override { post_.send(to, words); }
  std::optional<std::vector<std::uint32_t>> receive() override {
    if (!letter_) letter_ = post_.receive();
    if (!letter_ || rng_.below(3) == 0) return std::nullopt;
    return std::exchange(letter_, std::nullopt);
  }
  void wait() override {
    if (!letter_) post_.wait();
  }
  void set_idle(bool idle) override { post_.set_idle(idle && !letter_); }
  bool anyone_idle() const override { return post_.anyone_idle(); }
  std::optional<std::uint32_t> claim_idle() override { return rng_.below(6) == 0 ? std::nullopt : post_.claim_idle(); }
  std::uint64_t state() const override { return post_.state(); }
  void change_state(std::uint64_t from, std::uint64_t to) override { post_.change_state(from, to); }

 private:
  Post& post_;
  Rng rng_;
  std::optional<std::vector<std::uint32_t>> letter_;
};

struct Together {
  Facts facts;
  std::uint64_t by_others = 0;  // executions of all workers but the first
  std::uint64_t in_vain = 0;
  bool complete = true;
};

/// Each worker has a session and a program of its own, as processes have.
Together explore(const Source& source, std::uint32_t workers, const std::string& search, std::uint64_t seed = 1, const ParamValues& params = {}) {
  const Entry<Search>* const entry = Registry<Search>::find(search);
  MemoryPost post(workers);
  std::vector<Outcome> outcomes(workers);
  std::vector<Facts> facts(workers);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t w = 0; w < workers; ++w)
      threads.emplace_back([&, w] {
        const SmallProgram program(source);
        const auto progress = std::make_unique<Progress>();
        SearchOptions options;
        options.keep_going = true;
        Session session(program, options, {}, *progress);
        SlowPost slow(post.of(w), seed * workers + w);
        session.crew = {.worker = w, .workers = workers, .share = nullptr, .post = &slow};
        entry->kind.make(with_defaults(entry->params, params))->run(session);
        outcomes[w] = session.outcome;
        facts[w] = program.facts;
      });
  }
  Together out;
  for (std::uint32_t w = 0; w < workers; ++w) {
    out.facts.ends.insert(facts[w].ends.begin(), facts[w].ends.end());
    out.facts.traces.insert(facts[w].traces.begin(), facts[w].traces.end());
    out.complete &= outcomes[w].complete;
    out.in_vain += outcomes[w].in_vain;
    if (w > 0) out.by_others += facts[w].executions;
  }
  return out;
}

struct Way {
  const char* search;
  std::uint32_t workers;
  ParamValues params = {};
};
const Way kWays[] = {{"dpor", 2}, {"dpor", 3}, {"dpor", 5}, {"dpor", 3, {{"plans", 6}}}, {"source-dpor", 2}, {"source-dpor", 5}};

void compare(std::uint64_t first, int count, Kind kind) {
  count = fewer(count);
  if (const char* const more = std::getenv("DPOR_SEED")) first += std::strtoull(more, nullptr, 10);  // by hand: further programs
  if (const char* const more = std::getenv("DPOR_COUNT")) count = std::atoi(more);
  std::uint64_t by_others = 0, traces = 0, in_vain = 0;
  for (std::uint64_t seed = first; count > 0; ++seed) {
    const Source source = random_source(seed, kind);
    Everything all(source, 5000);
    if (!all.run() || all.facts.traces.size() < 4) continue;
    --count;
    for (const Way& way : kWays) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + way.search + (way.params.empty() ? "" : " with few plans") + ", " + std::to_string(way.workers) + " workers\n" + source.text());
      const Together ran = explore(source, way.workers, way.search, seed, way.params);
      ASSERT_TRUE(ran.complete);
      ASSERT_TRUE(ran.facts.ends == all.facts.ends);
      ASSERT_TRUE(ran.facts.traces == all.facts.traces) << ran.facts.traces.size() << " traces instead of " << all.facts.traces.size();
      by_others += ran.by_others;
      traces += all.facts.traces.size();
      if (std::string(way.search) == "dpor" && way.params.empty()) in_vain += ran.in_vain;
    }
  }
  std::cout << by_others << " of " << traces << " executions by other workers than the first, " << in_vain << " of dpor in vain\n";
  EXPECT_GT(by_others, traces / 100);
}

TEST(DporTogether, parallel_WorkersRunEachTraceOnceOfProgramsWithMemory) { compare(60'000'000, 120, Kind::kOnlyMemory); }
TEST(DporTogether, parallel_WorkersRunEachTraceOnceOfProgramsWithLocks) { compare(61'000'000, 120, Kind::kAlsoLocks); }
TEST(DporTogether, parallel_WorkersRunEachTraceOnceOfProgramsThatWait) { compare(62'000'000, 120, Kind::kAlsoWaits); }
TEST(DporTogether, parallel_WorkersRunEachTraceOnceOfProgramsThatEndInTheMiddle) { compare(63'000'000, 120, Kind::kAlsoEnds); }
TEST(DporTogether, parallel_WorkersRunEachTraceOnceOfProgramsWithRareOperations) { compare(64'000'000, 120, Kind::kAlsoRare); }

/// A worker that does nothing with what it was given: the others wait for it, and prove nothing.
void lose_a_worker(const std::string& search) {
  SCOPED_TRACE(search);
  using enum Do;
  const Source source{.code = {{{kAdd, 0}, {kAdd, 1}}, {{kAdd, 0}, {kAdd, 1}}, {{kAdd, 0}, {kAdd, 1}}}};
  const SmallProgram program(source);
  MemoryPost post(2);
  post.of(1).set_idle(true);
  const auto progress = std::make_unique<Progress>();
  SearchOptions options;
  options.limits.time = std::chrono::milliseconds(200);
  Session session(program, options, {}, *progress);
  session.crew = {.worker = 0, .workers = 2, .share = nullptr, .post = &post.of(0)};
  const Entry<Search>* const entry = Registry<Search>::find(search);
  entry->kind.make(with_defaults(entry->params, {}))->run(session);
  EXPECT_TRUE(post.of(1).receive());
  EXPECT_FALSE(session.outcome.complete);
  EXPECT_EQ(session.outcome.stopped_by, StoppedBy::kTime);
}

TEST(DporTogether, parallel_NothingIsProvedWithoutAWorkerThatIsLost) {
  lose_a_worker("dpor");
  lose_a_worker("source-dpor");
}

/// Where one worker can prove nothing, all of them cannot.
TEST(DporTogether, parallel_NothingIsProvedWhereAStepEndsTheProgramBySurprise) {
  int surprised = 0;
  for (std::uint64_t seed = 65'000'000; seed < 65'000'060; ++seed) {
    const Source source = random_source(seed, Kind::kAlsoAborts);
    Everything all(source, 5000);
    if (!all.run()) continue;
    const bool aborts = std::any_of(all.facts.ends.begin(), all.facts.ends.end(), [](const State& state) { return state.failed; });
    for (const char* const search : {"dpor", "source-dpor"}) ASSERT_EQ(explore(source, 3, search).complete, !aborts) << search << "\n" << source.text();
    surprised += aborts ? 1 : 0;
  }
  EXPECT_GT(surprised, 5);
}

}  // namespace
}  // namespace tarry::test::dpor
