#include "plang/vm/layout.h"

#include <algorithm>

namespace tarry::plang {
namespace {

/// The id in the entry with this number, which is above the id. 0: there is none.
std::uint32_t find_entry(std::span<const std::uint64_t> entries, std::uint64_t number) {
  const auto found = std::lower_bound(entries.begin(), entries.end(), number << 32);
  return found != entries.end() && *found >> 32 == number ? static_cast<std::uint32_t>(*found) : 0;
}

}  // namespace

Rest::Machine Rest::find(const Pool& pool, std::uint32_t id, std::uint32_t slot) {
  const Machine absent{slot, 0, 0};
  if (id == 0) return absent;
  auto entries = pool.words(id);
  if ((entries[0] & kIsGroup) != 0) {
    const std::uint32_t group = find_entry(entries, kIsGroup >> 32 | slot / kGroup);
    if (group == 0) return absent;
    entries = pool.words(group);
  }
  const std::uint32_t chunk = find_entry(entries, slot / kChunk);
  if (chunk == 0) return absent;
  const auto words = pool.words(chunk);
  for (std::size_t i = 0; i + 1 < words.size() && words[i] <= slot; i += 2)
    if (words[i] == slot) return machine_of(words[i], words[i + 1]);
  return absent;
}

std::uint32_t Rest::count(const Pool& pool, std::uint32_t id) {
  std::size_t out = 0;
  for_each_chunk(pool, id, [&](Chunk chunk) { out += pool.words(chunk.id).size() / 2; });
  return static_cast<std::uint32_t>(out);
}

void Rest::load(const Pool& pool, std::uint32_t id) {
  open_.clear();
  last_ = 0;
  chunks_.clear();
  for_each_chunk(pool, id, [&](Chunk chunk) { chunks_.push_back(chunk); });
}

Rest::Open& Rest::open(const Pool& pool, std::uint32_t first) {
  Open& out = open_.emplace_back();
  out.first = first;
  for (std::uint32_t i = 0; i < kChunk; ++i) out.machines[i] = {first + i, 0, 0};
  const auto chunk = std::ranges::lower_bound(chunks_, first, {}, &Chunk::first);
  if (chunk != chunks_.end() && chunk->first == first) for_each(pool, *chunk, [&](const Machine& m) { out.machines[m.slot - first] = m; });
  return out;
}

Rest::Machine& Rest::at(const Pool& pool, std::uint32_t slot) {
  const std::uint32_t first = slot / kChunk * kChunk;
  if (last_ >= open_.size() || open_[last_].first != first)
    last_ = static_cast<std::size_t>(std::ranges::find(open_, first, &Open::first) - open_.begin());
  return (last_ < open_.size() ? open_[last_] : open(pool, first)).machines[slot - first];
}

/// Puts the chunk that it is now in place of the one that it was.
void Rest::close(Pool& pool, const Open& chunk) {
  words_.clear();
  for (const Machine& m : chunk.machines) {
    if (m.config == 0) continue;
    words_.push_back(m.slot);
    words_.push_back(m.config | std::uint64_t{m.inbox} << 32);
  }
  const auto at = std::ranges::lower_bound(chunks_, chunk.first, {}, &Chunk::first);
  const bool known = at != chunks_.end() && at->first == chunk.first;
  if (!words_.empty() && known) at->id = pool.intern(words_);
  else if (!words_.empty()) chunks_.insert(at, {chunk.first, pool.intern(words_)});
  else if (known) chunks_.erase(at);
}

std::uint32_t Rest::save(Pool& pool) {
  for (const Open& chunk : open_) close(pool, chunk);
  open_.clear();
  if (chunks_.empty()) return 0;
  groups_.clear();
  const bool grouped = chunks_.front().first / kGroup != chunks_.back().first / kGroup;
  for (auto chunk = chunks_.begin(); chunk != chunks_.end();) {
    words_.clear();
    const std::uint32_t group = chunk->first / kGroup;
    for (; chunk != chunks_.end() && chunk->first / kGroup == group; ++chunk) words_.push_back(std::uint64_t{chunk->first / kChunk} << 32 | chunk->id);
    if (grouped) groups_.push_back(kIsGroup | std::uint64_t{group} << 32 | pool.intern(words_));
  }
  return pool.intern(grouped ? groups_ : words_);
}

}  // namespace tarry::plang
