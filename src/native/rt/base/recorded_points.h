// Recording: where threads stand, and what their operations read and wrote.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "native/rt/base/frames.h"
#include "native/rt/base/heap.h"
#include "native/rt/base/lasting.h"
#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

struct RecordedPoints {
  Lasting<std::string> values;                                      // of the step that runs
  Lasting<std::array<std::vector<Frame>, kMaxThreads>> stacks;      // by thread: of the operation that it is to perform next, innermost frame first

  void keep_stack(std::uint32_t thread);
  void keep_words(const char* words);
  void keep_values(std::uint64_t before, const std::uint64_t* after);
  std::string take_values();
  void reset() {}  // every step overwrites what it records
};
inline RecordedPoints& recorded_points() { return part<RecordedPoints>(); }

/// A value in a trace: addresses and the like in hexadecimal.
std::string number_text(std::uint64_t value);

}  // namespace tarry::native::rt
