// The vector clocks of the program's synchronisation objects and atomics, by address.
//
// They are attached to the shadow page of their address (shadow.h), per granule. So they are found without a search, and
// forgotten together with the memory. An atomic is identified by the bytes it covers: a wider or narrower one at the same place
// is another atomic, but a read of one of its bytes acquires it.
//
// Invariant: the clock of an atomic is what its current value releases: the release sequences it belongs to, and the fences
// before them. Atomics that release nothing have no entry, or an empty clock.
#pragma once

#include <cstdint>

#include "native/races/vector_clock.h"
#include "native/races/memory.h"
#include "native/races/shadow.h"

namespace tarry::native {

struct SyncEntry {
  SyncEntry* next;
  std::uint8_t bytes;
  bool atomic;
  Clock clock;
};

class SyncTable {
 public:
  SyncTable(Memory& memory, Shadow& shadow, ClockRoom& room) : shadow_(shadow), room_(room), entries_(memory) {}

  /// Call it before each execution. Number 0 is invalid.
  void reset(std::uint32_t execution);

  /// Returns the clock of a lock or the like at this address. Creates it if needed.
  Clock& object(std::uintptr_t address);
  /// The same, or nullptr if there is none.
  const Clock* find_object(std::uintptr_t address) const;

  /// Calls `action(clock)` for everything that these bytes release: atomics and objects.
  template <class Action>
  void for_each_message(std::uintptr_t granule, Stamp bytes, Action action) const {
    const SyncSlot* slot = slot_of(granule);
    if (slot == nullptr) return;
    for (const SyncEntry* entry = slot->first; entry != nullptr; entry = entry->next) {
      if ((entry->bytes & bytes) != 0) action(entry->clock);
    }
  }

  /// Returns the clock of the atomic of these bytes after a read-modify-write: what they released before.
  Clock& continued(std::uintptr_t granule, Stamp bytes);
  /// Returns the clock of the atomic of these bytes after a store: empty.
  Clock& replaced(std::uintptr_t granule, Stamp bytes) {
    overwritten(granule, bytes);
    return entry_of(granule, bytes, true).clock;
  }
  /// Records that the atomics within these bytes have a new value that releases nothing.
  void overwritten(std::uintptr_t granule, Stamp bytes);
  /// Removes everything at these bytes, because they are reused.
  void forget(std::uintptr_t granule, Stamp bytes);

 private:
  SyncSlot* slot_of(std::uintptr_t address) const {
    ShadowPage* page = shadow_.touched(address, execution_);
    if (page == nullptr || page->sync == nullptr) return nullptr;
    SyncSlot* slot = &page->sync[address >> 3 & (ShadowPage::kGranules - 1)];
    return slot->execution == execution_ && slot->first != nullptr ? slot : nullptr;
  }
  SyncEntry& entry_of(std::uintptr_t granule, Stamp bytes, bool atomic);
  template <class Condition>
  void remove_if(SyncSlot& slot, Condition condition);

  Shadow& shadow_;
  ClockRoom& room_;
  Shelf<SyncEntry> entries_;
  SyncEntry* free_ = nullptr;
  std::uint32_t execution_ = 0;
};

}  // namespace tarry::native
