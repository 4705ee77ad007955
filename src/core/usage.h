// What is said to the user about a command line that cannot be followed.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"

namespace tarry {

/// Returns `tarry: error: …`.
Diagnostic usage_error(const std::string& text);

/// Returns "; did you mean 'x'?" if one of the names is near enough, else "".
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

/// Returns "unknown search 'x'; did you mean 'y'? the searches are: a, b, c".
Diagnostic unknown_name(const std::string& what, const std::string& name, const std::vector<std::string>& names);

/// Returns "10 s" or "1.5 s".
std::string duration_text(std::chrono::milliseconds duration);

}  // namespace tarry
