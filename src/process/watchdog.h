// Watches the threads of a child from outside, and tells one whose step does not end to leave a record.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "process/crash_record.h"
#include "process/stall_watch.h"

namespace tarry::process {

/// What stuck means is said in base/stall_watch.h.
class Watchdog {
 public:
  Watchdog(Shared& shared, pid_t child, std::chrono::milliseconds timeout);

  /// Called now and then, `passed` after the last time.
  void tick(std::chrono::milliseconds passed);

 private:
  void look(StallWatch& watch, std::uint32_t thread, std::uint64_t beat, std::chrono::milliseconds passed);

  Shared& shared_;
  pid_t child_;
  std::chrono::milliseconds timeout_;
  StallWatch main_;
  std::vector<StallWatch> workers_;
};

}  // namespace tarry::process
