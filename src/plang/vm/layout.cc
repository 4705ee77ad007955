#include "plang/vm/layout.h"

#include <algorithm>

namespace tarry::plang {

void Rest::load(const Pool& pool, std::uint32_t id) {
  machines_.clear();
  if (id == 0) return;
  for (const std::uint64_t chunk : pool.words(id)) {
    const auto words = pool.words(static_cast<std::uint32_t>(chunk));
    for (std::size_t i = 0; i + 1 < words.size(); i += 2)
      machines_.push_back({static_cast<std::uint32_t>(words[i]), static_cast<std::uint32_t>(words[i + 1]), static_cast<std::uint32_t>(words[i + 1] >> 32)});
  }
}

std::uint32_t Rest::save(Pool& pool) {
  std::vector<std::uint64_t> chunks, words;
  for (std::size_t i = 0; i < machines_.size();) {
    words.clear();
    for (const std::uint32_t chunk = machines_[i].slot / kChunk; i < machines_.size() && machines_[i].slot / kChunk == chunk; ++i) {
      const Machine& m = machines_[i];
      if (m.config == 0) continue;
      words.push_back(m.slot);
      words.push_back(m.config | std::uint64_t{m.inbox} << 32);
    }
    if (!words.empty()) chunks.push_back(pool.intern(words));
  }
  return chunks.empty() ? 0 : pool.intern(chunks);
}

Rest::Machine& Rest::at(std::uint32_t slot) {
  const auto found = std::lower_bound(machines_.begin(), machines_.end(), slot, [](const Machine& m, std::uint32_t s) { return m.slot < s; });
  if (found != machines_.end() && found->slot == slot) return *found;
  return *machines_.insert(found, {slot, 0, 0});
}

}  // namespace tarry::plang
