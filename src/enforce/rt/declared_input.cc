// tarry::input of <tarry/test.h> under enforcement.
#include <cstdint>

#include "enforce/rt/control.h"
#include "enforce/rt/real.h"

TARRY_ENFORCED std::int64_t tarry_rt_input(const char* name, std::int64_t /*low*/, std::int64_t /*high*/, std::int64_t value) {
  tarry::enforce::rt::input(name, value, TARRY_PLACE);
  return value;
}
