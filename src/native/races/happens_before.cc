// The part of the race detector that computes the order: threads, locks, atomics and fences.
//
// An operation on an atomic is also checked as an access. What it acquires happens before it, so an acquire comes first. A
// release includes the operation itself, so it comes last and ends the epoch.
#include <algorithm>

#include "base/assert.h"
#include "native/races/race_detector.h"

namespace tarry::native {

namespace {

bool acquires(std::memory_order order) { return order != std::memory_order_relaxed && order != std::memory_order_release; }
bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}

}  // namespace

RaceDetector::RaceDetector(Memory& memory, RaceSink& sink, std::uint64_t time_limit)
    : shadow_(memory),
      sink_(sink),
      time_limit_(time_limit),
      clock_room_(memory),
      sync_(memory, shadow_, clock_room_),
      pairs_(memory),
      threads_(memory),
      step_of_tick_(memory) {
  reset();
}

void RaceDetector::reset() {
  start_ += std::uint64_t{tick_} + 1;
  ++execution_;
  if (start_ >= time_limit_ || execution_ == 0) {
    shadow_.wipe();
    for (std::uint32_t i = 0; i < thread_count_; ++i) threads_[i].execution = 0;
    start_ = 1;
    execution_ = 1;
  }
  shadow_.reset();
  clock_room_.restart();
  sync_.reset(execution_);
  tick_ = 0;
  raced_ = false;
  gone_size_ = 0;
  current_ = nullptr;
  run(0, 0);
}

RaceDetector::Thread& RaceDetector::another_thread(std::uint32_t number) {
  Thread& thread = threads_.reach(number);
  if (thread.execution != execution_) {
    TARRY_ASSERT(number < kThreads);
    thread_count_ = std::max(thread_count_, number + 1);
    thread.execution = execution_;
    thread.step = 0;
    thread.clock.start();
    thread.fence.start();
    thread.may_acquire.start();
    thread.fenced = thread.has_seen = false;
  }
  return thread;
}

void RaceDetector::begin_epoch(Thread& thread, std::uint32_t number) {
  ++tick_;
  TARRY_ASSERT(tick_ != 0);
  step_of_tick_.reach(tick_) = thread.step;
  thread.clock.set(number, tick_, clock_room_);
  if (&thread == current_) now_ = (start_ + tick_) << kTimeShift | Stamp{number} << kThreadShift;
}

void RaceDetector::run(std::uint32_t number, std::uint32_t step) {
  Thread& next = thread(number);
  if (&next == current_ && next.step == step) return;
  current_ = &next;
  current_number_ = number;
  next.step = step;
  begin_epoch(next, number);
}

void RaceDetector::thread_created(std::uint32_t parent, std::uint32_t child) {
  Thread& creator = thread(parent);
  Thread& created = thread(child);
  created.clock.join(creator.clock, clock_room_);
  begin_epoch(creator, parent);
}

void RaceDetector::thread_joined(std::uint32_t joiner, std::uint32_t ended) {
  thread(joiner).clock.join(thread(ended).clock, clock_room_);
}

void RaceDetector::acquire(std::uint32_t number, const void* object) {
  const Clock* clock = sync_.find_object(reinterpret_cast<std::uintptr_t>(object));
  if (clock != nullptr) thread(number).clock.join(*clock, clock_room_);
}

void RaceDetector::release(std::uint32_t number, const void* object) {
  Thread& releaser = thread(number);
  sync_.object(reinterpret_cast<std::uintptr_t>(object)).join(releaser.clock, clock_room_);
  begin_epoch(releaser, number);
}

void RaceDetector::release_acquire(std::uint32_t number, const void* object) {
  acquire(number, object);
  release(number, object);
}

void RaceDetector::forget_object(const void* object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  sync_.forget(address & ~std::uintptr_t{7}, Stamp{1} << (address & 7));
}

void RaceDetector::atomic_acquire(std::uintptr_t address, std::size_t size, std::memory_order order) {
  Thread& self = *current_;
  for_each_granule(address, size, [&](std::uintptr_t granule, Stamp bytes) {
    sync_.for_each_message(granule, bytes, [&](const Clock& message) {
      if (acquires(order)) {
        self.clock.join(message, clock_room_);
      } else {
        self.may_acquire.join(message, clock_room_);
        self.has_seen = true;
      }
    });
  });
}

void RaceDetector::atomic_release(std::uintptr_t address, std::size_t size, std::memory_order order, bool keeps_sequence) {
  Thread& self = *current_;
  const bool hands_on = releases(order) || self.fenced;
  if (keeps_sequence && !hands_on) return;
  for_each_granule(address, size, [&](std::uintptr_t granule, Stamp bytes) {
    if (!hands_on) return sync_.overwritten(granule, bytes);
    Clock& message = keeps_sequence ? sync_.continued(granule, bytes) : sync_.replaced(granule, bytes);
    message.join(releases(order) ? self.clock : self.fence, clock_room_);
  });
  if (hands_on) begin_epoch(self, current_number_);
}

void RaceDetector::atomic_load(const void* address, std::size_t size, std::memory_order order, std::uintptr_t pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  atomic_acquire(at, size, order);
  access(at, size, kAtomic, pc);
}

void RaceDetector::atomic_store(const void* address, std::size_t size, std::memory_order order, std::uintptr_t pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  access(at, size, kAtomic | kWrite, pc);
  atomic_release(at, size, order, false);
}

void RaceDetector::atomic_rmw(const void* address, std::size_t size, std::memory_order order, std::uintptr_t pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  atomic_acquire(at, size, order);
  access(at, size, kAtomic | kWrite, pc);
  atomic_release(at, size, order, true);
}

void RaceDetector::fence(std::memory_order order) {
  Thread& self = *current_;
  if (acquires(order) && self.has_seen) self.clock.join(self.may_acquire, clock_room_);
  if (releases(order)) {
    self.fence.assign(self.clock, clock_room_);
    self.fenced = true;
    begin_epoch(self, current_number_);
  }
}

}  // namespace tarry::native
