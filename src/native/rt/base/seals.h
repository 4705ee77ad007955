// Sections of a thread between which no other thread runs, as long as it can itself (tarry_rt_seal of <tarry/test.h>).
#pragma once

#include <cstdint>

#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

struct Seals {
  std::uint32_t count = 0;
  std::uint32_t by = 0;  // the thread that has them, plus 1; 0: there are none
  bool ever = false;     // in some execution

  void seal(std::uint32_t thread) {
    if (count++ == 0) by = thread + 1;
    ever = true;
  }
  void unseal(std::uint32_t thread) {
    if (count > 0 && by == thread + 1 && --count == 0) by = 0;
  }
  void end_thread(std::uint32_t thread) {
    if (count > 0 && by == thread + 1) count = by = 0;
  }
  void reset() { count = by = 0; }
};

}  // namespace tarry::native::rt
