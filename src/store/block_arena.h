// Blocks of memory for lists that grow and shrink: frontiers, levels. The memory of a freed block goes back to the system, so
// resident memory equals counted memory. The heap would keep it.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/virtual_array.h"
#include "store/memory_budget.h"

namespace tarry {

class BlockArena {
 public:
  static constexpr std::size_t kBytes = 32 << 10;

  /// Forces blocks on the budget, because searches need them. Blocks may take a little more than twice the limit of the budget.
  explicit BlockArena(MemoryBudget& budget) : room_((budget.limit() * 2 / kBytes + 8192) * kBytes), budget_(budget) {}

  std::byte* take() {
    budget_.force(kBytes);
    const std::scoped_lock lock(mutex_);
    if (!free_.empty()) {
      std::byte* const block = free_.back();
      free_.pop_back();
      return block;
    }
    if (used_ + kBytes > room_.capacity()) throw std::bad_alloc();
    return room_.data() + std::exchange(used_, used_ + kBytes);
  }
  void give(std::byte* block) {
    ::madvise(block, kBytes, MADV_DONTNEED);
    budget_.give(kBytes);
    const std::scoped_lock lock(mutex_);
    free_.push_back(block);
  }

 private:
  VirtualArray<std::byte> room_;
  MemoryBudget& budget_;
  std::mutex mutex_;  // guards the following members
  std::vector<std::byte*> free_;
  std::size_t used_ = 0;
};

/// A list of at most kRoom items, in a block of an arena. Requires: the arena outlives the list.
template <class T>
class Block {
 public:
  static constexpr std::size_t kRoom = BlockArena::kBytes / sizeof(T);
  static_assert(std::is_trivially_copyable_v<T>);

  explicit Block(BlockArena& arena) : arena_(&arena), items_(reinterpret_cast<T*>(arena.take())) {}
  Block(Block&& other) noexcept : arena_(other.arena_), items_(std::exchange(other.items_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Block& operator=(Block&& other) noexcept {
    std::swap(arena_, other.arena_);
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Block() {
    if (items_ != nullptr) arena_->give(reinterpret_cast<std::byte*>(items_));
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == kRoom; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }
  /// Appends an item. Requires: !full().
  void push_back(const T& item) { items_[size_++] = item; }
  /// Drops all items from the n-th on.
  void truncate(std::size_t n) { size_ = n; }

 private:
  BlockArena* arena_;
  T* items_;
  std::size_t size_ = 0;
};

}  // namespace tarry
