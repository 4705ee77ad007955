// The declared inputs (tarry::input) that the current step has read, and the regions (tarry::Region) that it has entered and left. The search chooses the values
// of inputs; `tarry verify` stores them in traces.
#pragma once

#include <cstdint>
#include <vector>

namespace tarry::native::rt {

struct InputRead {
  enum class What : std::uint8_t { kInput, kEnterRegion, kLeaveRegion };
  What what = What::kInput;
  std::int64_t value = 0;
  std::uintptr_t pc = 0;
};

/// The running thread asks the search for the value of an input now. The search's answer 0 stands for `low`.
void begin_input(std::int64_t low);
std::int64_t lowest_input();
void end_input(const InputRead& input);
/// The running thread enters or leaves a region.
void tell_region(InputRead::What what, std::uintptr_t pc);
bool is_asking_for_input();

/// Returns the inputs read and the regions entered and left since the last call, in order, and forgets them.
std::vector<InputRead> take_inputs();

}  // namespace tarry::native::rt
