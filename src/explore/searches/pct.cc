// Probabilistic concurrency testing: random priorities, changed at a few random points.
//
// The enabled process with the highest priority runs. Each process gets a random priority when it appears. At d-1 points drawn
// from the first k steps, the process about to run falls below all others. A bug of depth d in a program of n processes and k
// steps is found with probability at least 1 / (n k^(d-1)) per sample.
//
// Paper: Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010; used as in Desai, Qadeer, Seshia, FSE 2015, section 6.1.
// - k is not known: it is the length of the longest execution so far, updated after every batch of samples, or `--steps`.
// - A process that yields gets the lowest priority; otherwise spin loops would never end.
// - Data choices are drawn uniformly; the bound does not cover them.
#include <algorithm>
#include <map>

#include "base/rng.h"
#include "core/registry.h"
#include "explore/sampling.h"

namespace tarry {
namespace {

class PctPolicy final : public Policy {
 public:
  PctPolicy(Rng rng, std::uint64_t depth, std::uint64_t steps) : rng_(rng) {
    for (std::uint64_t i = 1; i < depth; ++i) changes_.emplace(1 + rng_.below(steps), static_cast<std::int64_t>(i));
  }

  void begin(const Survey& first) override {
    first.alive().for_each([&](ProcessId p) { add(p); });
  }

  std::uint32_t pick(const ChoicePoint& point) override {
    if (point.values != 0) return static_cast<std::uint32_t>(rng_.below(point.values));
    if (point.survey.sealed()) return index(point.survey.owner());
    ++step_;
    // Several changes may fall on one step: each lowers the process that would run next.
    for (auto [at, end] = changes_.equal_range(step_); at != end; ++at) lowered_[highest(point.survey.open())] = at->second;
    return highest(point.survey.open());
  }

  void stepped(const Step& step) override {
    step.alive_after.for_each([&](ProcessId p) {
      if (!step.alive_before.contains(p)) add(p);
    });
    if (step.yielded) lowered_[index(step.process)] = --lowest_;
  }

 private:
  void add(ProcessId p) {
    lowered_.erase(index(p));
    std::erase(order_, index(p));
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(rng_.below(order_.size() + 1)), index(p));
  }

  /// Returns the enabled process with the highest priority. Initial priorities come first, in order; below them the lowered
  /// processes, the highest number first.
  std::uint32_t highest(const ProcessSet& open) const {
    for (const std::uint32_t p : order_)
      if (open.contains(ProcessId{p}) && !lowered_.contains(p)) return p;
    std::uint32_t best = index(open.at(0));
    std::int64_t best_place = INT64_MIN;
    for (const auto& [p, place] : lowered_)
      if (open.contains(ProcessId{p}) && place >= best_place) best = p, best_place = place;
    return best;
  }

  Rng rng_;
  std::multimap<std::uint64_t, std::int64_t> changes_;  // step -> the new priority of the process that runs there
  std::vector<std::uint32_t> order_;                    // highest priority first
  std::map<std::uint32_t, std::int64_t> lowered_;
  std::int64_t lowest_ = 0;
  std::uint64_t step_ = 0;
};

class Pct final : public Search {
 public:
  Pct(std::uint64_t depth, std::uint64_t steps) : depth_(depth), steps_(steps) {}

  void run(Session& session) override {
    if (!start_is_sound(session)) return;
    Sampler sampler(session);
    std::uint64_t steps = steps_ == 0 ? 1 : steps_;
    std::uint64_t batch = steps_ == 0 ? 16 : 1024;  // the first samples learn k
    while (sampler.run(batch, [&](Runner& runner, std::uint64_t number) {
      PctPolicy policy(Rng(session.options().seed, number), depth_, steps);
      sampler.executed(runner, number, runner.run(policy), -1);
    })) {
      if (steps_ == 0) steps = std::max<std::uint64_t>(sampler.longest(), 1);
      batch = std::min<std::uint64_t>(batch * 2, 1024);
    }
    session.outcome.notes.push_back("pct: depth " + std::to_string(depth_) + ", change points among the first " + std::to_string(steps) +
                                    " steps" + (steps_ == 0 ? " (the longest execution seen)" : ""));
    sampler.finish();
  }

 private:
  std::uint64_t depth_, steps_;
};

const Registration<Search> entry{{
    .name = "pct",
    .summary = "random priorities with a few random changes; a bound on the chance of missing a bug",
    .paper = "Burckhardt et al., ASPLOS 2010",
    .params = {{"depth", 5, 1, 64, "depth of the bugs looked for: one more than there are priority changes"},
               {"steps", 0, 0, 1'000'000'000, "steps among which the changes are drawn (k); 0: as many as were seen"}},
    .kind = {.runs = true, .limits = {"samples"}, .hunts_states = {{3}}, .hunts_executions = {{1}}, .make =
                 [](const ParamValues& values) {
                   return std::make_unique<Pct>(static_cast<std::uint64_t>(values.at("depth")),
                                                static_cast<std::uint64_t>(values.at("steps")));
                 }},
}};

}  // namespace
}  // namespace tarry
