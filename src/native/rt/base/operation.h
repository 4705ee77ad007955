// What a thread does to something that is shared. One name each: traces, fingerprints and the happens-before order use them.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

enum class Op : std::uint8_t {
  kNone, kStart, kEnd, kExit, kCreate, kJoin, kDetach, kYield, kSleep, kChoose,
  kLock, kTryLock, kTimedLock, kUnlock,
  kSpinLock, kSpinTryLock, kSpinUnlock,
  kWait, kReacquire, kSignal, kBroadcast,
  kReadLock, kTryReadLock, kTimedReadLock, kWriteLock, kTryWriteLock, kTimedWriteLock, kReadWriteUnlock,
  kBarrier, kBarrierPassed,
  kSemaphoreWait, kSemaphoreTryWait, kSemaphoreTimedWait, kSemaphorePost, kSemaphoreValue,
  kOnce, kOnceDone, kGuard, kGuardDone,
  kFutexWait, kFutexWake, kFutexWoken,
  kLoad, kStore, kExchange, kReadModifyWrite, kCompareExchange, kFence,
  kRead, kWrite,
  kCancel, kKill, kSignalHandler, kDestroy, kInitialize, kPause,
  kReceive, kSend, kPoll, kFile, kFork, kSetTimer, kReadTimer, kExpire, kLibraryState,
  kAllocate, kSetMask, kLibraryCall, kAtExit, kPendingSignals, kTryJoin, kExec,
  kCount,
};

const char* name_of(Op op);

struct Operation {
  Op op = Op::kNone;
  const void* object = nullptr;
  const void* also = nullptr;                 // a second object: the mutex of a wait
  std::uint32_t size = 0;                     // bytes of memory that it touches; 0: an object as a whole
  bool (*ready)(const Operation&) = nullptr;  // nullptr: it can always be performed
  std::uintptr_t argument = 0;                // for `ready`
  std::uintptr_t pc = 0;                      // where the program calls; 0 if not known
  bool timed = false;                         // can also be taken while not ready: its time is out then
  bool (*may_expire)(const Operation&) = nullptr;  // timed: whether that is possible now; nullptr: always
  bool yields = false;                        // the thread says that it cannot go on by itself
  bool reads = false;                         // commutes with others of its kind on the same object
  std::uint32_t thread = 0;                   // whose it is; `point` sets it
  std::uint32_t (*holder)(const Operation&) = nullptr;  // the one thread that it waits for, plus 1; 0: there is none, or not only one
  bool cancellable = false;                   // a request to cancel the thread ends the wait
  bool interruptible = false;                 // so does a handler of a signal
  bool begun = false;                         // the thread waits already: handlers run in there, not before
  std::uint64_t unblocks = 0;                 // signals that the call alone does not block: their handlers run in there, not before
  bool (*first)(const Operation&) = nullptr;  // then the call ends with what it waits for, and signals stay pending (ppoll)
  bool entangled = false;                     // what it has to do with operations of others, its objects do not say
  bool looks = false;                         // it may turn out to change nothing; the code that performs it says so (await.h)
};

}  // namespace tarry::native::rt
