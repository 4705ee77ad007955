// Runs work in a child process, because the program under test may crash, hang or exit: none of that may take the tool along.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "process/crash_record.h"

namespace tarry::process {

/// Memory for a child to share, freed at the end of the scope.
class SharedMemory {
 public:
  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  Shared& operator*() { return *shared_; }
  Shared* operator->() { return shared_; }

 private:
  Shared* shared_;
};

struct ChildEnd {
  bool came_back = false;     // `said` is everything that the work returned
  std::string said;
  int status = 0;             // as waitpid gives it
  int interrupted_by = 0;     // the signal that asked us to stop
  bool out_of_time = false;   // it was killed, because it took too long
  bool cut_off = false;       // it was told to end and did not: a step did not come back
  std::uint64_t peak_rss = 0;
  double seconds = 0;
  double processor_seconds = 0;   // that it used
  std::uint64_t over_memory = 0;  // what it held when it was found to hold far more than it may; 0 if that did not happen
  std::uint64_t tables = 0;       // of that, what the search counted
};

struct Supervision {
  std::chrono::milliseconds step_timeout{10'000};
  std::function<void(double seconds)> tick = {};  // five times a second; may be empty
  bool gives_up = false;                          // the first signal kills the child: its work cannot end early by itself
  std::optional<std::chrono::milliseconds> time = std::nullopt;  // after which the child is killed
  /// A search ends by itself after this time, and on Ctrl-C. If a step does not come back then, within a tenth of a second, it is cut off, and the
  /// process with it. What was found would be lost with that, so with a finding a step has two seconds; so have we ourselves.
  std::optional<std::chrono::milliseconds> search_time = std::nullopt;
  /// Searches keep to --memory by counting their tables. The program's own memory is not counted, so the process is watched: the child is told
  /// to end when it holds a quarter more than this (256 MiB more at least), and killed at twice that. 0: it is not watched.
  std::uint64_t memory = 0;
};

/// Runs `work` in a child and waits for it. Ctrl-C and SIGTERM set `progress.stop`; a second one kills the child (with `gives_up`, the first one).
/// If the program crashes or does not return from a step, the record in `shared` says so.
ChildEnd supervise(Shared& shared, const Supervision& how, const std::function<std::string()>& work);

/// The same for work that says something on the way: that is in front of what it returns, and there even if the child does not come back.
using Say = std::function<void(const std::string&)>;
ChildEnd supervise(Shared& shared, const Supervision& how, const std::function<std::string(const Say&)>& work);

}  // namespace tarry::process
