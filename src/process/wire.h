// Results of a child as text, and back. Both ends are the same executable, so there is no version.
#pragma once

#include <string>

#include "process/state_work.h"

namespace tarry::process::wire {

std::string failure(const std::string& text);
std::string diagnostic(const Diagnostic& diagnostic);
std::string search_result(const SearchResult& result);

/// What of a replay was told before.
struct Replayed {
  std::size_t steps = 0, fingerprints = 0;
  bool first_state = false;
};
/// A line with the rest of it so far; and the same, with how it ended.
std::string replay_so_far(const Replay& replay, const Replayed& told);
std::string replay_result(const Replay& replay, const Replayed& told = {});

}  // namespace tarry::process::wire
