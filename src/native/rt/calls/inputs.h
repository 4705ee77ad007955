// The declared inputs (tarry::input) that the current step has read. The search chooses their values; `tarry verify` stores the values in traces.
#pragma once

#include <cstdint>
#include <vector>

namespace tarry::native::rt {

struct InputRead {
  std::int64_t value = 0;
  std::uintptr_t pc = 0;
};

/// The running thread asks the search for the value of an input now. The search's answer 0 stands for `low`.
void begin_input(std::int64_t low);
std::int64_t lowest_input();
void end_input(const InputRead& input);
bool is_asking_for_input();

/// Returns the inputs read since the last call, in order, and forgets them.
std::vector<InputRead> take_inputs();

}  // namespace tarry::native::rt
