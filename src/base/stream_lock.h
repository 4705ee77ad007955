// The lock of a stream of <stdio.h>, as glibc has it since 2.0: recursive, and its owner is a thread's descriptor.
#pragma once

#include <cstdio>

namespace tarry {

struct StreamLock {
  int lock;
  int count;
  void* owner;
};

inline const StreamLock* lock_of(const FILE* stream) { return reinterpret_cast<const StreamLock*>(stream->_lock); }

}  // namespace tarry
