// Atomic operations that a compiler leaves to libatomic: of objects that no instruction of its target handles, such as a pair of pointers for clang
// without -mcx16. libatomic is not instrumented, so they are taken over: points, and atomic accesses, as those of tsan.cc. The operands are plain memory.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/told_access.h"

namespace tarry::native::rt {
namespace {

__extension__ using Wide = unsigned __int128;

/// Outside of control there are real threads. An object that is accessed by these functions is accessed by no others, so one lock is enough for all objects.
class RealLock {
 public:
  RealLock() {
    while (__atomic_exchange_n(&taken, true, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
  }
  ~RealLock() { __atomic_store_n(&taken, false, __ATOMIC_RELEASE); }
  RealLock(const RealLock&) = delete;
  RealLock& operator=(const RealLock&) = delete;

 private:
  static bool taken;
};
bool RealLock::taken = false;

std::memory_order order_of(int order) {
  const auto known = static_cast<std::memory_order>(order);
  if (known != std::memory_order_seq_cst) g_watch.weak_atomics = true;
  return known;
}

void come_to(Op op, const void* at, std::size_t size, std::uintptr_t pc) {
  Operation operation{.op = op, .object = at, .size = static_cast<std::uint32_t>(size), .pc = pc, .reads = op == Op::kLoad};
  if (op == Op::kLoad || op == Op::kCompareExchange) come_by(operation);
  scheduler().point(operation);
}

/// The race detector takes atomics of up to 16 bytes.
template <class Tell>
void in_pieces(const void* at, std::size_t size, const Tell& tell) {
  constexpr std::size_t kMost = 16;
  if (g_watch.races == nullptr) return;
  for (std::size_t done = 0; done < size; done += kMost) tell(*g_watch.races, static_cast<const char*>(at) + done, std::min(size - done, kMost));
  fail_if_freed();
}

/// A copy of an operand: where accesses of operands race, other threads run between them and the operation.
class Operand {
 public:
  Operand(const void* from, std::size_t size) : room_(size) {
    if (room_.at() != nullptr) std::memcpy(room_.at(), from, size);
    else from_ = from;
  }
  const void* at() const { return from_ != nullptr ? from_ : room_.at(); }

 private:
  Room room_;
  const void* from_ = nullptr;  // there was no memory
};

/// A load or a store. `who` accesses the operand; 0: it is a value, in no memory of the program.
void copy(Op op, std::size_t size, void* to, const void* from, int order, std::uintptr_t pc, std::uintptr_t who) {
  if (!in_program()) {
    const RealLock lock;
    std::memcpy(to, from, size);
    return;
  }
  const bool loads = op == Op::kLoad;
  const void* const shared = loads ? from : to;
  const std::memory_order known = order_of(order);
  if (!loads) rt::reads(from, size, who);
  const Operand wanted(from, loads ? 0 : size);
  come_to(op, shared, size, pc);
  in_pieces(shared, size, [&](RaceDetector& races, const void* piece, std::size_t part) {
    if (loads) races.atomic_load(piece, part, known, told_place(pc, false));
    else races.atomic_store(piece, part, known, told_place(pc, true));
  });
  if (!loads) {
    std::memcpy(to, wanted.at(), size);
    return;
  }
  if (is_collecting()) has_read(from, size);
  const Operand found(from, size);
  rt::writes(to, size, who);
  std::memcpy(to, found.at(), size);
}

void exchange(std::size_t size, void* at, const void* value, void* before, int order, std::uintptr_t pc, std::uintptr_t who) {
  if (in_program()) {
    rt::reads(value, size, who);
    const Operand wanted(value, size);
    come_to(Op::kExchange, at, size, pc);
    const std::memory_order known = order_of(order);
    in_pieces(at, size, [&](RaceDetector& races, const void* piece, std::size_t part) { races.atomic_rmw(piece, part, known, told_place(pc, true)); });
    const Operand found(at, size);
    std::memcpy(at, wanted.at(), size);
    rt::writes(before, size, who);
    std::memcpy(before, found.at(), size);
    return;
  }
  const RealLock lock;
  std::memcpy(before, at, size);
  std::memcpy(at, value, size);
}

/// By bytes, as the standard has it.
bool exchange_if_equal(std::size_t size, void* at, void* expected, const void* desired) {
  const bool equal = std::memcmp(at, expected, size) == 0;
  if (equal) std::memcpy(at, desired, size);
  else std::memcpy(expected, at, size);
  return equal;
}

bool compare_exchange(std::size_t size, void* at, void* expected, const void* desired, int success, int failure, std::uintptr_t pc, std::uintptr_t who) {
  if (!in_program()) {
    const RealLock lock;
    return exchange_if_equal(size, at, expected, desired);
  }
  rt::reads(expected, size, accessor(pc));
  rt::reads(desired, size, who);
  const Operand wanted(expected, size), next(desired, size);
  come_to(Op::kCompareExchange, at, size, pc);
  const bool equal = std::memcmp(at, wanted.at(), size) == 0;
  const std::memory_order known = order_of(equal ? success : failure);
  in_pieces(at, size, [&](RaceDetector& races, const void* piece, std::size_t part) {
    if (equal) races.atomic_rmw(piece, part, known, told_place(pc, true));
    else races.atomic_failed_cas(piece, part, known, told_place(pc, false));
  });
  if (equal) {
    has_effect();
    std::memcpy(at, next.at(), size);
    return true;
  }
  if (is_collecting()) has_read(at, size);
  const Operand found(at, size);
  rt::writes(expected, size, accessor(pc));
  std::memcpy(expected, found.at(), size);
  return false;
}

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER_AS(void, tarry_atomic_load, "__atomic_load", std::size_t size, const void* from, void* to, int order) { copy(Op::kLoad, size, to, from, order, TARRY_PC, accessor(TARRY_CALLER)); }
TARRY_TAKEN_OVER_AS(void, tarry_atomic_store, "__atomic_store", std::size_t size, void* to, const void* from, int order) { copy(Op::kStore, size, to, from, order, TARRY_PC, accessor(TARRY_CALLER)); }
TARRY_TAKEN_OVER_AS(void, tarry_atomic_exchange, "__atomic_exchange", std::size_t size, void* at, const void* value, void* before, int order) {
  exchange(size, at, value, before, order, TARRY_PC, accessor(TARRY_CALLER));
}
TARRY_TAKEN_OVER_AS(bool, tarry_atomic_compare_exchange, "__atomic_compare_exchange", std::size_t size, void* at, void* expected, const void* desired, int success, int failure) {
  return compare_exchange(size, at, expected, desired, success, failure, TARRY_PC, accessor(TARRY_CALLER));
}
TARRY_TAKEN_OVER_AS(bool, tarry_atomic_is_lock_free, "__atomic_is_lock_free", std::size_t size, const void* at) {
  return size <= 8 && (size & (size - 1)) == 0 && (reinterpret_cast<std::uintptr_t>(at) & (size - 1)) == 0;
}

TARRY_TAKEN_OVER_AS(Wide, tarry_atomic_load_16, "__atomic_load_16", const void* from, int order) {
  Wide value = 0;
  copy(Op::kLoad, sizeof(value), &value, from, order, TARRY_PC, 0);
  return value;
}
TARRY_TAKEN_OVER_AS(void, tarry_atomic_store_16, "__atomic_store_16", void* to, Wide value, int order) { copy(Op::kStore, sizeof(value), to, &value, order, TARRY_PC, 0); }
TARRY_TAKEN_OVER_AS(Wide, tarry_atomic_exchange_16, "__atomic_exchange_16", void* at, Wide value, int order) {
  Wide before = 0;
  exchange(sizeof(value), at, &value, &before, order, TARRY_PC, 0);
  return before;
}
TARRY_TAKEN_OVER_AS(bool, tarry_atomic_compare_exchange_16, "__atomic_compare_exchange_16", void* at, void* expected, Wide desired, int success, int failure) {
  return compare_exchange(sizeof(desired), at, expected, &desired, success, failure, TARRY_PC, 0);
}
