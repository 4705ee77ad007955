// Priority: an order of the processes that the program itself may change as it runs.
//
// The first enabled process of the order runs. A delay moves one place further, for this step only. The program calls
// `moves_first(p)` or `moves_last(p)`: for example, servers first while a system starts, and fault injection first from then on,
// so that few delays are spent on failures during start-up.
//
// Paper: Desai, Qadeer, Seshia. FSE 2015, section 6.3.
// Invariant: memo = delays since the last step, then every live process exactly once in order.
#include "core/registry.h"

namespace tarry {
namespace {

class Priority final : public Explorer {
 public:
  Memo initial(const ProcessSet& alive) const override {
    Memo memo = queue::of(alive);
    memo.insert(0, 0);
    return memo;
  }

  ProcessId next(const Memo& memo, const ProcessSet& open) const override {
    std::uint32_t skip = memo[0] % open.size();
    for (std::uint32_t i = 1; i < memo.size(); ++i)
      if (open.contains(ProcessId{memo[i]}) && skip-- == 0) return ProcessId{memo[i]};
    return open.at(0);  // not reached while the memo holds every live process
  }

  Memo delay(const Memo& memo, const ProcessSet& open) const override {
    Memo after = memo;
    after[0] = static_cast<std::uint16_t>((memo[0] + 1) % open.size());
    return after;
  }

  Memo step(const Memo& memo, const Step& step) const override {
    Memo order = memo;
    order.erase(0);
    queue::update(order, step, [](Memo& to, ProcessId p) { to.push_back(static_cast<std::uint16_t>(index(p))); });
    for (const abi::OrderChange& change : step.order) {
      if (change.to == abi::Order::kFirst) queue::to_front(order, ProcessId{change.process});
      else queue::to_tail(order, ProcessId{change.process});
    }
    order.insert(0, 0);
    return order;
  }
};

const Registration<Explorer> entry{{
    .name = "priority",
    .summary = "an order that the program changes as it runs (moves_first, moves_last)",
    .paper = "Desai et al., FSE 2015, section 6.3",
    .kind = {.make = [](std::uint64_t) { return std::make_unique<Priority>(); }},
}};

}  // namespace
}  // namespace tarry
