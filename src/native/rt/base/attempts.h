// Threads that take one thing, try to take the next, and give the first back if they cannot have it: std::lock, and loops like it.
//
// All of them may do so in step for ever, and each is run again and again. What fairness makes of that is in explore/fair.h; here it is seen.
// An attempt is refused; then the thread gives something back; then it is about to take something again: it backed off. Whether it goes round
// a loop is known by recurrence (await.h): it stands as it stood when it backed off before. Attempts that are counted never do, so
// they are explored as they are.
#pragma once

#include <cstdint>

#include "core/execution.h"

namespace tarry::native::rt {

/// Of a thread: to take several things that others want, too.
struct Attempts {
  const void* refused = nullptr;     // at the last one
  bool gave_back = false;            // something, since
  bool only_looked = false;          // it may have been no attempt at all
  Contest contest = Contest::kNone;  // after the step that it takes
  static constexpr std::uint32_t kKept = 16;
  std::uint64_t stood[kKept] = {};   // when it backed off the last times
  std::uint32_t times = 0;

  /// It backs off, standing so. True: it has stood so before.
  bool backs_off_again(std::uint64_t stands);
};

}  // namespace tarry::native::rt
