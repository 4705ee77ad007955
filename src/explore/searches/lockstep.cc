// Lockstep: all processes take turns of q steps each, for q = 1, 2, 3 and so on. Each q is tried twice: once from the start, and
// once from where the first process (main, which creates the others) cannot continue, so that the processes it created start side
// by side.
//
// A livelock needs processes that obstruct each other round after round. In random schedules this becomes less likely with every
// round, and searches that bound preemptions pay for each round. In lockstep it happens directly. The search takes only a few
// executions, so the portfolio runs it first. With fair scheduling, an execution that never ends is a finding.
//
// Paper: the livelock of Musuvathi, Qadeer. Fair Stateless Model Checking, PLDI 2008, section 1 and figure 1, appears with q = 1.
// Data choices are drawn at random.
#include "base/rng.h"
#include "core/registry.h"
#include "explore/sampling.h"

namespace tarry {
namespace {

class LockstepPolicy final : public Policy {
 public:
  LockstepPolicy(Rng rng, std::uint64_t quantum, bool gathers) : rng_(rng), quantum_(quantum), gathers_(gathers) {}

  std::uint32_t pick(const ChoicePoint& point) override {
    if (point.values != 0) return static_cast<std::uint32_t>(rng_.below(point.values));
    if (point.survey.sealed()) return index(point.survey.owner());
    const ProcessSet open = point.survey.open();
    if (gathers_ && open.contains(ProcessId{0})) return 0;
    gathers_ = false;
    if (started_ && taken_ < quantum_ && open.contains(ProcessId{running_})) return ++taken_, running_;
    std::uint32_t next = index(open.at(0));
    if (started_) {
      const std::uint32_t count = open.size();
      for (std::uint32_t i = 0; i < count; ++i)
        if (index(open.at(i)) > running_) {
          next = index(open.at(i));
          break;
        }
    }
    started_ = true;
    taken_ = 1;
    return running_ = next;
  }

 private:
  Rng rng_;
  std::uint64_t quantum_;
  bool gathers_;  // the first process still runs before the others
  std::uint64_t taken_ = 0;
  std::uint32_t running_ = 0;
  bool started_ = false;
};

class Lockstep final : public Search {
 public:
  explicit Lockstep(std::uint64_t most) : most_(most) {}

  void run(Session& session) override {
    if (!start_is_sound(session)) return;
    Sampler sampler(session);
    sampler.run(2 * most_, [&](Runner& runner, std::uint64_t number) {
      LockstepPolicy policy(Rng(session.options().seed, number), number / 2 + 1, number % 2 == 1);
      sampler.executed(runner, number, runner.run(policy), -1);
    });
    sampler.finish();
    if (!session.stopping()) session.stop(StoppedBy::kSamples);
  }

 private:
  std::uint64_t most_;
};

const Registration<Search> entry{{
    .name = "lockstep",
    .summary = "all processes in turns of one step, of two, of three …: livelocks",
    .paper = "Musuvathi and Qadeer, PLDI 2008, figure 1",
    .params = {{"turns", 32, 1, 1'000'000, "the longest turn, in steps"}},
    .kind = {.runs = true, .limits = {"samples"}, .hunts_executions = {{0}}, .make =
                 [](const ParamValues& values) { return std::make_unique<Lockstep>(static_cast<std::uint64_t>(values.at("turns"))); }},
}};

}  // namespace
}  // namespace tarry
