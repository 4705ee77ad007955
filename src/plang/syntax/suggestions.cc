#include "plang/syntax/suggestions.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tarry::plang {
namespace {

/// Suggestions for longer names would not be reliable.
constexpr std::size_t kLongestName = 100;

/// Returns the number of edits (insert, delete, replace a letter, swap two neighbours) between the two, or more than `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    // A swap looks two rows back, so one row beyond the limit is not enough to stop.
    if (*std::min_element(row.begin(), row.end()) > limit && *std::min_element(last.begin(), last.end()) > limit)
      return limit + 1;
  }
  return row[b.size()];
}

}  // namespace

void Suggestions::offer(std::string_view candidate) {
  if (candidate == wrong_) return;  // the same name of another kind
  if (std::max(candidate.size(), wrong_.size()) > kLongestName) return;
  const std::size_t least = std::min(candidate.size(), wrong_.size());
  const std::size_t limit = best_.empty() ? std::clamp<std::size_t>(wrong_.size() / 3, 1, 3) : best_distance_ - 1;
  if (std::max(candidate.size(), wrong_.size()) - least > limit) return;
  const std::size_t distance = edit_distance(wrong_, candidate, limit);
  if (distance > limit || distance >= least) return;  // a name with all letters replaced is another name
  best_ = candidate;
  best_distance_ = distance;
}

std::string_view type_word_for(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"boolean", "bool"}, {"Boolean", "bool"},   {"Bool", "bool"},   {"integer", "int"}, {"Integer", "int"}, {"Int", "int"},   {"long", "int"},
      {"double", "float"}, {"Double", "float"},   {"Float", "float"}, {"real", "float"},  {"String", "string"}, {"str", "string"}, {"list", "seq"},
      {"List", "seq"},     {"array", "seq"},      {"vector", "seq"},  {"dict", "map"},    {"Map", "map"},     {"Set", "set"},   {"Seq", "seq"}};
  for (const auto& [other, ours] : kOthers)
    if (other == name) return ours;
  return "";
}

std::string Suggestions::text() const {
  if (best_.empty()) return "";
  return std::string("; did you mean '").append(best_).append("'?");
}

}  // namespace tarry::plang
