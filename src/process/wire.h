// Results of a child as text, and back. Both ends are the same executable, so there is no version.
#pragma once

#include <string>

#include "process/state_work.h"

namespace tarry::process::wire {

std::string failure(const std::string& text);
std::string diagnostic(const Diagnostic& diagnostic);
std::string search_result(const SearchResult& result);
std::string replay_result(const Replay& replay);

}  // namespace tarry::process::wire
