// The part of the race detector that finds races: accesses, and memory that is allocated and freed.
//
// An access makes an earlier one redundant if it is ordered after it and has all its conflicts. A plain write conflicts with all
// accesses, a plain read with writes, an atomic write with plain accesses, an atomic read with plain writes.
#include "native/races/race_detector.h"

#include <algorithm>
#include <bit>

namespace tarry::native {

namespace {

constexpr std::size_t kLongestRange = std::size_t{1} << 30;
constexpr std::size_t kLongestMarked = std::size_t{256} << 10;  // larger freed blocks are marked only where they were accessed
constexpr std::size_t kPageBytes = std::size_t{1} << ShadowPage::kBytesShift;
constexpr Stamp kWho = ~(kBytes | kWrite | kAtomic | kRaced | kSpecial);  // thread and time

bool conflict(Stamp a, Stamp b) { return ((a | b) & kWrite) != 0 && (a & b & kAtomic) == 0; }
/// Returns whether `strong` conflicts with everything that `weak` conflicts with.
bool dominates(Stamp strong, Stamp weak) { return ((weak ^ kAtomic) & ~(strong ^ kAtomic) & (kWrite | kAtomic)) == 0; }

std::uintptr_t page_end(std::uintptr_t address) { return (address | (kPageBytes - 1)) + 1; }
unsigned index_in_page(std::uintptr_t address) { return address >> 3 & (ShadowPage::kGranules - 1); }

Cell cell_of(Stamp stamp, Site place) {
  Cell cell;
  cell.stamp = stamp;
  cell.place = place;
  return cell;
}

/// As one word, which is what a cell takes it as: three stores of its parts would have to be through before it can be loaded.
Site site_of(std::uintptr_t pc, std::uint8_t size, std::uintptr_t offset) {
  return std::bit_cast<Site>((pc & 0xffff'ffff'ffff) | std::uint64_t{size} << 48 | std::uint64_t{static_cast<std::uint8_t>(offset)} << 56);
}
Site site_of_range(std::uintptr_t pc) { return site_of(pc, Site::kRange, 0); }

}  // namespace

/// Visits the cells of a granule. Skips cells of earlier executions and holes, and frees a chain that becomes empty.
template <class Action>
void RaceDetector::for_each_cell(Granule& granule, Action action) {
  const auto visit = [&](Cell& cell) {
    if (is_stale(cell)) {
      cell.stamp = 0;
    } else {
      action(cell);
    }
  };
  visit(granule.cells[0]);
  Cell& second = granule.cells[1];
  if (is_stale(second) || !second.is_link()) [[likely]]
    return visit(second);
  Stamp left = 0;
  for (CellBlock* block = second.chain; block != nullptr; block = block->next) {
    for (Cell& cell : block->cells) {
      visit(cell);
      left |= cell.stamp;
    }
  }
  if (left != 0) return;
  shadow_.free_chain(second.chain);
  second.stamp = 0;
}

void RaceDetector::access(std::uintptr_t address, std::size_t size, Stamp kind, std::uintptr_t pc) {
  if ((address & 7) + size > 8) return access_many(address, size, kind, pc, false);
  if (may_be_gone(address) && uses_gone(address, size, kind, pc)) [[unlikely]] return;
  const Stamp bytes = ((Stamp{1} << size) - 1) << (address & 7);
  if (bytes != 0)
    access_granule(shadow_.touch(address, execution_),
                   {address & ~std::uintptr_t{7}, now_ | kind | bytes, address, size, site_of(pc, static_cast<std::uint8_t>(size), address & 7)});
}

void RaceDetector::access_many(std::uintptr_t address, std::size_t size, Stamp kind, std::uintptr_t pc, bool range) {
  constexpr std::size_t kLargest = 64;  // the largest size that a site stores
  size = std::min(size, kLongestRange);
  if (may_be_gone(address) && uses_gone(address, size, kind, pc)) [[unlikely]] return;
  const std::uintptr_t end = address + size;
  for (std::uintptr_t at = address; at < end;) {
    ShadowPage& page = shadow_.touch(at, execution_);
    const std::uintptr_t stop = std::min(end, page_end(at));
    for_each_granule(at, stop - at, [&](std::uintptr_t granule, Stamp bytes) {
      const Site place = range || size > kLargest ? site_of_range(pc) : site_of(pc, static_cast<std::uint8_t>(size), address - granule);
      access_granule(page, {granule, now_ | kind | bytes, address, size, place});
    });
    at = stop;
  }
}

void RaceDetector::operates(const void* object, std::size_t size, bool makes, std::uintptr_t pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(object);
  const Stamp kind = makes ? kWrite : kAtomic;
  const Site place = site_of(pc, Site::kObject, 0);
  const Stamp bytes = ((Stamp{1} << size) - 1) << (at & 7) & kBytes;
  const Piece piece{at & ~std::uintptr_t{7}, now_ | kind | bytes, at, size, place};
  if (may_be_gone(at) && sink_.uses_gone(access_of(piece))) [[unlikely]] return;
  access_granule(shadow_.touch(at, execution_), piece);
}

void RaceDetector::access_granule(ShadowPage& page, const Piece& piece) {
  const unsigned index = index_in_page(piece.granule);
  Granule& granule = page.granules[index];
  if (!replaces(granule, piece)) check(granule, piece);
  if (page.sync != nullptr && (piece.stamp & (kWrite | kAtomic)) == kWrite && page.sync[index].execution == execution_) {
    sync_.overwritten(piece.granule, piece.stamp & kBytes);
  }
}

/// Handles the common cases quickly: no chain, nothing to report, to trim or to merge, and a free cell in the granule. In other
/// cases it does nothing and returns false.
bool RaceDetector::replaces(Granule& granule, const Piece& piece) {
  enum class Fate { kGoes, kStays, kUnusual };
  const auto fate_of = [&](const Cell& cell) {
    if (is_stale(cell)) return Fate::kGoes;
    if ((cell.stamp & kSpecial) != 0) return Fate::kUnusual;
    const bool is_same_epoch = ((cell.stamp ^ piece.stamp) & kWho) == 0;
    if ((cell.stamp & piece.stamp & kBytes) == 0) return is_same_epoch ? Fate::kUnusual : Fate::kStays;
    if (cell.thread() != current_number_ && tick_of(cell) > current_->clock.at(cell.thread())) {
      return conflict(cell.stamp, piece.stamp) ? Fate::kUnusual : Fate::kStays;
    }
    if (!dominates(piece.stamp, cell.stamp)) return is_same_epoch ? Fate::kUnusual : Fate::kStays;
    return (cell.stamp & ~piece.stamp & kBytes) == 0 ? Fate::kGoes : Fate::kUnusual;
  };
  const Fate first = fate_of(granule.cells[0]), second = fate_of(granule.cells[1]);
  if (first == Fate::kUnusual || second == Fate::kUnusual || (first == Fate::kStays && second == Fate::kStays)) return false;
  if (first == Fate::kGoes && second == Fate::kGoes) granule.cells[1].stamp = 0;
  granule.cells[first == Fate::kGoes ? 0 : 1] = cell_of(piece.stamp, piece.place);
  return true;
}

void RaceDetector::check(Granule& granule, const Piece& piece) {
  Verdict verdict;
  for_each_cell(granule, [&](Cell& cell) { judge(cell, piece, verdict); });
  Stamp stamp = piece.stamp & ~verdict.free;
  if (verdict.covered || (stamp & kBytes) == 0) return;
  if (verdict.raced) {
    stamp |= kRaced;
  } else if (verdict.same != nullptr) {
    verdict.same->stamp |= stamp;
    verdict.same->place.size = Site::kRange;
    return;
  }
  insert(granule, cell_of(stamp, piece.place));
}

void RaceDetector::judge(Cell& cell, const Piece& piece, Verdict& verdict) {
  const Stamp overlap = cell.stamp & piece.stamp & kBytes;
  const Stamp difference = cell.stamp ^ piece.stamp;
  if (overlap == 0) {
    if ((difference & ~kBytes) == 0 && cell.place.pc == piece.place.pc) verdict.same = &cell;
    return;
  }
  if (cell.is_free()) {
    verdict.free |= overlap;
    report_use_after_free(cell, piece);
    return;
  }
  const bool is_own = cell.thread() == current_number_;
  if (!is_own && tick_of(cell) > current_->clock.at(cell.thread())) {
    if (!conflict(cell.stamp, piece.stamp)) return;
    verdict.raced = true;
    report_race(cell, piece);
    return;
  }
  // A race is not remembered as covered: another access that repeats it also races, perhaps from another place in the code.
  if ((difference & (kWho | kRaced)) == 0 && dominates(cell.stamp, piece.stamp) && (piece.stamp & ~cell.stamp & kBytes) == 0) {
    verdict.covered = true;
  } else if (dominates(piece.stamp, cell.stamp)) {
    cell.stamp &= ~overlap;
    if ((cell.stamp & kBytes) == 0) cell.stamp = 0;
  }
}

/// Puts the cell into the granule itself, where the fast path looks, if necessary in exchange for another one.
void RaceDetector::insert(Granule& granule, const Cell& cell) {
  Cell& first = granule.cells[0];
  Cell& second = granule.cells[1];
  if (first.stamp == 0) {
    first = cell;
    return;
  }
  if (second.stamp == 0) {
    second = cell;
    return;
  }
  if (!second.is_link()) {
    CellBlock* block = shadow_.new_block();
    block->cells[0] = second;
    block->cells[1] = first;
    second.stamp = (start_ + tick_) << kTimeShift | kSpecial;
    second.chain = block;
    first = cell;
    return;
  }
  for (CellBlock* block = second.chain; block != nullptr; block = block->next) {
    for (Cell& hole : block->cells) {
      if (hole.stamp != 0) continue;
      hole = first;
      first = cell;
      return;
    }
  }
  CellBlock* block = shadow_.new_block();
  block->cells[0] = first;
  block->next = second.chain;
  second.chain = block;
  first = cell;
}

void RaceDetector::clear(Granule& granule, Stamp bytes) {
  for_each_cell(granule, [&](Cell& cell) {
    cell.stamp &= ~bytes;
    if ((cell.stamp & kBytes) == 0) cell.stamp = 0;
  });
}

void RaceDetector::clear_page(ShadowPage& page, std::uintptr_t begin, std::uintptr_t end) {
  for_each_granule(begin, end - begin, [&](std::uintptr_t granule, Stamp bytes) {
    clear(page.granules[index_in_page(granule)], bytes);
    if (page.sync != nullptr) sync_.forget(granule, bytes);
  });
}

void RaceDetector::allocated(const void* address, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t end = begin + size;
  if (size >> ShadowPage::kBytesShift > shadow_.touched_count()) {  // for example a stack: most of it was never used
    for (std::uint32_t i = 0; i < shadow_.touched_count(); ++i) {
      ShadowPage& page = shadow_.touched_page(i);
      const std::uintptr_t first = page.number << ShadowPage::kBytesShift;
      if (first < end && first + kPageBytes > begin) clear_page(page, std::max(begin, first), std::min(end, first + kPageBytes));
    }
    return;
  }
  for (std::uintptr_t at = begin; at < end; at = page_end(at)) {
    ShadowPage* page = shadow_.touched(at, execution_);
    if (page != nullptr) clear_page(*page, at, std::min(end, page_end(at)));
  }
}

void RaceDetector::make_free(Granule& granule, const Piece& piece) {
  for_each_cell(granule, [&](Cell& cell) {
    // The allocator reports a double free.
    Verdict ignored;
    if (!cell.is_free()) judge(cell, piece, ignored);
  });
  clear(granule, piece.stamp & kBytes);
  insert(granule, cell_of(piece.stamp | kSpecial, piece.place));
}

void RaceDetector::freed(const void* address, std::size_t size, std::uintptr_t pc) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t end = begin + size;
  for (std::uintptr_t at = begin; at < end; at = page_end(at)) {
    ShadowPage* page = size > kLongestMarked ? shadow_.touched(at, execution_) : &shadow_.touch(at, execution_);
    if (page == nullptr) continue;
    for_each_granule(at, std::min(end, page_end(at)) - at, [&](std::uintptr_t granule, Stamp bytes) {
      make_free(page->granules[index_in_page(granule)], {granule, now_ | kWrite | bytes, begin, size, site_of_range(pc)});
      if (page->sync != nullptr) sync_.forget(granule, bytes);
    });
  }
}

void RaceDetector::gone(const void* address, std::size_t size) {
  const auto from = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t to = gone_size_ == 0 ? from + size : std::max(from + size, gone_from_ + gone_size_);
  gone_from_ = gone_size_ == 0 ? from : std::min(from, gone_from_);
  gone_size_ = to - gone_from_;
}

bool RaceDetector::uses_gone(std::uintptr_t address, std::size_t size, Stamp kind, std::uintptr_t pc) {
  return sink_.uses_gone(access_of({address & ~std::uintptr_t{7}, now_ | kind, address, size, site_of_range(pc)}));
}

Access RaceDetector::access_of(const Piece& piece) const {
  return {.thread = current_number_,
          .step = current_->step,
          .pc = piece.place.pc,
          .address = piece.address,
          .size = piece.size,
          .write = (piece.stamp & kWrite) != 0,
          .atomic = (piece.stamp & kAtomic) != 0,
          .of_object = piece.place.size == Site::kObject};
}

/// Returns the access of a cell. If the exact bytes are not known, returns the contiguous bytes that the cell still covers.
Access RaceDetector::access_of(const Cell& cell, const Piece& piece) const {
  Access access{.thread = cell.thread(),
                .step = step_of_tick_[tick_of(cell)],
                .pc = cell.place.pc,
                .write = (cell.stamp & kWrite) != 0,
                .atomic = (cell.stamp & kAtomic) != 0};
  access.of_object = cell.place.size == Site::kObject;
  if (cell.place.size != Site::kRange && !access.of_object) {
    access.address = piece.granule + static_cast<std::uintptr_t>(static_cast<std::int64_t>(cell.place.offset));
    access.size = cell.place.size;
    return access;
  }
  const auto bytes = static_cast<std::uint8_t>(cell.stamp);
  const int hit = std::countr_zero(static_cast<std::uint8_t>(cell.stamp & piece.stamp));
  int first = hit, last = hit;
  while (first > 0 && (bytes >> (first - 1) & 1) != 0) --first;
  while (last < 7 && (bytes >> (last + 1) & 1) != 0) ++last;
  access.address = piece.granule + static_cast<unsigned>(first);
  access.size = static_cast<unsigned>(last - first + 1);
  return access;
}

void RaceDetector::report_race(const Cell& cell, const Piece& piece) {
  if (!sink_.concerns(piece.granule)) return;
  raced_ = true;
  if (pairs_.insert(cell.place.pc, piece.place.pc)) sink_.race({access_of(cell, piece), access_of(piece)});
}

void RaceDetector::report_use_after_free(const Cell& cell, const Piece& piece) {
  raced_ = true;
  sink_.use_after_free(access_of(piece), access_of(cell, piece));  // always: it ends the execution, in the search as in a replay
}

}  // namespace tarry::native
