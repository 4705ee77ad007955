#include "native/rt/threads/footprint.h"

#include <algorithm>

#include "native/rt/base/shared_things.h"
#include "native/rt/threads/asked_of_primitives.h"
#include "native/rt/threads/await.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {
namespace {

std::uint64_t object_name(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

/// Operations of which it is not known what they have to do with those of others.
bool touches_everything(Op op) {
  switch (op) {
    case Op::kExit: case Op::kCancel: case Op::kKill: case Op::kSignalHandler: case Op::kSetMask: case Op::kPause: case Op::kFork: case Op::kExec:
    case Op::kSetTimer: case Op::kReadTimer: case Op::kExpire: case Op::kPoll: case Op::kLibraryCall: return true;
    default: return false;
  }
}

/// Does it work on what the kernel or a library keeps?
bool is_outside_of_memory(const Operation& operation) {
  switch (operation.op) {
    case Op::kReceive: case Op::kSend: case Op::kPoll: case Op::kFile: case Op::kFork: case Op::kExec: case Op::kLibraryState: case Op::kLibraryCall: case Op::kAtExit:
    case Op::kTryJoin: case Op::kPendingSignals: return true;
    default: return operation.entangled;
  }
}

bool has_company(std::uint32_t thread) {
  for (std::uint32_t i = 0; i < scheduler().thread_count(); ++i)
    if (i != thread && scheduler().thread(i).state == Thread::State::kAlive) return true;
  return false;
}

Before before_lock(const Operation& operation, bool expires) {
  switch (operation.op) {
    case Op::kLock: case Op::kTimedLock: case Op::kSpinLock: case Op::kJoin: return expires ? Before::kHeld : Before::kFree;
    case Op::kUnlock: case Op::kSpinUnlock: return Before::kHeld;
    case Op::kTryLock: return operation.size != 0 ? Before::kUnknown : mutex_is_free(static_cast<const pthread_mutex_t*>(operation.object)) ? Before::kFree : Before::kHeld;
    default: return Before::kUnknown;
  }
}

Before before_second(const Operation& operation, bool expires) {
  if (operation.op == Op::kWait) return Before::kHeld;
  return operation.op == Op::kReacquire && !expires ? Before::kFree : Before::kUnknown;
}

template <class Function>
void pieces_of(const void* at, std::size_t size, Use use, Before before, Function&& f) {
  const auto from = reinterpret_cast<std::uintptr_t>(at);
  if (size == 0) return f(ObjectUse{from, use, before});
  for (std::uintptr_t piece = from / kPiece; piece <= (from + size - 1) / kPiece; ++piece) f(ObjectUse{piece * kPiece, use, before});
}

template <class Function>
void touches_of(const Thread& thread, bool expires, Function&& f) {
  const Operation& operation = thread.pending;
  const bool looks_again = scheduler().looks_again(operation.thread);  // after everything that others have done, seen or not
  // It may end, or be told that it did not: how far others came meanwhile matters.
  const bool gives_up = (operation.cancellable || operation.op == Op::kReacquire) && thread.cancel_due();
  if (operation.entangled || looks_again || gives_up || touches_everything(operation.op)) f(ObjectUse{kEverything, Use::kWrite});
  if (operation.op == Op::kCreate) f(ObjectUse{object_name(object_of(Thing::kThreadNumbers)), Use::kWrite});
  const Use use = operation.reads ? Use::kRead : Use::kWrite;
  if (operation.object != nullptr) pieces_of(operation.object, operation.size, use, before_lock(operation, expires), f);
  if (operation.also != nullptr) pieces_of(operation.also, operation.size, use, before_second(operation, expires), f);
  if (awaits(thread)) for_awaited(thread, [&](const void* at, std::size_t size) { pieces_of(at, size, Use::kRead, Before::kUnknown, f); });
}

}  // namespace

void StepFootprint::put(const ObjectUse& touch) {
  if (count_ == room_) {
    room_ = std::max<std::size_t>(64, room_ * 2);
    auto* const larger = static_cast<ObjectUse*>(memory_.map(room_ * sizeof(ObjectUse)));
    std::copy(touches_, touches_ + count_, larger);
    touches_ = larger;
  }
  touches_[count_++] = touch;
}

void StepFootprint::begin(std::uint32_t thread, bool expires) {
  count_ = 0;
  surprise_ = handles_signals() ? "the program handles signals" : uses_timers() ? "the program uses timers" : nullptr;  // they interrupt steps, or end them, at any time
  if (only_well_known && surprise_ == nullptr && is_outside_of_memory(scheduler().thread(thread).pending) && has_company(thread)) surprise_ = "threads use the system or state of libraries";
  touches_of(scheduler().thread(thread), expires, [this](const ObjectUse& touch) { put(touch); });
}

void StepFootprint::add(const void* object, bool writes) {
  if (scheduler().thread_count() == 1) return;  // threads that are created later come after it
  if (object == object_of(Thing::kOutputs) && !run_rules().orders_output) return;  // the order of writing is not visible
  const bool known = std::any_of(touches_, touches_ + count_, [&](const ObjectUse& touch) {
    return touch.object == kEverything || (touch.object == object_name(object) && (!writes || touch.use == Use::kWrite));
  });
  if (known) return;
  put({object_name(object), writes ? Use::kWrite : Use::kRead});
  surprise_ = "a step used something that its operation had not announced";
}

void StepFootprint::add_everything() {
  if (std::any_of(touches_, touches_ + count_, [](const ObjectUse& touch) { return touch.object == kEverything; })) return;
  put({kEverything, Use::kWrite});
  surprise_ = "a step failed, or ended the program, while other threads could run";
}

void StepFootprint::end_thread(std::uint32_t thread) {
  const std::uint64_t end = object_name(&scheduler().thread(thread));
  if (std::none_of(touches_, touches_ + count_, [&](const ObjectUse& touch) { return touch.object == end && touch.before == Before::kHeld; })) put({end, Use::kWrite, Before::kHeld});
}

void StepFootprint::of_pending(ProcessId process, std::vector<ObjectUse>& out) const {
  touches_of(scheduler().thread(index(process)), scheduler().would_expire(index(process)), [&out](const ObjectUse& touch) { out.push_back(touch); });
}

bool StepFootprint::is_alive(ProcessId process) const { return index(process) < scheduler().thread_count() && scheduler().thread(index(process)).state == Thread::State::kAlive; }

std::optional<std::uint64_t> StepFootprint::waits_for(ProcessId process) const {
  const Thread& thread = scheduler().thread(index(process));
  const Operation& pending = thread.pending;
  if (pending.ready != nullptr && pending.cancellable && thread.cancel_due()) return kGivesUp;  // ahead of the request it had to wait
  if (pending.ready == nullptr || (pending.timed && pending.may_expire == nullptr)) return std::nullopt;
  if (pending.timed) return kGivesUp;
  switch (pending.op) {
    case Op::kLock: case Op::kSpinLock: case Op::kJoin: return object_name(pending.object);
    default: return kEverything;
  }
}

}  // namespace tarry::native::rt
