// The log of a run: every event with two numbers, drawn from one counter, from before and from behind its access. Who has it can tell, without trusting
// anything else of this library, in which order events took place, and that those that depend on each other did not overlap.
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
  /// Of so many threads, to an open file.
  void begin(int file, std::uint32_t threads);
  bool on() const { return file_ >= 0; }
  void claim(std::uint32_t thread, const Actual& actual);
  void done(std::uint32_t thread);
  void write(std::uint64_t trace, bool verified);

 private:
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

/// Memory of our own, all zero. Ends the program if there is none.
void* fresh_memory(std::uint64_t size);

}  // namespace tarry::enforce::rt
