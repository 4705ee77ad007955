#include "plang/vm/ledger.h"

#include <fmt/format.h>

#include "base/units.h"
#include "plang/vm/space.h"

namespace tarry::plang {

void PLedger::begin(StateView /*first*/) {
  steps_ = 1;  // the root has created the main machine
  heat_.assign(space_.layout().monitors(), 0);
}

StepText PLedger::add(StateView before, StateView after) {
  steps_ += space_.counted();
  const World& world = space_.vm().world();
  const auto failed = [&](std::string kind, std::string message, Place place) {
    return StepText{.label = "", .kind = std::move(kind), .message = std::move(message), .location = world.code.program->sources.text(place)};
  };
  for (std::uint32_t m = 0; m < space_.layout().monitors() && bounds_.temperature != 0; ++m) {
    const std::uint32_t word_before = before[space_.layout().monitor(m)], word_after = after[space_.layout().monitor(m)];
    if ((word_before & 1) != 0) heat_[m] += space_.counted();
    const CodeMachine& code = world.monitor(m);
    const CodeState& state = code.states[space_.vm().monitor_state(word_after)];
    if (state.temperature == Temperature::kCold && word_before != word_after) heat_[m] = 0;
    if (heat_[m] > bounds_.temperature) {
      StepText text = failed("liveness",
                             fmt::format("spec '{}' has been hot for more than {} steps of a fair execution, now in state '{}' [R10]",
                                         code.source->name.text, with_separators(bounds_.temperature), state.source->name.text),
                             state.source->name.place);
      text.who = {code.source->name.text};
      return text;
    }
  }
  if (over() && bounds_.fail_on_max_steps)
    return failed("runtime-error", fmt::format("the execution reaches the bound of {} steps [R22]", with_separators(bounds_.max_steps)),
                  world.code.machines[world.machine_of[world.test.main->index]].source->name.place);
  return {};
}

}  // namespace tarry::plang
