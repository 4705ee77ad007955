// What is kept of the annotations of each thread (annotations.h).
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// What a thread of the program told us to pass over: how often it began.
struct Ignored {
  std::uint32_t reads = 0, writes = 0, synchronisation = 0;
};

}  // namespace tarry::native::rt
