#include "native/races/sync_table.h"

namespace tarry::native {

namespace {
constexpr std::uintptr_t granule_of(std::uintptr_t address) { return address & ~std::uintptr_t{7}; }
constexpr Stamp first_byte(std::uintptr_t address) { return Stamp{1} << (address & 7); }
}  // namespace

void SyncTable::reset(std::uint32_t execution) {
  execution_ = execution;
  entries_.restart();
  free_ = nullptr;
}

SyncEntry& SyncTable::entry_of(std::uintptr_t granule, Stamp bytes, bool atomic) {
  ShadowPage& page = shadow_.touch(granule, execution_);
  if (page.sync == nullptr) page.sync = shadow_.new_slots();
  SyncSlot& slot = page.sync[granule >> 3 & (ShadowPage::kGranules - 1)];
  if (slot.execution != execution_) slot = {nullptr, execution_};
  for (SyncEntry* entry = slot.first; entry != nullptr; entry = entry->next) {
    if (entry->bytes == bytes && entry->atomic == atomic) return *entry;
  }
  SyncEntry* entry = free_;
  if (entry != nullptr) {
    free_ = entry->next;
    entry->clock.clear();
  } else {
    entry = &entries_[entries_.take()];
    entry->clock.start();
  }
  entry->next = slot.first;
  entry->bytes = static_cast<std::uint8_t>(bytes);
  entry->atomic = atomic;
  slot.first = entry;
  return *entry;
}

template <class Condition>
void SyncTable::remove_if(SyncSlot& slot, Condition condition) {
  for (SyncEntry** link = &slot.first; *link != nullptr;) {
    SyncEntry* entry = *link;
    if (!condition(*entry)) {
      link = &entry->next;
      continue;
    }
    *link = entry->next;
    entry->next = free_;
    free_ = entry;
  }
}

Clock& SyncTable::object(std::uintptr_t address) { return entry_of(granule_of(address), first_byte(address), false).clock; }

const Clock* SyncTable::find_object(std::uintptr_t address) const {
  const SyncSlot* slot = slot_of(address);
  if (slot == nullptr) return nullptr;
  for (const SyncEntry* entry = slot->first; entry != nullptr; entry = entry->next) {
    if (entry->bytes == first_byte(address) && !entry->atomic) return &entry->clock;
  }
  return nullptr;
}

Clock& SyncTable::continued(std::uintptr_t granule, Stamp bytes) {
  SyncEntry& mine = entry_of(granule, bytes, true);
  SyncSlot& slot = *slot_of(granule);
  if (slot.first == &mine && mine.next == nullptr) [[likely]]
    return mine.clock;
  remove_if(slot, [&](SyncEntry& other) {
    if (&other == &mine || !other.atomic || (other.bytes & bytes) == 0) return false;
    mine.clock.join(other.clock, room_);
    return (other.bytes & ~bytes) == 0;
  });
  return mine.clock;
}

void SyncTable::overwritten(std::uintptr_t granule, Stamp bytes) {
  SyncSlot* slot = slot_of(granule);
  if (slot != nullptr) remove_if(*slot, [&](const SyncEntry& entry) { return entry.atomic && (entry.bytes & ~bytes) == 0; });
}

void SyncTable::forget(std::uintptr_t granule, Stamp bytes) {
  SyncSlot* slot = slot_of(granule);
  if (slot != nullptr) remove_if(*slot, [&](const SyncEntry& entry) { return (entry.bytes & bytes) != 0; });
}

}  // namespace tarry::native
