#include "native/rt/inputs.h"

#include <utility>

#include "native/rt/side.h"

namespace tarry::native::rt {
namespace {

// In the engine's memory: an execution that ends within a call does not undo them.
bool g_asking = false;
std::int64_t g_lowest = 0;
std::vector<InputRead>& read() {
  static std::vector<InputRead> inputs;
  return inputs;
}

}  // namespace

void begin_input(std::int64_t low) {
  g_asking = true;
  g_lowest = low;
}
std::int64_t lowest_input() { return g_lowest; }
void end_input(const InputRead& input) {
  const EngineScope engine;
  g_asking = false;
  read().push_back(input);
}
bool is_asking_for_input() { return g_asking; }

std::vector<InputRead> take_inputs() {
  g_asking = false;
  return std::exchange(read(), {});
}

}  // namespace tarry::native::rt
