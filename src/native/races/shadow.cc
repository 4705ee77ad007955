#include "native/races/shadow.h"

#include <cstring>

namespace tarry::native {

namespace {
constexpr unsigned kFirstTableBits = 12;
constexpr std::uint32_t kBatch = 16;        // pages are mapped together
constexpr std::uint32_t kPagesKept = 4096;  // 64 MiB: below that no page is ever released
}  // namespace

Shadow::Shadow(Memory& memory) : memory_(memory), pages_(memory), touched_(memory), blocks_(memory) {
  new_table(kFirstTableBits);
}

void Shadow::new_table(unsigned bits) {
  table_ = static_cast<Entry*>(memory_.map(sizeof(Entry) << bits));
  table_shift_ = 64 - bits;
}

ShadowPage* Shadow::lookup(std::uint64_t number) const {
  const std::uint64_t mask = (std::uint64_t{1} << (64 - table_shift_)) - 1;
  for (std::uint64_t slot = slot_of(number);; slot = (slot + 1) & mask) {
    if (table_[slot].key == number + 1) return table_[slot].page;
    if (table_[slot].key == 0) return nullptr;
  }
}

void Shadow::enter(ShadowPage* page) {
  const std::uint64_t mask = (std::uint64_t{1} << (64 - table_shift_)) - 1;
  std::uint64_t slot = slot_of(page->number);
  while (table_[slot].key != 0) slot = (slot + 1) & mask;
  table_[slot] = {page->number + 1, page};
}

ShadowPage* Shadow::add(std::uint64_t number) {
  const unsigned bits = 64 - table_shift_;
  if (std::uint64_t{pages_.used()} * 4 >= std::uint64_t{1} << bits) {
    new_table(bits + 1);
    for (std::uint32_t i = 0; i < pages_.used(); ++i) enter(pages_[i]);
  }
  // A page that was used for another address has cells of earlier executions only: all count as empty.
  ShadowPage*& page = pages_[pages_.take()];
  if (page == nullptr) {
    auto* batch = static_cast<ShadowPage*>(memory_.map(sizeof(ShadowPage) * kBatch));
    const std::uint32_t first = pages_.used() - 1;
    for (std::uint32_t i = 0; i < kBatch; ++i) pages_.reach(first + i) = batch + i;
  }
  page->number = number;
  page->execution = 0;
  enter(page);
  return page;
}

ShadowPage& Shadow::touch_slowly(std::uint64_t number, std::uint32_t execution) {
  ShadowPage* page = lookup(number);
  if (page == nullptr) page = add(number);
  if (page->execution != execution) {
    page->execution = execution;
    touched_[touched_.take()] = page;
  }
  return *page;
}

CellBlock* Shadow::new_block() {
  CellBlock* block = free_blocks_;
  if (block != nullptr) {
    free_blocks_ = block->next;
  } else {
    block = &blocks_[blocks_.take()];
  }
  block->next = nullptr;
  for (Cell& cell : block->cells) cell.stamp = 0;
  return block;
}

void Shadow::free_chain(CellBlock* chain) {
  while (chain != nullptr) {
    CellBlock* next = chain->next;
    chain->next = free_blocks_;
    free_blocks_ = chain;
    chain = next;
  }
}

SyncSlot* Shadow::new_slots() { return static_cast<SyncSlot*>(memory_.map(sizeof(SyncSlot) * ShadowPage::kGranules)); }

void Shadow::reset() {
  if (pages_.used() > kPagesKept && pages_.used() / 8 > touched_.used()) {
    std::memset(table_, 0, sizeof(Entry) << (64 - table_shift_));
    pages_.restart();
  }
  touched_.restart();
  blocks_.restart();
  free_blocks_ = nullptr;
}

void Shadow::wipe() {
  // Released pages that were not used again are beyond used(): their cells are cleared as well.
  for (std::uint32_t i = 0; i < pages_.reached(); ++i) {
    ShadowPage& page = *pages_[i];
    page.execution = 0;
    if (page.sync != nullptr) std::memset(page.sync, 0, sizeof(SyncSlot) * ShadowPage::kGranules);
    std::memset(page.granules, 0, sizeof page.granules);
  }
  reset();
}

}  // namespace tarry::native
