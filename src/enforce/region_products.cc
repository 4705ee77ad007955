#include "enforce/region_products.h"

#include <algorithm>

#include "base/hash.h"

namespace tarry::enforce {
void RegionProducts::add(std::span<const Passage> regions, End end) {
  auto* next = &roots_;
  std::uint64_t past = 0;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> way;
  for (const Passage& one : regions) {
    const Footprint& read = one.entry->read;
    const std::uint64_t place[] = {one.inputs, read.module, read.offset, read.depth};
    const auto [at, is_new] = next->try_emplace(hash_of(std::span<const std::uint64_t>(place), 0), static_cast<std::uint32_t>(nodes_.size()));
    const std::uint32_t number = at->second;
    if (is_new) nodes_.push_back({.past = hash_of(std::span<const std::uint64_t>(place + 1, 3), past), .region = {.module = read.module, .offset = read.offset, .depth = read.depth}, .known = {}});
    Node& node = nodes_[number];
    node.known.insert(one.entry->known.begin(), one.entry->known.end());
    past = hash_of(std::span<const std::uint64_t>(&one.trace, 1), node.past);
    Child& child = node.children[one.trace];
    if (end == End::kWell) child.well = true, went_well_[node.past].insert(one.trace);
    else if (&one == &regions.back()) child.failed = true;
    way.emplace_back(number, one.trace);
    next = &child.next;
  }
  has_several_ |= regions.size() > 1;
  has_failed_ |= end == End::kFailed;
  if (end == End::kWell) executions_.push_back(std::move(way));
}

/// Traces that are admitted so far.
class RegionProducts::Selection {
 public:
  using Pair = std::pair<std::uint32_t, std::uint64_t>;  // candidate and trace

  Selection(const RegionProducts& all, std::span<const Candidate> candidates) : all_(all), candidates_(candidates), chosen_(candidates.size()), fitting_(all.nodes_.size()) {
    for (std::uint32_t node = 0; node < all.nodes_.size(); ++node)
      for (std::uint32_t i = 0; i < candidates.size(); ++i)
        if (const Footprint& one = *candidates[i].footprint; one.is_of_same_region(all.nodes_[node].region) && !contradict(one.values, all.nodes_[node].known)) fitting_[node].push_back(i);
  }

  /// Returns the pairs that are not chosen yet, but would let a run take this execution.
  std::vector<Pair> missing_for(const std::vector<std::pair<std::uint32_t, std::uint64_t>>& execution) const {
    std::vector<Pair> out;
    for (const auto& [node, trace] : execution)
      for (const std::uint32_t candidate : fitting_[node])
        if (candidates_[candidate].traces.contains(trace) && !chosen_[candidate].contains(trace)) out.emplace_back(candidate, trace);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }
  void choose(std::span<const Pair> pairs) {
    for (const auto& [candidate, trace] : pairs) chosen_[candidate].insert(trace);
  }
  void drop(std::span<const Pair> pairs) {
    for (const auto& [candidate, trace] : pairs) chosen_[candidate].erase(trace);
  }
  std::vector<std::set<std::uint64_t>> take() { return std::move(chosen_); }

  /// Returns whether all combinations of chosen traces went well, as far as the tree goes.
  bool holds() const {
    std::vector<char> seen(all_.nodes_.size());
    std::vector<std::uint32_t> open;
    const auto enter = [&](const std::map<std::uint64_t, std::uint32_t>& nodes) {
      for (const auto& [inputs, node] : nodes)
        if (seen[node] == 0) seen[node] = 1, open.push_back(node);
    };
    for (enter(all_.roots_); !open.empty();) {
      const std::uint32_t number = open.back();
      open.pop_back();
      for (const std::uint32_t candidate : fitting_[number])
        for (const std::uint64_t trace : chosen_[candidate]) {
          if (!all_.is_well(all_.nodes_[number], trace)) return false;
          if (const auto child = all_.nodes_[number].children.find(trace); child != all_.nodes_[number].children.end()) enter(child->second.next);
        }
    }
    return true;
  }
  /// Chooses all traces but those that cannot follow the start of the program.
  void choose_all() {
    for (std::uint32_t i = 0; i < candidates_.size(); ++i) chosen_[i] = candidates_[i].traces;
    for (const auto& root : all_.roots_)
      for (const std::uint32_t candidate : fitting_[root.second]) std::erase_if(chosen_[candidate], [&](std::uint64_t trace) { return !all_.is_well(all_.nodes_[root.second], trace); });
  }
  void choose_none() {
    for (std::set<std::uint64_t>& traces : chosen_) traces.clear();
  }

 private:
  const RegionProducts& all_;
  std::span<const Candidate> candidates_;
  std::vector<std::set<std::uint64_t>> chosen_;
  std::vector<std::vector<std::uint32_t>> fitting_;  // candidates, by node
};

bool RegionProducts::is_well(const Node& node, std::uint64_t trace) const {
  if (const auto child = node.children.find(trace); child != node.children.end() && child->second.failed) return false;
  const auto well = went_well_.find(node.past);
  return well != went_well_.end() && well->second.contains(trace);
}

std::vector<std::set<std::uint64_t>> RegionProducts::admitted(std::span<const Candidate> candidates) const {
  Selection selection(*this, candidates);
  selection.choose_all();
  if (selection.holds()) return selection.take();
  selection.choose_none();
  std::set<std::vector<Selection::Pair>> refused;
  for (const auto& execution : executions_) {
    const auto pairs = selection.missing_for(execution);
    if (pairs.empty() || refused.contains(pairs)) continue;
    selection.choose(pairs);
    if (selection.holds()) continue;
    selection.drop(pairs);
    refused.insert(pairs);
  }
  return selection.take();
}

}  // namespace tarry::enforce
