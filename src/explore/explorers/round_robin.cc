// Round robin: processes take turns in the order of their creation.
//
// The process at the head of the queue runs until it blocks, finishes or is delayed; then it moves to the tail. This finds bugs
// that need few switches, to any process; other explorers reach deeper states.
//
// Paper: Desai, Qadeer, Seshia. Systematic Testing of Asynchronous Reactive Systems. FSE 2015, sections 2 (example) and 6.2.
// We differ: processes that cannot run are skipped, where the paper's example would offer them.
// Invariant: the memo holds every live process exactly once, so n delays bring each of n enabled processes to the head.
#include "core/registry.h"

namespace tarry {
namespace {

class RoundRobin final : public Explorer {
 public:
  Memo initial(const ProcessSet& alive) const override { return queue::of(alive); }
  ProcessId next(const Memo& turn, const ProcessSet& open) const override { return queue::first_open(turn, open); }
  Memo delay(const Memo& turn, const ProcessSet& open) const override {
    Memo after = turn;
    queue::to_tail(after, next(turn, open));
    return after;
  }
  Memo step(const Memo& turn, const Step& step) const override {
    Memo after = turn;
    queue::update(after, step, [](Memo& memo, ProcessId p) { memo.push_back(static_cast<std::uint16_t>(index(p))); });
    if (step.blocked()) queue::to_tail(after, step.process);
    return after;
  }
};

const Registration<Explorer> entry{{
    .name = "round-robin",
    .summary = "processes take turns in the order of their creation",
    .paper = "Desai et al., FSE 2015, section 2",
    .kind = {.make = [](std::uint64_t) { return std::make_unique<RoundRobin>(); }},
}};

}  // namespace
}  // namespace tarry
