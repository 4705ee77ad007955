// Streams of <stdio.h> that the program locks itself. glibc keeps the lock; whoever finds it taken waits here. (A call of printf and the like that
// finds it taken waits in a futex call of glibc's own, see trap.cc.)
#include <cstdio>

#include "native/rt/posix/primitive.h"

namespace tarry::native::rt {
namespace {

/// As glibc has it since 2.0.
struct StreamLock {
  int lock;
  int count;
  void* owner;
};

const StreamLock* lock_of(FILE* stream) { return reinterpret_cast<const StreamLock*>(stream->_lock); }
const StreamLock* lock_of(const Operation& operation) { return static_cast<const StreamLock*>(operation.object); }
bool is_free(const Operation& operation) { return lock_of(operation)->lock == 0; }
bool is_mine(FILE* stream) { return lock_of(stream)->lock != 0 && lock_of(stream)->owner == reinterpret_cast<void*>(scheduler().handle_of(scheduler().running())); }

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER void flockfile(FILE* stream) noexcept {
  if (in_program() && !is_mine(stream)) scheduler().point({.op = Op::kLock, .object = lock_of(stream), .ready = is_free, .pc = TARRY_PC});
  TARRY_REAL(flockfile)(stream);
}
TARRY_TAKEN_OVER int ftrylockfile(FILE* stream) noexcept {
  if (in_program() && !is_mine(stream)) scheduler().point({.op = Op::kTryLock, .object = lock_of(stream), .pc = TARRY_PC});
  return TARRY_REAL(ftrylockfile)(stream);
}
TARRY_TAKEN_OVER void funlockfile(FILE* stream) noexcept {
  if (in_program() && lock_of(stream)->count == 1) scheduler().point({.op = Op::kUnlock, .object = lock_of(stream), .pc = TARRY_PC});
  TARRY_REAL(funlockfile)(stream);
}
