// Shadow memory: for every eight bytes of the program's memory (a granule) the accesses that may still race with a future one.
//
// An access to some bytes of a granule is a cell: thread, time, bytes, kind, and place in the code. Two cells are in the granule
// itself, so it fills half a cache line; further cells go to a chain of blocks. A hash table finds pages of 512 granules.
//
// Nothing is wiped between executions. Time continues where the last execution ended, so a cell of an earlier execution is
// recognised by its time and counts as empty. No old cell can look like a current one. Invariant: a cell with time >= the start
// of the execution was written in it, and so was the chain that a link points to.
#pragma once

#include <cstdint>

#include "native/races/memory.h"

namespace tarry::native {

/// Thread, time and kind in one word: bits 0-7 say which bytes, then the flags, 12 bits of thread, 40 bits of time.
using Stamp = std::uint64_t;

inline constexpr Stamp kBytes = 0xff;
inline constexpr Stamp kWrite = 1u << 8;
inline constexpr Stamp kAtomic = 1u << 9;
inline constexpr Stamp kRaced = 1u << 10;    // it raced, so the next access of its epoch is checked again
inline constexpr Stamp kSpecial = 1u << 11;  // with kWrite: the bytes are free; without: a link to a chain
inline constexpr unsigned kThreadShift = 12, kTimeShift = 24;
inline constexpr std::uint32_t kMaxThreads = 1u << (kTimeShift - kThreadShift);
inline constexpr std::uint64_t kMaxTime = std::uint64_t{1} << (64 - kTimeShift);

/// The place in the code, and the bytes of the original access: an access of another size may have taken some of the cell's
/// bytes.
struct Site {
  static constexpr std::uint8_t kRange = 255;  // the cell's own bytes are the best description of the access
  static constexpr std::uint8_t kObject = 254;  // the first bytes of a synchronisation object, for the whole object
  std::uint64_t pc : 48;
  std::uint64_t size : 8;
  std::int64_t offset : 8;  // of its first byte from the granule; negative if the access began before
};

struct Cell {
  Stamp stamp;
  union {
    Site place;
    struct CellBlock* chain;
  };

  std::uint32_t thread() const { return static_cast<std::uint32_t>(stamp >> kThreadShift) & (kMaxThreads - 1); }
  std::uint64_t time() const { return stamp >> kTimeShift; }
  bool is_link() const { return (stamp & (kSpecial | kWrite)) == kSpecial; }
  bool is_free() const { return (stamp & (kSpecial | kWrite)) == (kSpecial | kWrite); }

  /// Returns whether this is an access of the same thread and epoch to all bytes of `wanted`, at least as strong as `wanted`.
  bool covers_read(Stamp wanted) const { return (((stamp ^ wanted) & ~(kBytes | kWrite)) | (wanted & ~stamp & kBytes)) == 0; }
  bool covers_write(Stamp wanted) const { return (((stamp ^ wanted) & ~kBytes) | (wanted & ~stamp & kBytes)) == 0; }
};

struct CellBlock {
  static constexpr unsigned kCells = 7;
  CellBlock* next;
  std::uint64_t padding;
  Cell cells[kCells];
};

struct alignas(32) Granule {
  Cell cells[2];  // the second may be a link
};
static_assert(sizeof(Granule) == 32);

/// The synchronisation objects that begin in a granule: a list, valid if it was made in this execution.
struct SyncSlot {
  struct SyncEntry* first;  // sync_table.h
  std::uint32_t execution;
};

struct alignas(64) ShadowPage {
  static constexpr unsigned kBytesShift = 12, kGranules = 512;

  std::uint64_t number;     // address >> kBytesShift
  std::uint32_t execution;  // the last execution that touched it
  SyncSlot* sync;           // kGranules of them, or nullptr
  Granule granules[kGranules];
};

/// Calls `action(granule, bytes)` for every granule of a range.
template <class Action>
void for_each_granule(std::uintptr_t address, std::size_t size, Action action) {
  const std::uintptr_t end = address + size;
  for (std::uintptr_t granule = address & ~std::uintptr_t{7}; granule < end; granule += 8) {
    Stamp bytes = kBytes;
    if (granule < address) bytes &= kBytes << (address - granule);
    if (end - granule < 8) bytes &= (Stamp{1} << (end - granule)) - 1;
    action(granule, bytes & kBytes);
  }
}

class Shadow {
 public:
  explicit Shadow(Memory& memory);

  /// Returns the granule of an address, or nullptr if the fast look-up does not find it.
  Granule* find(std::uintptr_t address) const {
    const std::uint64_t number = address >> ShadowPage::kBytesShift;
    const Entry& entry = table_[slot_of(number)];
    if (entry.key != number + 1) [[unlikely]]
      return nullptr;
    return &entry.page->granules[address >> 3 & (ShadowPage::kGranules - 1)];
  }

  /// Returns the page of an address. Creates it if needed, and marks it as touched in `execution`.
  ShadowPage& touch(std::uintptr_t address, std::uint32_t execution) {
    const std::uint64_t number = address >> ShadowPage::kBytesShift;
    const Entry& entry = table_[slot_of(number)];
    if (entry.key == number + 1 && entry.page->execution == execution) [[likely]]
      return *entry.page;
    return touch_slowly(number, execution);
  }
  /// Returns the page of an address if this execution touched it.
  ShadowPage* touched(std::uintptr_t address, std::uint32_t execution) const {
    const std::uint64_t number = address >> ShadowPage::kBytesShift;
    const Entry& entry = table_[slot_of(number)];
    ShadowPage* page = entry.key == number + 1 ? entry.page : lookup(number);
    return page != nullptr && page->execution == execution ? page : nullptr;
  }
  std::uint32_t touched_count() const { return touched_.used(); }
  ShadowPage& touched_page(std::uint32_t index) const { return *touched_[index]; }

  CellBlock* new_block();
  void free_chain(CellBlock* chain);
  SyncSlot* new_slots();

  /// Prepares for the next execution. Keeps pages that the last execution did not use, unless they are far more than it used.
  void reset();
  /// Forgets everything, times included.
  void wipe();

 private:
  struct Entry {
    std::uint64_t key;  // number + 1; 0: empty
    ShadowPage* page;
  };

  std::uint64_t slot_of(std::uint64_t number) const { return number * 0x9e3779b97f4a7c15u >> table_shift_; }
  ShadowPage* lookup(std::uint64_t number) const;
  ShadowPage& touch_slowly(std::uint64_t number, std::uint32_t execution);
  ShadowPage* add(std::uint64_t number);
  void enter(ShadowPage* page);
  void new_table(unsigned bits);

  Memory& memory_;
  Entry* table_ = nullptr;
  unsigned table_shift_ = 0;     // 64 - bits of the table's size
  Shelf<ShadowPage*, 8> pages_;  // mapped in batches
  Shelf<ShadowPage*, 8> touched_;
  Shelf<CellBlock, 6> blocks_;
  CellBlock* free_blocks_ = nullptr;
};

}  // namespace tarry::native
