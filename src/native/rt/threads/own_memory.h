// The checker's own memory lies in the process of the program, which never needs it: a write to it goes through a wild pointer.
//
// Instrumented code tells its writes ahead. One that would go there is a finding, and nothing is harmed. Writes of other code (a memset of libc) are not
// seen. There are marks in each kind of memory, which a wide write destroys, and no verdict is given without them; otherwise the engine falls over what is
// left, or the tool does not understand it (driver/launch.cc). An overrun of a block does not get so far: behind the program's heap is nothing (heap.cc).
#pragma once

#include <cstdint>

#include "native/rt/base/lasting.h"
#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

struct OwnMemory : Kept {
  std::uintptr_t window = 0, window_size = 0;
  std::uintptr_t data = 0, data_size = 0;  // of the runtime's library
  volatile std::uint64_t* mark = nullptr;  // in the engine's heap
};

/// After `find_modules`.
void know_own_memory();

/// As far as the marks say.
bool own_memory_is_whole();

[[noreturn]] void fail_for_wild_write(std::uintptr_t pc);
inline void refuse_wild_write(const volatile void* address, std::uintptr_t pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const OwnMemory& own = part<OwnMemory>();
  if ((at - own.window < own.window_size) | (at - own.data < own.data_size)) [[unlikely]] fail_for_wild_write(pc);
}

}  // namespace tarry::native::rt
