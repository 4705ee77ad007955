// The names of registered searches, for tests that hold for every search of a kind: a new search joins these tests by its own file.
#pragma once

#include <string>
#include <vector>

#include "core/registry.h"

namespace tarry::test {

/// Returns the names of the searches whose registration satisfies `wanted`, in the order of the registry.
template <class Wanted>
std::vector<std::string> searches_with(Wanted&& wanted) {
  std::vector<std::string> names;
  for (const Entry<Search>& entry : Registry<Search>::all())
    if (wanted(entry.kind)) names.push_back(entry.name);
  return names;
}

/// Returns the searches that verify programs whose states are captured. Partial-order reduction needs programs that tell what their steps touch (dpor_test.cc).
inline std::vector<std::string> complete_searches() {
  return searches_with([](const Made<Search>& kind) { return kind.complete && !kind.reduces; });
}

/// Returns the complete searches for safety only: they go through all programs alike, whether there is liveness to decide or not.
inline std::vector<std::string> complete_safety_searches() {
  return searches_with([](const Made<Search>& kind) { return kind.complete && !kind.reduces && !kind.decides_liveness; });
}

/// Returns the same without the portfolio, which runs other searches within limits of its own.
inline std::vector<std::string> single_safety_searches() {
  std::vector<std::string> names = complete_safety_searches();
  std::erase(names, "portfolio");
  return names;
}

/// Returns the complete searches that also work on programs that can only be run.
inline std::vector<std::string> complete_running_searches() {
  return searches_with([](const Made<Search>& kind) { return kind.complete && !kind.reduces && kind.runs; });
}

/// Returns the searches that only sample: they are never complete, and --samples ends them.
inline std::vector<std::string> sampling_searches() {
  return searches_with([](const Made<Search>& kind) { return !kind.complete; });
}

}  // namespace tarry::test
