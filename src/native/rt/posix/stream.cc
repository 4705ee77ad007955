// Streams of <stdio.h> that the program locks itself. glibc keeps the lock; a thread that finds it taken waits here. (A call of printf and the like that
// finds it taken waits in a futex call of glibc's own, see trap.cc.)
//
// What two threads do to one stream is ordered by its lock, and a reader of the output can tell in which order. The functions that use a
// stream ask `uses_stream` first. The lock is a recursive mutex for the race detector, too: flockfile acquires what funlockfile and the calls that use
// the stream have released. Calls that write to standard output and error are no points (unless --outcomes), because the program cannot see their
// order. So they order nothing: else a print between two accesses would hide their race.
#include "native/rt/base/shared_things.h"
#include "native/rt/posix/stream.h"

#include <unistd.h>

#include "base/stream_lock.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/taking.h"

namespace tarry::native::rt {
namespace {

using tarry::lock_of;
const StreamLock* lock_of(const Operation& operation) { return static_cast<const StreamLock*>(operation.object); }
bool is_free(const Operation& operation) { return lock_of(operation)->lock == 0; }
std::uint32_t holder_of(const Operation& operation) {
  const std::uint32_t owner = is_free(operation) ? Scheduler::kNobody : scheduler().find(reinterpret_cast<pthread_t>(lock_of(operation)->owner));
  return owner == Scheduler::kNobody ? 0 : owner + 1;
}
bool is_mine(const FILE* stream) { return lock_of(stream)->lock != 0 && lock_of(stream)->owner == reinterpret_cast<void*>(scheduler().handle_of(scheduler().running())); }

/// The call that follows locks the stream and unlocks it.
void passed_through(const FILE* stream) {
  acquire(lock_of(stream));
  release(lock_of(stream));
}

}  // namespace

void uses_stream(const FILE* stream, std::uintptr_t pc) {
  if (!in_program() || stream == nullptr) return;
  const bool is_output = stream == stdout || stream == stderr;
  if (is_output && !run_rules().orders_output) return;  // the program cannot see it
  if (is_mine(stream)) return;
  if (scheduler().alone()) {
    changed(lock_of(stream));
    return passed_through(stream);
  }
  // The call may find the buffer full, or flush it: that is a part of the step, and has to be announced.
  const void* const output = is_output && g_watch.footprint != nullptr ? object_of(Thing::kOutputs) : nullptr;
  // libc gives the lock back in the middle of a later step, if the call makes system calls: no footprint says so, and the operation depends on everything.
  scheduler().point({.op = Op::kFile, .object = lock_of(stream), .also = output, .ready = is_free, .pc = pc, .entangled = true});
  passed_through(stream);
}

void writes_to(int descriptor, std::uintptr_t pc) {
  if (!in_program() || !run_rules().orders_output || (descriptor != STDOUT_FILENO && descriptor != STDERR_FILENO) || scheduler().alone()) return;
  scheduler().point({.op = Op::kFile, .object = object_of(Thing::kOutputs), .pc = pc});
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER void flockfile(FILE* stream) noexcept {
  const bool takes = in_program() && !is_mine(stream);
  if (takes) {
    about_to_take(lock_of(stream));
    wait_point({.op = Op::kLock, .object = lock_of(stream), .ready = is_free, .pc = TARRY_PC, .holder = holder_of});
  }
  TARRY_REAL(flockfile)(stream);
  if (!takes) return;
  has_taken(lock_of(stream));
  acquire(lock_of(stream));
}
TARRY_TAKEN_OVER int ftrylockfile(FILE* stream) noexcept {
  if (!in_program() || is_mine(stream)) return TARRY_REAL(ftrylockfile)(stream);
  about_to_take(lock_of(stream));
  attempt_point({.op = Op::kTryLock, .object = lock_of(stream), .pc = TARRY_PC});
  const int result = TARRY_REAL(ftrylockfile)(stream);
  if (result != 0) {
    scheduler().came_to("fails");
    only_looked(&lock_of(stream)->owner, sizeof(void*));
    was_refused(lock_of(stream));
    return result;
  }
  has_effect();
  scheduler().came_to("succeeds");
  has_taken(lock_of(stream));
  acquire(lock_of(stream));
  return result;
}
TARRY_TAKEN_OVER void funlockfile(FILE* stream) noexcept {
  const bool gives_back = in_program() && lock_of(stream)->count == 1 && is_mine(stream);
  if (gives_back) {
    scheduler().point({.op = Op::kUnlock, .object = lock_of(stream), .pc = TARRY_PC});
    release(lock_of(stream));
  }
  TARRY_REAL(funlockfile)(stream);
  if (gives_back) has_given_back();
}
