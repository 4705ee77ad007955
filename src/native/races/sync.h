// What the synchronisation objects and atomics of the program hand on: a vector clock for each, by address.
//
// They hang on the shadow page of their address (shadow.h), granule by granule, so that they are found without a search and
// forgotten together with the memory. An atomic is named by the bytes it covers: a wider or narrower one at the same place is
// another, but who reads a byte of it acquires it.
//
// Invariant: the clock of an atomic is what its present value hands on: that of the release sequences it belongs to, and of the
// fences before them. Atomics without one have no entry, or an empty clock.
#pragma once

#include <cstdint>

#include "native/races/clock.h"
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

  /// Before each execution. Number 0 is none.
  void reset(std::uint32_t execution);

  /// The clock of a lock or the like at this address, made if there is none.
  Clock& object(std::uintptr_t address);
  /// The same, or nullptr.
  const Clock* find_object(std::uintptr_t address) const;

  /// Calls `action(clock)` for all that is handed on by some of these bytes: atomics, and objects.
  template <class Action>
  void for_each_message(std::uintptr_t granule, Stamp bytes, Action action) const {
    const SyncSlot* slot = slot_of(granule);
    if (slot == nullptr) return;
    for (const SyncEntry* entry = slot->first; entry != nullptr; entry = entry->next) {
      if ((entry->bytes & bytes) != 0) action(entry->clock);
    }
  }

  /// The clock of the atomic of these bytes after a read-modify-write: what they handed on before.
  Clock& continued(std::uintptr_t granule, Stamp bytes);
  /// The clock of the atomic of these bytes after a store: empty.
  Clock& replaced(std::uintptr_t granule, Stamp bytes) {
    overwritten(granule, bytes);
    return entry_of(granule, bytes, true).clock;
  }
  /// The atomics within these bytes have a new value that hands on nothing.
  void overwritten(std::uintptr_t granule, Stamp bytes);
  /// The bytes are no longer what they were: all that is there goes.
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
