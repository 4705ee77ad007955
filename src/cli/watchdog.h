// Watches the threads of a child from outside, and tells one whose step does not end to leave a record.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "cli/crash_record.h"

namespace tarry::cli {

/// A step is taken to be endless when its thread was busy for half of the timeout without coming back, or slept through twice the
/// timeout. Not by the clock alone: on a loaded or suspended machine time passes in which nothing is done.
class Watchdog {
 public:
  Watchdog(Shared& shared, pid_t child, std::chrono::milliseconds timeout);

  /// Called now and then, `passed` after the last time.
  void tick(std::chrono::milliseconds passed);

 private:
  struct Thread {
    std::uint32_t id = 0;
    std::uint64_t beat = 0;
    bool stuck = false;  // nothing changed since the last look; then:
    std::chrono::milliseconds waited{0};
    std::chrono::milliseconds cpu{0};  // used when it was first found stuck
  };
  void look(Thread& thread, std::uint32_t id, std::uint64_t beat, std::chrono::milliseconds passed);

  Shared& shared_;
  pid_t child_;
  std::chrono::milliseconds timeout_;
  Thread main_;
  std::vector<Thread> workers_;
};

}  // namespace tarry::cli
