// Writes every complete execution as a line of JSON (--dump-traces), for checkers outside of the search (docs/trace-dump.md).
//
// The events of a line are the steps of the execution in the order in which they were taken. Each names its thread, its operation,
// and for every object that it uses the event whose write it follows. For a read that is reads-from; for a write it is coherence.
// A step that uses everything follows all events before it, and all events after it follow it.
//
// Each worker has a file of its own, which the tool appends to the user's file at the end. Executions that were run before further
// accesses became scheduling points are void, so a worker empties its file then.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "native/rt/session/execution.h"

namespace tarry::native::rt {

class TraceDump final : public StepObserver {
 public:
  explicit TraceDump(std::string file);
  TraceDump(const TraceDump&) = delete;
  TraceDump& operator=(const TraceDump&) = delete;

  void begin() override;
  void before(std::uint32_t thread) override;
  void decided(std::uint32_t value) override;
  void after(std::uint32_t thread) override;
  void end() override;
  void complete(const ExecutionResult& result) override;
  void begin_anew() override;
  /// Writes the rest. Returns whether everything could be written.
  bool finish();

 private:
  struct DumpedUse {
    std::uint64_t object;
    bool writes;
  };
  struct DumpedStep {
    std::uint32_t thread;
    const char* operation;
    bool expires;  // its time-out is over, and it gives up
    std::vector<std::uint32_t> values;
    std::uint32_t first_created, created;  // numbers of the threads that it created: from, and how many
    std::vector<DumpedUse> uses;
    bool everything;
  };

  void take_uses(DumpedStep& step);
  void put_events();
  void put_uses(const DumpedStep& step, std::uint32_t number);
  void flush(int flags);

  std::string file_;
  std::string buffer_;
  bool failed_ = false;
  std::vector<DumpedStep> steps_;  // of the execution that runs
  std::unordered_map<std::uint64_t, std::uint32_t> last_writes_;  // by object: the event plus 1
  std::uint32_t last_global_ = 0;                                 // plus 1
};

}  // namespace tarry::native::rt
