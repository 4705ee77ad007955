#include "core/delays.h"

#include <algorithm>

namespace tarry {

std::vector<std::uint32_t> delays_along(const Program& program, const Explorer& explorer, const std::vector<Choice>& schedule, bool unit) {
  std::vector<std::uint32_t> out;
  const Shape& shape = program.shape();
  const auto space = program.open();
  std::vector<Word> state(shape.words);
  if (!space->initial(state.data()).kind.empty()) return out;
  Survey before(shape.processes), after(shape.processes);
  Taken taken(shape.words);
  space->survey(state, before);
  Memo memo = explorer.initial(before.alive());
  std::uint32_t step = 0;
  for (std::size_t i = 0; i < schedule.size();) {
    const ProcessId process{schedule[i++].number};
    ++step;
    if (!before.open().contains(process)) return out;
    for (std::uint32_t turn = before.sealed() ? 1 : before.open().size(); turn-- > 1 && explorer.next(memo, before.open()) != process;) {
      memo = explorer.delay(memo, before.open());
      out.push_back(step);
    }
    std::vector<std::uint32_t> values;
    for (; i < schedule.size() && schedule[i].kind == Choice::Kind::kValue; ++i) {
      values.push_back(schedule[i].number);
      out.insert(out.end(), unit ? std::min(values.back(), 1u) : values.back(), step);
    }
    space->take(state, process, values, taken);
    if (taken.outcome != abi::Outcome::kMoved || taken.failed()) return out;
    space->survey(taken.state(), after);
    memo = explorer.step(memo, step_between(process, before, after, taken));
    std::copy(taken.state().begin(), taken.state().end(), state.begin());
    std::swap(before, after);
  }
  return out;
}

}  // namespace tarry
