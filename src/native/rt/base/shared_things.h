// What threads share and what has no address in the program: names for it, as objects of operations. One list, so that no two have one name.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

enum class Thing : std::uintptr_t {
  kKernel = 1,       // everything that the kernel keeps for the program: files, names, descriptors, channels, what the process may do, which of its memory is there
  kOutputs,
  kRandom,           // the numbers that rand and its relatives draw
  kEnvironment,
  kLocale,
  kTokens,           // where strtok stopped
  kTimers,
  kStaticBuffers,    // of libc
  kShiftStates,      // of texts in several bytes a letter, where libc keeps them
  kTimeZone,
  kKeys,             // of values that each thread has its own of
  kThreadNumbers,    // threads are numbered as they are created
  kExitHandlers,     // functions that exit calls, the last registered first
  kQuickExitHandlers,
  kForkHandlers,
  kLoader,           // the libraries that are loaded
};

inline const void* object_of(Thing thing) { return reinterpret_cast<const void*>(thing); }
inline const void* const kKernel = object_of(Thing::kKernel);

}  // namespace tarry::native::rt
