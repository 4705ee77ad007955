#include "native/rt/calls/unenforced_calls.h"

#include "native/rt/base/part.h"
#include "native/rt/base/side.h"

namespace tarry::native::rt {

/// The first function of the execution that cannot be enforced.
struct UnenforcedCalls {
  const char* function = nullptr;

  void reset() { function = nullptr; }
};
template struct RoomOf<UnenforcedCalls>;

void is_not_enforced(const char* function) {
  if (in_program() && part<UnenforcedCalls>().function == nullptr) part<UnenforcedCalls>().function = function;
}
const char* unenforced_call() { return part<UnenforcedCalls>().function; }

}  // namespace tarry::native::rt
