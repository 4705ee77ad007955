// What went wrong in any stage. Lines that are not text are noted and left out; anything else ends the run.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <set>
#include <vector>

#include "tokenizer.h"

namespace pipeline {

class Failures {
 public:
  void note(const TextError& error);

  /// The first one counts.
  void fail(std::exception_ptr failure);
  bool failed() const { return failed_; }

  /// The lines, in order.
  std::vector<int> lines() const;
  void rethrow() const;

 private:
  std::atomic<bool> failed_{false};
  mutable std::mutex lock_;  // guards all that follows
  std::set<int> lines_;
  std::exception_ptr failure_;
};

}  // namespace pipeline
