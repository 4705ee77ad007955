#include "native/rt/effects/semaphores.h"

#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/syscall.h>

#include <cerrno>

#include "native/rt/base/raw.h"
#include "native/rt/base/shared_things.h"
#include "native/rt/effects/called_off.h"
#include "native/rt/effects/channels.h"
#include "native/rt/effects/kept_channels.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {
namespace {

// By their numbers.
const void* set_of_semaphores(long number) { return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(number) << 4 | 5); }
const void* queue_of_messages(long number) { return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(number) << 4 | 6); }

/// Could all of the changes be made now? If one of them is wrong, the kernel is to say so.
bool can_change(const Operation& operation) {
  const auto* const call = reinterpret_cast<const long*>(operation.argument);
  const auto* const changes = reinterpret_cast<const sembuf*>(call[1]);
  for (long i = 0; i < call[2]; ++i) {
    const long value = raw(SYS_semctl, call[0], changes[i].sem_num, GETVAL);
    if (value < 0 || (changes[i].sem_flg & IPC_NOWAIT) != 0) return true;
    if (changes[i].sem_op == 0 ? value != 0 : value < -changes[i].sem_op) return false;
  }
  return true;
}

}  // namespace

long change_semaphores(long number, const long (&a)[6], std::uintptr_t pc) {
  uses_number(number, a[0]);
  const void* const object = set_of_semaphores(a[0]);
  const bool timed = number == SYS_semtimedop && a[3] != 0;
  scheduler().point({.op = Op::kSemaphoreWait, .object = kKernel, .ready = can_change, .argument = reinterpret_cast<std::uintptr_t>(a), .pc = calling_place(pc), .timed = timed, .entangled = true});
  if (scheduler().self().timed_out) return -EAGAIN;
  release(object);
  acquire(object);
  channels_change();
  return raw(SYS_semop, a[0], a[1], a[2]);
}

namespace {

/// Since it was tried last: a message was sent or taken, or the queue is gone.
bool something_changed(const Operation& operation) { return operation.argument != changes_so_far(); }

}  // namespace

long exchange_message(long number, const long (&a)[6], std::uintptr_t pc) {
  uses_number(number, a[0]);
  const bool sends = number == SYS_msgsnd;
  const int flags = sends ? 3 : 4;
  const void* const object = queue_of_messages(a[0]);
  long now[6] = {a[0], a[1], a[2], a[3], a[4], a[5]};
  now[flags] |= IPC_NOWAIT;
  bool (*ready)(const Operation&) = nullptr;  // the first time it is tried
  while (true) {
    scheduler().point({.op = Op::kFile, .object = kKernel, .ready = ready, .argument = changes_so_far(), .pc = calling_place(pc), .interruptible = true, .entangled = true});
    if (scheduler().self().signals.interrupted && ready != nullptr) return -EINTR;
    release(object);
    const long result = pass_to_kernel(number, now);
    // One that had to wait, or fails, sees what others sent and took; one that sends at once does not (channels.cc).
    if (!sends || ready != nullptr || result < 0) acquire(object);
    if (result >= 0) channels_change();
    if ((a[flags] & IPC_NOWAIT) != 0 || (result != -EAGAIN && result != -ENOMSG)) return result;
    ready = something_changed;
  }
}

long control_by_number(long number, const long (&a)[6]) {
  uses_number(number, a[0]);
  const void* const object = number == SYS_semctl ? set_of_semaphores(a[0]) : queue_of_messages(a[0]);
  release(object);
  const long result = pass_to_kernel(number, a);
  acquire(object);
  return result;
}

}  // namespace tarry::native::rt
