// Run to completion: follows the causal sequence of events.
//
// The receiver of the most recent message runs first, then its receiver, and so on. A new process runs before its creator. A
// delay moves the process with the highest priority to the lowest. This reaches deep states with few delays.
//
// Paper: Desai, Qadeer, Seshia. FSE 2015, section 6.2.
// Invariant: the memo holds every live process exactly once, highest priority first.
#include "core/registry.h"

namespace tarry {
namespace {

class RunToCompletion final : public Explorer {
 public:
  Memo initial(const ProcessSet& alive) const override { return queue::of(alive); }
  ProcessId next(const Memo& order, const ProcessSet& open) const override { return queue::first_open(order, open); }
  Memo delay(const Memo& order, const ProcessSet& open) const override {
    Memo after = order;
    queue::to_tail(after, next(order, open));
    return after;
  }
  Memo step(const Memo& order, const Step& step) const override {
    Memo after = order;
    queue::to_front(after, step.process);
    queue::update(after, step, [](Memo& memo, ProcessId p) { memo.insert(0, static_cast<std::uint16_t>(index(p))); });
    for (const std::uint32_t receiver : step.sent) queue::to_front(after, ProcessId{receiver});
    return after;
  }
};

const Registration<Explorer> entry{{
    .name = "run-to-completion",
    .summary = "the receiver of the latest message runs first; deep states with few delays",
    .paper = "Desai et al., FSE 2015, section 6.2",
    .kind = {.make = [](std::uint64_t) { return std::make_unique<RunToCompletion>(); }},
}};

}  // namespace
}  // namespace tarry
