#include "explore/dpor/wakeup_tree.h"

namespace tarry {

std::optional<std::size_t> can_come_first(const Event& event, const std::vector<const Event*>& sequence) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    if (sequence[i]->process == event.process) return agree(sequence[i]->values, event.values) ? std::optional(i) : std::nullopt;
    if (depend(sequence[i]->touches, event.touches)) return std::nullopt;
  }
  return sequence.size();
}

std::size_t WakeupTree::insert(std::vector<const Event*> sequence) {
  WakeupTree* tree = this;
  while (true) {
    Branch* way = nullptr;
    for (Branch& branch : tree->branches) {
      const std::optional<std::size_t> at = can_come_first(branch.event, sequence);
      if (!at || (*at == sequence.size() && !branch.event.certain)) continue;
      if (*at < sequence.size()) sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(*at));
      way = &branch;
      break;
    }
    if (way == nullptr) break;
    if (way->next.empty() || sequence.empty()) return 0;
    tree = &way->next;
  }
  for (const Event* event : sequence) {
    tree->branches.push_back({*event, {}});
    tree = &tree->branches.back().next;
  }
  return sequence.size();
}

std::size_t WakeupTree::size() const {
  std::size_t all = branches.size();
  for (const Branch& branch : branches) all += branch.next.size();
  return all;
}

}  // namespace tarry
