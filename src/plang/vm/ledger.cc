#include "plang/vm/ledger.h"

#include <fmt/format.h>

#include "base/units.h"
#include "plang/vm/space.h"

namespace tarry::plang {

void PLedger::begin(StateView first) {
  steps_ = 1;  // the root has created the main machine
  heat_.clear();
  for (std::uint32_t m = 0; m < space_.layout().monitors(); ++m) heat_.push_back(is_hot(first[space_.layout().monitor(m)]) ? 1 : 0);
}

std::optional<std::uint32_t> PLedger::too_hot(std::uint32_t monitor, std::uint32_t word) {
  std::uint32_t counted = 0;
  const auto until = [&](std::uint32_t steps) {
    if (is_hot(word)) heat_[monitor] += steps - counted;
    counted = steps;
    return heat_[monitor] > bounds_.temperature;
  };
  for (const PSpace::Heard& heard : space_.heard()) {
    if (heard.monitor != monitor) continue;
    if (until(heard.steps)) return word;
    if (heard.cooled) heat_[monitor] = 0;
    word = heard.word;
  }
  return until(space_.counted()) ? std::optional(word) : std::nullopt;
}

StepText PLedger::add(StateView before, StateView /*after*/) {
  steps_ += space_.counted();
  const World& world = space_.vm().world();
  const auto failed = [&](FindingKind kind, std::string message, Place place) {
    return StepText{.label = "", .kind = kind, .message = std::move(message), .location = world.code.program->sources.text(place)};
  };
  for (std::uint32_t m = 0; m < space_.layout().monitors() && bounds_.temperature != 0; ++m) {
    const std::optional<std::uint32_t> hot = too_hot(m, before[space_.layout().monitor(m)]);
    if (!hot) continue;
    const CodeMachine& code = world.monitor(m);
    const CodeState& state = code.states[space_.vm().monitor_state(*hot)];
    StepText text = failed("liveness",
                           fmt::format("spec '{}' has been hot for more than {} steps of a fair execution, now in state '{}' (a heuristic: it may cool later) [R10]",
                                       code.source->name.text, with_separators(bounds_.temperature), state.source->name.text),
                           state.source->name.place);
    text.who = {code.source->name.text};
    return text;
  }
  if (over() && bounds_.fail_on_max_steps)
    return failed("runtime-error", fmt::format("the execution reaches the bound of {} steps [R22]", with_separators(bounds_.max_steps)),
                  world.code.machines[world.machine_of[world.test.main->index]].source->name.place);
  return {};
}

}  // namespace tarry::plang
