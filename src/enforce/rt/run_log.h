// The log of a run: every event with two values of one counter, from before and after its access. The log shows, without trust in
// the rest of this library, in which order events happened, and that dependent events did not overlap.
#pragma once

#include <atomic>
#include <cstdint>

#include "enforce/rt/control.h"

namespace tarry::enforce::rt {

struct LogEntry {
  Actual actual;
  std::uint64_t claimed, done;
};

class RunLog {
 public:
  /// Starts the log of so many threads, to an open file.
  void begin(int file, std::uint32_t threads);
  /// Returns the number of times that were drawn.
  std::uint64_t time() const { return clock_.load(std::memory_order_relaxed); }
  bool on() const { return file_ >= 0; }
  void claim(std::uint32_t thread, const Actual& actual);
  void done(std::uint32_t thread);
  /// Writes all events, and forgets them. `set`: the number of the set that was enforced.
  void write(std::uint64_t trace, bool verified, std::uint32_t set = 0);

 private:
  void clear();

  static constexpr std::uint32_t kEntries = 1000;
  struct Chunk {
    Chunk* before;
    std::uint32_t count;
    LogEntry entries[kEntries];
  };

  int file_ = -1;
  std::uint32_t threads_ = 0;
  Chunk** last_ = nullptr;  // by thread
  std::atomic<std::uint64_t> clock_{0};
};

/// Returns our own memory, all zero. Ends the program if there is none.
void* fresh_memory(std::uint64_t size);

}  // namespace tarry::enforce::rt
