// Watches a thread of another process from outside: does it come back from what it does?
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

namespace tarry {

/// A thread is taken to be stuck when it used the processor for as long as the timeout without a beat, or slept through twice the timeout. Not
/// by the clock alone: on a loaded or suspended machine time passes in which nothing is done.
class StallWatch {
 public:
  /// Called now and then, `passed` after the last time; thread 0: there is none. True once for each time that it is found stuck.
  bool look(pid_t process, std::uint32_t thread, std::uint64_t beat, std::chrono::milliseconds passed, std::chrono::milliseconds timeout);
  /// The last time that it was found stuck, it slept.
  bool slept() const { return slept_; }

 private:
  std::uint32_t thread_ = 0;
  std::uint64_t beat_ = 0;
  bool slept_ = false;
  bool still_ = false;  // nothing changed since the last look; then:
  std::chrono::milliseconds waited_{0};
  std::chrono::milliseconds cpu_{0};  // used when it was first found so
};

}  // namespace tarry
