// What threads share and what has no address in the program: names for it, as objects of operations. One list, so that no two have one name.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

enum class Thing : std::uintptr_t {
  kAllChannels = 1,  // pipes, sockets and queues of which it is not known which
  kFiles,            // and descriptors: names, links and numbers lead to the same file in many ways
  kOutputs,
  kRandom,           // the numbers that rand and its relatives draw
  kEnvironment,
  kLocale,
  kTokens,           // where strtok stopped
  kTimers,
  kStaticBuffers,    // of libc
  kShiftStates,      // of texts in several bytes a letter, where libc keeps them
  kThreadNumbers,    // threads are numbered as they are created
  kOfProcess,        // whom it is for, what it may do and use, its memory
};

inline const void* object_of(Thing thing) { return reinterpret_cast<const void*>(thing); }

}  // namespace tarry::native::rt
