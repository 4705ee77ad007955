#include "native/rt/base/recorded_points.h"

#include <cstdio>
#include <utility>

#include "native/rt/base/part.h"
#include "native/rt/base/side.h"

namespace tarry::native::rt {

template struct RoomOf<RecordedPoints>;

std::string number_text(std::uint64_t value) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 40;
  const auto number = static_cast<std::int64_t>(value);
  if (number > -kLarge && number < kLarge) return std::to_string(number);
  char text[32];
  std::snprintf(text, sizeof(text), "%#lx", value);
  return text;
}

void RecordedPoints::keep_stack(std::uint32_t thread) {
  const EngineScope engine;
  (*stacks)[thread] = frames_here();
}

void RecordedPoints::keep_words(const char* words) {
  const EngineScope engine;
  *values = words;
}

void RecordedPoints::keep_values(std::uint64_t before, const std::uint64_t* after) {
  const EngineScope engine;
  *values = number_text(before);
  if (after != nullptr) *values += " -> " + number_text(*after);
}

std::string RecordedPoints::take_values() { return std::exchange(*values, {}); }

}  // namespace tarry::native::rt
