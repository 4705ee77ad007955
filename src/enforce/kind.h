// The operations of a thread that are ordered against other threads and can be enforced. The numbers are part of files: add new
// kinds at the end.
#pragma once

#include <cstdint>

namespace tarry::enforce {

enum class Kind : std::uint8_t {
  kNone,
  kStart, kEnd, kExit, kCreate, kJoin,
  kLock, kTryLock, kUnlock,
  kSpinLock, kSpinTryLock, kSpinUnlock,
  kWait, kReacquire, kSignal, kBroadcast,
  kReadLock, kTryReadLock, kWriteLock, kTryWriteLock, kReadWriteUnlock,
  kBarrier, kBarrierPassed,
  kSemaphoreWait, kSemaphoreTryWait, kSemaphorePost, kSemaphoreValue,
  kOnce, kOnceDone, kGuard, kGuardDone,
  kLoad, kStore, kExchange, kReadModifyWrite, kCompareExchange,
  kRead, kWrite,
  kFutexWait, kFutexWoken, kFutexWake,
  kAtExit,
  kInput,
  kTimedLock, kTimedReadLock, kTimedWriteLock, kTimedSemaphoreWait, kTimedReacquire, kTimedFutexWoken,  // Label::size: Outcome
  kEnterRegion, kLeaveRegion,  // the first and the last event of a trace of a region
  kCount,
};

const char* name_of(Kind kind);

/// How a wait with a time limit ends. It is part of the trace: the run-time library delivers it.
enum class Outcome : std::uint32_t { kInTime, kExpired };
constexpr bool is_timed(Kind kind) { return kind >= Kind::kTimedLock && kind <= Kind::kTimedFutexWoken; }

}  // namespace tarry::enforce
