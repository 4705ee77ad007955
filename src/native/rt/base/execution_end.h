// How the execution ends, and what is found on the way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "native/abi/messages.h"
#include "native/rt/base/lasting.h"
#include "native/rt/base/runtime.h"

namespace tarry::native::rt {

/// What is wrong, found by the running thread.
struct Failure {
  FindingKind kind;
  std::string message;            // may hold {0}, {1} … for `places`
  std::uintptr_t pc = 0;          // 0: the innermost frame of the program's own code
  std::vector<std::uintptr_t> places = {};
  std::vector<std::uintptr_t> stack = {};
  std::vector<std::uint32_t> threads = {};  // concerned, where that is not only the running one
  // Recording: what RawFinding has of these names.
  std::string told = {};
  std::vector<RecordedObject> objects = {};
  std::vector<std::vector<std::uintptr_t>> stacks = {};
};

struct ExecutionEnd {
  bool failed = false;        // `failure` says how
  bool starved = false;       // it was cut, and must be repeated under other conditions
  bool called_off = false;    // it was cut, and none follows it
  bool left_running = false;  // in some execution threads were still there when the program ended
  int exit_code = 0;
  Lasting<Failure> failure;
  Lasting<std::vector<Failure>> notes;  // what does not end the execution: races, mistakes that are only reported

  void fail_with(Failure how) {
    *failure = std::move(how);
    failed = true;
  }
  void reset() {
    failed = starved = false;
    exit_code = 0;
    if (!notes->empty()) notes->clear();
  }
};
inline ExecutionEnd& execution_end() { return part<ExecutionEnd>(); }

}  // namespace tarry::native::rt
