// Streams of <stdio.h>, whose buffers threads share.
#pragma once

#include <cstdint>
#include <cstdio>

namespace tarry::native::rt {

/// The running thread is about to read from the stream or to write to it: a point, unless no thread could notice.
void uses_stream(const FILE* stream, std::uintptr_t pc);
/// The same of a descriptor that it writes to.
void writes_to(int descriptor, std::uintptr_t pc);

}  // namespace tarry::native::rt
