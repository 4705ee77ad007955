#include "native/rt/base/runtime.h"

namespace tarry::native::rt {
namespace {

template <class... P>
void reset_all(Parts<P...> /*parts*/) {
  (RoomOf<P>::reset(), ...);
}

}  // namespace

void reset_runtime() { reset_all(PartsOfExecution{}); }

}  // namespace tarry::native::rt
