#include "native/rt/threads/program_heap.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "native/abi/protocol.h"
#include "native/rt/base/admitted.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/side.h"
#include "native/rt/base/size_classes.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Where the program's next blocks come from.
struct ProgramHeap {
  /// Blocks of one class, first in first out.
  struct Queue {
    char* first = nullptr;
    char* last = nullptr;
    std::uint32_t count = 0;
  };
  struct OfThread {
    char* top = nullptr;
    char* end = nullptr;             // of what can be accessed: behind it, a block's overrun meets nothing
    std::uint32_t allocations = 0;
    std::uint32_t used_classes = 0;  // one more than the highest with an entry in free
    std::array<Queue, kSizeClasses> free{};
  };
  /// A freed block whose address another thread has.
  struct Aside {
    char* block;
    std::uint32_t kind;
  };
  static constexpr std::uint32_t kMostAside = 8;

  AddressRegion region;
  std::array<Aside, kMostAside> aside{};  // in the order in which they were freed
  std::uint32_t aside_count = 0;
  std::array<bool, program_heap::kClasses> dropped{};  // by class: some block was not kept aside any longer
  bool any_dropped = false;
  std::array<OfThread*, kMaxThreads> heaps{};
  std::array<char*, kMaxThreads> baseline_top{}, baseline_end{};
  OfThread* first_baseline = nullptr;  // of thread 0, the only one that allocates before main
  std::uint32_t highest = 0;           // thread that ever allocated
  bool in_new_process = false;         // nothing was handed out in the process of the execution

  /// Back to the baseline: forgets blocks, and zeroes what was handed out since. Memory from before is restored by Pages.
  void reset();
};
template struct RoomOf<ProgramHeap>;

namespace program_heap {
namespace {

constexpr std::uint64_t kLive = 0x4c495645626c6f63, kFreed = 0x46524545626c6f63;

/// Before every block, in the program's memory.
struct Header {
  std::uint64_t state;   // kLive or kFreed
  std::uint64_t size;    // as asked for
  std::uint32_t kind;    // class
  std::uint32_t back;    // from the block to the start of its room, for aligned ones
  std::uint32_t thread;
  std::uint32_t number;  // of the allocation
  char* next;            // in a free list, by the address behind the header
  std::uint64_t known;   // threads that have its address, by number modulo 64
};
static_assert(sizeof(Header) == 48);

constexpr std::size_t kPerThread = std::size_t{1} << 34;
static_assert(kPerThread * kMaxThreads + kOwnWindowSize / 2 < kAddressSpace);
constexpr std::uint32_t kWaiting = 32;  // freed blocks of a class that are not used again yet

using Heap = ProgramHeap::OfThread;
using Queue = ProgramHeap::Queue;
using Aside = ProgramHeap::Aside;
constexpr std::uint32_t kMostAside = ProgramHeap::kMostAside;

ProgramHeap& all() { return part<ProgramHeap>(); }

char* start_of(std::uint32_t thread) { return all().region.base + thread * kPerThread; }

Heap& heap_of(std::uint32_t thread) {
  if (all().region.base == nullptr) all().region.map(0x300000000000, kPerThread * kMaxThreads, PROT_NONE);
  if (all().heaps[thread] == nullptr) {
    all().heaps[thread] = new (engine_heap::map(sizeof(Heap))) Heap;
    all().heaps[thread]->top = all().heaps[thread]->end = start_of(thread);
    all().highest = std::max(all().highest, thread);
  }
  return *all().heaps[thread];
}

/// Makes room for what is to end at `top`.
bool open(Heap& heap, char* top) {
  if (top <= heap.end) return true;
  constexpr std::uintptr_t kPiece = 64 << 10;
  char* const end = heap.end + (static_cast<std::uintptr_t>(top - heap.end) + kPiece - 1) / kPiece * kPiece;
  if (raw(SYS_mprotect, heap.end, static_cast<std::size_t>(end - heap.end), PROT_READ | PROT_WRITE) != 0) return false;
  heap.end = end;
  return true;
}

Header* header_of(const void* block) { return reinterpret_cast<Header*>(const_cast<char*>(static_cast<const char*>(block)) - sizeof(Header)); }

std::size_t extra_for(std::size_t alignment) { return alignment > 16 ? alignment : 0; }

/// Makes a block of its room.
void* make_block(char* block, std::size_t size, std::size_t alignment, std::uint32_t kind, std::uint32_t thread, Heap& heap) {
  char* user = block;
  if (extra_for(alignment) != 0) user = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(block) + alignment - 1) & ~(alignment - 1));
  new (user - sizeof(Header)) Header{kLive, size, kind, static_cast<std::uint32_t>(user - block), thread, heap.allocations++, nullptr, 0};
  return user;
}

std::uint64_t bit_of(std::uint32_t thread) { return std::uint64_t{1} << (thread % 64); }

/// A thread that is alive, and not the running one, is among them.
bool any_other_alive(std::uint64_t threads) {
  const Scheduler& threads_of = scheduler();
  for (std::uint32_t i = 0; i < threads_of.thread_count(); ++i)
    if (i != threads_of.running() && (threads & bit_of(i)) != 0 && threads_of.thread(i).state == Thread::State::kAlive) return true;
  return false;
}

void append(Heap& heap, char* block, std::uint32_t kind) {
  header_of(block)->next = nullptr;
  Queue& free = heap.free[kind];
  if (free.count++ == 0) free.first = block;
  else header_of(free.last)->next = block;
  free.last = block;
  heap.used_classes = std::max(heap.used_classes, kind + 1);
}

void keep_aside(char* block, std::uint32_t kind) {
  if (all().aside_count == kMostAside) {
    all().dropped[all().aside[0].kind] = true;
    all().any_dropped = true;
    append(heap_of(running_thread()), all().aside[0].block, all().aside[0].kind);
    std::copy(all().aside.begin() + 1, all().aside.end(), all().aside.begin());
    --all().aside_count;
  }
  all().aside[all().aside_count++] = {block, kind};
}

}  // namespace

void known_to_running(const void* address) {
  const auto thread = static_cast<std::uint32_t>((static_cast<const char*>(address) - all().region.base) / kPerThread);
  if (all().heaps[thread] == nullptr || address >= all().heaps[thread]->top) return;
  const auto at = reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t{15};
  const auto from = reinterpret_cast<std::uintptr_t>(start_of(thread)) + sizeof(Header);
  for (std::uintptr_t start = at; start >= from && start + kFarthestMember >= at; start -= 16) {
    Header& header = *header_of(reinterpret_cast<const void*>(start));
    if (header.state == kFreed) return;
    if (header.state != kLive) continue;
    if ((header.known & bit_of(running_thread())) == 0) header.known |= bit_of(running_thread());
    return;
  }
}

std::uint32_t offered(std::size_t size, std::size_t alignment) {
  if (all().aside_count == 0) return 0;
  const std::uint32_t kind = class_of(size + extra_for(alignment));
  const auto fit = std::count_if(all().aside.begin(), all().aside.begin() + all().aside_count, [kind](const Aside& one) { return one.kind == kind; });
  if (fit > kOffered || all().dropped[kind]) admit("a real allocator could use more freed blocks again than Tarry offers (the last three of a size, of eight in all), whose addresses other threads have");
  return std::min(static_cast<std::uint32_t>(fit), kOffered);
}

void* allocate_again(std::size_t size, std::size_t alignment, std::uint32_t which) {
  const std::uint32_t thread = running_thread();
  const std::uint32_t kind = class_of(size + extra_for(alignment));
  for (std::uint32_t i = all().aside_count; i-- > 0;) {
    if (all().aside[i].kind != kind || which-- > 0) continue;
    char* const block = all().aside[i].block;
    std::copy(all().aside.begin() + i + 1, all().aside.begin() + all().aside_count, all().aside.begin() + i);
    --all().aside_count;
    const std::uint64_t known = header_of(block)->known | bit_of(header_of(block)->thread);  // those who had it have it still
    void* const again = make_block(block, size, alignment, kind, thread, heap_of(thread));
    header_of(again)->known = known;
    return again;
  }
  return allocate(size, alignment);
}

constexpr std::uintptr_t kFirstClassObject = 64;  // any addresses that nothing else has
static_assert(kSizeClasses <= kClasses);
std::uint32_t class_number(std::size_t size, std::size_t alignment) { return class_of(size + extra_for(alignment)); }
std::uint32_t class_number(const void* block) { return header_of(block)->kind; }
const void* class_object(std::size_t size, std::size_t alignment) { return reinterpret_cast<const void*>(kFirstClassObject + class_of(size + extra_for(alignment))); }
const void* class_object(const void* block) { return reinterpret_cast<const void*>(kFirstClassObject + header_of(block)->kind); }

void* allocate(std::size_t size, std::size_t alignment) {
  const std::uint32_t thread = running_thread();
  Heap& heap = heap_of(thread);
  const std::size_t extra = extra_for(alignment);
  if (size > kPerThread / 2) {
    if (size < std::size_t{1} << 40) admit("the program asks for a block of more than 8 GiB: it was refused");
    return nullptr;
  }
  const std::uint32_t kind = class_of(size + extra);
  Queue& free = heap.free[kind];
  char* block;
  if (free.count > kWaiting) {
    block = free.first;
    free.first = header_of(block)->next;
    --free.count;
  } else {
    const std::size_t room = size_of_class(kind) + sizeof(Header);
    const std::size_t limit = all().region.size / kMaxThreads;
    if (heap.top + room > start_of(thread) + limit) {
      admit("a thread of the program allocates more than Tarry has room for (16 GiB in one execution, or less where addresses are scarce): it was refused");
      return nullptr;
    }
    if (!open(heap, heap.top + room)) return nullptr;
    block = heap.top + sizeof(Header);
    heap.top += room;
  }
  return make_block(block, size, alignment, kind, thread, heap);
}

void* allocate_zero(std::size_t size, bool& fresh) {
  const char* const top = heap_of(running_thread()).top;
  void* const block = allocate(size);
  fresh = block >= top;
  return block;
}

Release release(void* user) {
  if (!owns(user)) return Release::kForeign;
  Header& header = *header_of(user);
  if (header.state == kFreed) return Release::kDouble;
  if (header.state != kLive) return Release::kInside;
  header.state = kFreed;
  char* const block = static_cast<char*>(user) - header.back;
  const std::uint32_t kind = header.kind;
  if (header.back != 0) new (block - sizeof(Header)) Header{kFreed, header.size, kind, 0, header.thread, header.number, nullptr, 0};
  if (header.known != 0 && in_program() && any_other_alive(header.known | bit_of(header.thread))) {  // the allocating thread has it, too
    keep_aside(block, kind);
    return Release::kAside;
  }
  append(heap_of(running_thread()), block, kind);
  return Release::kDone;
}

std::size_t size_of(const void* block) {
  if (!owns(block)) return 0;
  const Header& header = *header_of(block);
  return header.state == kLive ? header.size : 0;
}

bool owns(const void* address) { return all().region.owns(address); }

Block find(const void* address) {
  if (!owns(address)) return {};
  const auto thread = static_cast<std::uint32_t>((static_cast<const char*>(address) - all().region.base) / kPerThread);
  if (all().heaps[thread] == nullptr) return {};
  // Blocks lie one behind the other: walk them. Slow; for reports only.
  for (char* at = start_of(thread); at < all().heaps[thread]->top;) {
    char* block = at + sizeof(Header);
    const Header* header = header_of(block);
    if (header->state != kLive && header->state != kFreed) {  // aligned: the header lies further on
      while (header->state != kLive && header->state != kFreed) {
        block += 16;
        if (block >= all().heaps[thread]->top) return {};
        header = header_of(block);
      }
    }
    at += size_of_class(header->kind) + sizeof(Header);
    if (address < at) return {block, header->size, header->thread, header->number, header->state == kFreed};
  }
  return {};
}

void set_baseline() {
  Heap& first = heap_of(0);
  all().first_baseline = new (engine_heap::map(sizeof(Heap))) Heap(first);
  for (std::uint32_t i = 0; i < kMaxThreads; ++i) {
    all().baseline_top[i] = all().heaps[i] == nullptr ? nullptr : all().heaps[i]->top;
    all().baseline_end[i] = all().heaps[i] == nullptr ? nullptr : all().heaps[i]->end;
  }
}

bool for_each_used(const std::function<bool(const char*, const char*)>& visit) {
  if (all().region.base == nullptr) return true;
  for (std::uint32_t i = 0; i <= all().highest; ++i)
    if (all().heaps[i] != nullptr && !visit(start_of(i), all().heaps[i]->top)) return false;
  return true;
}

Range baseline_of(std::uint32_t thread) {
  if (all().heaps[thread] == nullptr) return {nullptr, nullptr};
  return {start_of(thread), all().heaps[thread]->top};
}

Range whole() { return {all().region.base, all().region.base + all().region.size}; }

void is_in_new_process() { all().in_new_process = true; }

}  // namespace program_heap

void ProgramHeap::reset() {
  aside_count = 0;
  if (any_dropped) dropped.fill(false);
  any_dropped = false;
  for (std::uint32_t i = 0; i <= highest; ++i) {
    OfThread* const heap = heaps[i];
    if (heap == nullptr) continue;
    char* const from = baseline_top[i] == nullptr ? program_heap::start_of(i) : baseline_top[i];
    const auto used = static_cast<std::size_t>(heap->top - from);
    constexpr std::size_t kMany = 1 << 20;
    if (in_new_process) {
      heap->end = baseline_end[i] == nullptr ? program_heap::start_of(i) : baseline_end[i];  // zero as it is, and what the last process opened is not open here
    } else if (used > kMany) {
      const auto inner = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(from) + 4095) / 4096 * 4096);
      std::memset(from, 0, static_cast<std::size_t>(inner - from));
      raw(SYS_madvise, inner, static_cast<std::size_t>(heap->top - inner) + 4095, MADV_DONTNEED);
    } else if (used > 0) {
      std::memset(from, 0, used);
    }
    if (i == 0) {
      heap->top = first_baseline->top;
      heap->allocations = first_baseline->allocations;
      const std::uint32_t classes = std::max(heap->used_classes, first_baseline->used_classes);
      std::copy_n(first_baseline->free.begin(), classes, heap->free.begin());
      heap->used_classes = first_baseline->used_classes;
    } else {
      heap->top = from;
      heap->allocations = 0;
      std::fill_n(heap->free.begin(), heap->used_classes, Queue{});
      heap->used_classes = 0;
    }
  }
}

}  // namespace tarry::native::rt
