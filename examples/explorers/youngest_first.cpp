// An explorer of one's own: the process that was created last runs first, and who blocks falls back.
//   tarry check examples/models/lcr.cpp --search ses --explorer examples/explorers/youngest_first.cpp
#include <tarry/explorer.h>

using namespace tarry;

class YoungestFirst final : public Explorer {
 public:
  Memo initial(const ProcessSet& alive) const override {
    Memo order = queue::of(alive);
    std::reverse(order.begin(), order.end());
    return order;
  }
  ProcessId next(const Memo& order, const ProcessSet& open) const override { return queue::first_open(order, open); }
  Memo delay(const Memo& order, const ProcessSet& open) const override {
    Memo after = order;
    queue::to_tail(after, next(order, open));
    return after;
  }
  Memo step(const Memo& order, const Step& step) const override {
    Memo after = order;
    queue::update(after, step, [](Memo& memo, ProcessId p) { memo.insert(0, static_cast<std::uint16_t>(index(p))); });
    if (step.blocked()) queue::to_tail(after, step.process);
    return after;
  }
};
TARRY_EXPLORER(YoungestFirst)
