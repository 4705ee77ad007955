// Threads that look at a word for a while before they sleep in a futex.
//
// libstdc++'s atomic waits load the word sixteen times, yielding in between, before the system call; libc++'s sixty-four times and then until
// 64 microseconds have passed. Every load is a scheduling point, yet it makes no difference at which of them a change is seen: the futex call
// looks again. Where a thread has been seen to do so (loads of one object at few places, all of the same value and with nothing else but yields
// and sleeps in between, then a futex wait) these places are remembered; from then on only the first of such loads in a row is a point. A thread
// that yields before it has looked many times is another matter: it waits for another thread. As with accesses that race, executions after that have
// other points than those before.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

/// Loads of one object and nothing else but yields: what a thread does before it sleeps in a futex.
struct Spin {
  static constexpr std::uint32_t kPlaces = 12;
  const void* object = nullptr;
  std::uint64_t value = 0;
  std::uint32_t count = 0;
  std::uint32_t place_count = 0;
  std::uint32_t yields = 0;
  bool patient = false;  // many loads came before the first yield
  std::uintptr_t places[kPlaces] = {};
};

/// The running thread is about to load. True: it does so again, at a place where that says nothing new, so no point is needed.
bool spins(const void* object, std::uintptr_t pc);
/// It has loaded this value.
void loaded(const void* object, std::uintptr_t pc, std::uint64_t value);
/// It yields or sleeps. Where it has loaded many times before the first, it is about to sleep in a futex and can go on by itself: fairness must
/// not keep it from getting there.
enum class Yielding { kCounts, kDoesNotCount, kNothingNew };
Yielding spins_yielding(std::uintptr_t pc);
/// Time passes for a thread that spins. What it does until a limit of time (libc++'s timed waits, and all its waits before they sleep)
/// would else be endless: the microseconds of its loads at a look at the clock, and sleeps that take longer each time.
std::uint64_t time_of_loads();
std::uint64_t time_of_sleep(std::uint64_t nanoseconds);
/// It is about to wait for a futex: the loads just before were spinning.
void spun_until_futex();

}  // namespace tarry::native::rt
