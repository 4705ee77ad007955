#include "core/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tarry {
namespace {

/// Counts insertions, deletions, replacements and swaps of neighbours that make one word of the other.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  std::iota(d[0].begin(), d[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

Diagnostic usage_error(const std::string& text) { return {"tarry: error: " + text}; }

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const auto nearest = std::min_element(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return distance(word, a) < distance(word, b);
  });
  if (nearest == names.end() || distance(word, *nearest) > std::max<std::size_t>(2, word.size() / 3)) return "";
  return fmt::format("; did you mean '{}'?", *nearest);
}

Diagnostic unknown_name(const std::string& what, const std::string& name, const std::vector<std::string>& names) {
  const std::string hint = did_you_mean(name, names);
  return usage_error(fmt::format("unknown {} '{}'{} the {}{} are: {}", what, name, hint.empty() ? ";" : hint, what,
                                 what == "search" ? "es" : "s", fmt::join(names, ", ")));
}

std::string duration_text(std::chrono::milliseconds duration) {
  return fmt::format("{:g} s", static_cast<double>(duration.count()) / 1000);
}

}  // namespace tarry
