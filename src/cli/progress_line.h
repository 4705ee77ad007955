// What is shown on standard error while a search runs: one line that is redrawn on a terminal, one every ten seconds elsewhere.
#pragma once

#include <cstdint>

#include "cli/check_options.h"
#include "core/progress.h"
#include "core/subject.h"

namespace tarry::cli {

class ProgressLine {
 public:
  ProgressLine(const CheckOptions& options, const Progress& progress);
  ~ProgressLine();  // takes the line away
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void tick(double seconds);

 private:
  enum class Mode { kNone, kLive, kNowAndThen };
  std::string text(double seconds);

  const CheckOptions& options_;
  const Progress& progress_;
  Mode mode_;
  bool shown_ = false;
  double last_seconds_ = 0;   // when they were counted last
  std::uint64_t last_count_ = 0;
  double rate_ = 0;           // states or executions a second
};

/// Searches, and shows progress meanwhile.
SearchEnd search_with_progress(const Subject& subject, const CheckOptions& options);

}  // namespace tarry::cli
