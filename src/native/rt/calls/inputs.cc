#include "native/rt/calls/inputs.h"

#include <utility>

#include "native/rt/base/part.h"
#include "native/rt/base/side.h"

namespace tarry::native::rt {

/// Inputs that the program has asked for.
struct Inputs {
  bool asking = false;  // an execution may end within a call
  std::int64_t lowest = 0;
  Lasting<std::vector<InputRead>> read;

  void reset() {
    asking = false;
    if (!read->empty()) read->clear();
  }
};
template struct RoomOf<Inputs>;

namespace {

Inputs& inputs() { return part<Inputs>(); }

}  // namespace

void begin_input(std::int64_t low) {
  inputs().asking = true;
  inputs().lowest = low;
}
std::int64_t lowest_input() { return inputs().lowest; }
void end_input(const InputRead& input) {
  const EngineScope engine;
  inputs().asking = false;
  inputs().read->push_back(input);
}
void tell_region(InputRead::What what, std::uintptr_t pc) {
  const EngineScope engine;
  inputs().read->push_back({.what = what, .pc = pc});
}
bool is_asking_for_input() { return inputs().asking; }

std::vector<InputRead> take_inputs() {
  inputs().asking = false;
  return std::exchange(*inputs().read, {});
}

}  // namespace tarry::native::rt
