// Probabilistic round robin: round robin in a random order.
//
// A process gets a random place in the queue when it is created; everything else is as in round robin. The order of creation is
// seldom the order that shows a bug. The places are a function of the seed and of the queue at that moment, so the same history
// gives the same order again.
//
// Paper: Desai, Qadeer, Seshia. FSE 2015, section 6.2.
// Invariant: the memo holds every live process exactly once.
#include "base/hash.h"
#include "base/rng.h"
#include "core/registry.h"

namespace tarry {
namespace {

class ProbabilisticRoundRobin final : public Explorer {
 public:
  explicit ProbabilisticRoundRobin(std::uint64_t seed) : seed_(seed) {}

  Memo initial(const ProcessSet& alive) const override {
    Memo turn;
    alive.for_each([&](ProcessId p) { insert_somewhere(turn, p); });
    return turn;
  }
  ProcessId next(const Memo& turn, const ProcessSet& open) const override { return queue::first_open(turn, open); }
  Memo delay(const Memo& turn, const ProcessSet& open) const override {
    Memo after = turn;
    queue::to_tail(after, next(turn, open));
    return after;
  }
  Memo step(const Memo& turn, const Step& step) const override {
    Memo after = turn;
    queue::update(after, step, [&](Memo& memo, ProcessId p) { insert_somewhere(memo, p); });
    if (step.blocked()) queue::to_tail(after, step.process);
    return after;
  }

 private:
  void insert_somewhere(Memo& turn, ProcessId p) const {
    Rng rng(seed_ ^ hash_of(turn.span()), index(p));
    turn.insert(static_cast<std::uint32_t>(rng.below(turn.size() + 1)), static_cast<std::uint16_t>(index(p)));
  }

  std::uint64_t seed_;
};

const Registration<Explorer> entry{{
    .name = "probabilistic-round-robin",
    .summary = "round robin in an order drawn from the seed",
    .paper = "Desai et al., FSE 2015, section 6.2",
    .kind = {.make = [](std::uint64_t seed) { return std::make_unique<ProbabilisticRoundRobin>(seed); }},
}};

}  // namespace
}  // namespace tarry
