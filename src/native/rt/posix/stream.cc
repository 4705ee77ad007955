// Streams of <stdio.h> that the program locks itself. glibc keeps the lock; whoever finds it taken waits here. (A call of printf and the like that
// finds it taken waits in a futex call of glibc's own, see trap.cc.)
//
// What two threads do to one stream is ordered by its lock, and whoever looks at what was written can tell in which order. The functions that use a
// stream ask `uses_stream` first.
#include "native/rt/posix/stream.h"
#include "native/rt/shared_things.h"

#include <unistd.h>

#include "native/rt/happened.h"
#include "native/rt/posix/primitive.h"

namespace tarry::native::rt {
namespace {

/// As glibc has it since 2.0.
struct StreamLock {
  int lock;
  int count;
  void* owner;
};

const StreamLock* lock_of(const FILE* stream) { return reinterpret_cast<const StreamLock*>(stream->_lock); }
const StreamLock* lock_of(const Operation& operation) { return static_cast<const StreamLock*>(operation.object); }
bool is_free(const Operation& operation) { return lock_of(operation)->lock == 0; }
bool is_mine(const FILE* stream) { return lock_of(stream)->lock != 0 && lock_of(stream)->owner == reinterpret_cast<void*>(scheduler().handle_of(scheduler().running())); }

}  // namespace

bool g_order_of_output = false;

void uses_stream(const FILE* stream, std::uintptr_t pc) {
  if (!in_program() || stream == nullptr) return;
  const bool is_output = stream == stdout || stream == stderr;
  if (is_output && !g_order_of_output) return;  // the program cannot see it
  if (is_mine(stream)) return;
  if (scheduler().alone()) return changed(lock_of(stream));
  // The call may find the buffer full, or flush it: that is a part of the step, and has to be announced.
  const void* const output = is_output && g_watch.footprint != nullptr ? object_of(Thing::kOutputs) : nullptr;
  // libc gives the lock back in the middle of a later step, if the call makes system calls: no footprint says so, and the operation depends on everything.
  scheduler().point({.op = Op::kFile, .object = lock_of(stream), .also = output, .ready = is_free, .pc = pc, .entangled = true});
}

void writes_to(int descriptor, std::uintptr_t pc) {
  if (!in_program() || !g_order_of_output || (descriptor != STDOUT_FILENO && descriptor != STDERR_FILENO) || scheduler().alone()) return;
  scheduler().point({.op = Op::kFile, .object = object_of(Thing::kOutputs), .pc = pc});
}

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
