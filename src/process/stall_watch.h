// Watches a thread of another process from outside and detects that it is stuck.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

namespace tarry {

/// A thread is stuck if it used the processor for as long as the timeout without a beat, or slept for twice the timeout.
/// Wall-clock time alone does not count: on a loaded or suspended machine time passes without progress.
class StallWatch {
 public:
  /// Call it regularly, with the time `passed` since the last call; thread 0 means that there is none. Returns true once each
  /// time the thread is found stuck.
  bool look(pid_t process, std::uint32_t thread, std::uint64_t beat, std::chrono::milliseconds passed, std::chrono::milliseconds timeout);
  /// Returns whether the thread slept when it was last found stuck.
  bool slept() const { return slept_; }

 private:
  std::uint32_t thread_ = 0;
  std::uint64_t beat_ = 0;
  bool slept_ = false;
  bool still_ = false;  // nothing changed since the last call; then:
  std::chrono::milliseconds waited_{0};
  std::chrono::milliseconds cpu_{0};  // processor time used when this was first seen
};

}  // namespace tarry
