#include "native/races/sync.h"

namespace tarry::native {

namespace {
constexpr std::uintptr_t granule_of(std::uintptr_t address) { return address & ~std::uintptr_t{7}; }
constexpr Stamp first_byte(std::uintptr_t address) { return Stamp{1} << (address & 7); }
}  // namespace

void SyncTable::reset(std::uint32_t execution) {
  execution_ = execution;
  entries_.restart();
  free_ = 0;
}

SyncTable::Entry& SyncTable::entry_of(std::uintptr_t granule, Stamp bytes, bool atomic) {
  ShadowPage& page = shadow_.touch(granule, execution_);
  if (page.sync == nullptr) page.sync = shadow_.new_slots();
  SyncSlot& slot = page.sync[granule >> 3 & (ShadowPage::kGranules - 1)];
  if (slot.execution != execution_) slot = {execution_, 0};
  for (std::uint32_t i = slot.first; i != 0; i = entries_[i - 1].next) {
    Entry& entry = entries_[i - 1];
    if (entry.bytes == bytes && entry.atomic == atomic) return entry;
  }
  std::uint32_t index = free_;
  if (index != 0) {
    free_ = entries_[index - 1].next;
    entries_[index - 1].clock.clear();
  } else {
    index = entries_.take() + 1;
    entries_[index - 1].clock.start();
  }
  Entry& entry = entries_[index - 1];
  entry.next = slot.first;
  entry.bytes = static_cast<std::uint8_t>(bytes);
  entry.atomic = atomic;
  slot.first = index;
  return entry;
}

template <class Condition>
void SyncTable::remove_if(SyncSlot& slot, Condition condition) {
  for (std::uint32_t* link = &slot.first; *link != 0;) {
    Entry& entry = entries_[*link - 1];
    if (!condition(entry)) {
      link = &entry.next;
      continue;
    }
    const std::uint32_t index = *link;
    *link = entry.next;
    entry.next = free_;
    free_ = index;
  }
}

Clock& SyncTable::object(std::uintptr_t address) { return entry_of(granule_of(address), first_byte(address), false).clock; }

const Clock* SyncTable::find_object(std::uintptr_t address) const {
  const SyncSlot* slot = slot_of(address);
  if (slot == nullptr) return nullptr;
  for (std::uint32_t i = slot->first; i != 0; i = entries_[i - 1].next) {
    const Entry& entry = entries_[i - 1];
    if (entry.bytes == first_byte(address) && !entry.atomic) return &entry.clock;
  }
  return nullptr;
}

Clock& SyncTable::continued(std::uintptr_t granule, Stamp bytes) {
  Entry& mine = entry_of(granule, bytes, true);
  remove_if(*slot_of(granule), [&](Entry& other) {
    if (&other == &mine || !other.atomic || (other.bytes & bytes) == 0) return false;
    mine.clock.join(other.clock, room_);
    return (other.bytes & ~bytes) == 0;
  });
  return mine.clock;
}

void SyncTable::overwritten(std::uintptr_t granule, Stamp bytes) {
  SyncSlot* slot = slot_of(granule);
  if (slot != nullptr) remove_if(*slot, [&](const Entry& entry) { return entry.atomic && (entry.bytes & ~bytes) == 0; });
}

void SyncTable::forget(std::uintptr_t granule, Stamp bytes) {
  SyncSlot* slot = slot_of(granule);
  if (slot != nullptr) remove_if(*slot, [&](const Entry& entry) { return (entry.bytes & bytes) != 0; });
}

}  // namespace tarry::native
