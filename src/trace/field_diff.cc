#include "trace/field_diff.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace tarry {
namespace {

using Parts = std::vector<std::string_view>;

/// Splits "[a b c]" at its spaces or "{x=1, y=2}" at its commas, those inside of inner brackets excepted.
std::optional<Parts> split(std::string_view text, char open, char close, std::string_view separator) {
  if (text.size() < 2 || text.front() != open || text.back() != close) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  Parts parts;
  if (text.empty()) return parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth < 0) return std::nullopt;
    if (depth != 0 || !text.substr(i).starts_with(separator)) continue;
    parts.push_back(text.substr(start, i - start));
    start = i + separator.size();
    i = start - 1;
  }
  if (depth != 0) return std::nullopt;
  parts.push_back(text.substr(start));
  return parts;
}

class Differ {
 public:
  Narrator::Fields changes;

  void compare(const std::string& name, std::string_view before, std::string_view after) {
    if (before == after) return;
    if (compare_lists(name, before, after) || compare_structs(name, before, after)) return;
    changes.emplace_back(name, std::string(before) + " -> " + std::string(after));
  }

 private:
  bool compare_lists(const std::string& name, std::string_view before, std::string_view after) {
    const auto a = split(before, '[', ']', " ");
    const auto b = split(after, '[', ']', " ");
    if (!a || !b || a->size() != b->size()) return false;
    for (std::size_t i = 0; i < a->size(); ++i) compare(name + "[" + std::to_string(i) + "]", (*a)[i], (*b)[i]);
    return true;
  }

  bool compare_structs(const std::string& name, std::string_view before, std::string_view after) {
    const auto a = split(before, '{', '}', ", ");
    const auto b = split(after, '{', '}', ", ");
    if (!a || !b || a->size() != b->size()) return false;
    const auto key = [](std::string_view part) { return part.substr(0, part.find('=')); };
    const auto same_key = [&](std::string_view x, std::string_view y) { return x.find('=') != x.npos && key(x) == key(y); };
    if (!std::equal(a->begin(), a->end(), b->begin(), same_key)) return false;
    for (std::size_t i = 0; i < a->size(); ++i) {
      const std::size_t value = key((*a)[i]).size() + 1;
      compare(name + "." + std::string(key((*a)[i])), (*a)[i].substr(value), (*b)[i].substr(value));
    }
    return true;
  }
};

}  // namespace

Narrator::Fields changed_fields(const Narrator::Fields& before, const Narrator::Fields& after) {
  Differ differ;
  // Nearly always the same fields; some, such as "sealed by process", come and go.
  if (std::equal(before.begin(), before.end(), after.begin(), after.end(), [](const auto& a, const auto& b) { return a.first == b.first; })) {
    for (std::size_t i = 0; i < after.size(); ++i) differ.compare(after[i].first, before[i].second, after[i].second);
    return std::move(differ.changes);
  }
  std::unordered_map<std::string_view, std::string_view> old;
  for (const auto& [name, value] : before) old.emplace(name, value);
  std::unordered_set<std::string_view> now;
  for (const auto& [name, value] : after) {
    now.insert(name);
    const auto was = old.find(name);
    if (was == old.end()) differ.changes.emplace_back(name, value);
    else differ.compare(name, was->second, value);
  }
  for (const auto& [name, value] : before)
    if (!now.contains(name)) differ.changes.emplace_back(name, value + " -> none");
  return std::move(differ.changes);
}

}  // namespace tarry
