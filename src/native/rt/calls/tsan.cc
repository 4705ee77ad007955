// The functions that -fsanitize=thread calls, in place of its own library. Plain accesses are reported ahead of being made; atomic
// operations are performed here.
//
// One kernel thread runs everything, so what is done here is atomic as it is.
#include <cstdint>
#include <cstring>

#include "base/wide_atomics.h"
#include "native/rt/base/admitted.h"
#include "native/rt/base/real.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/own_memory.h"
#include "native/rt/threads/region_reads.h"
#include "native/rt/threads/reuse.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/threads/spin.h"
#include "native/rt/threads/taking.h"

using namespace tarry::native::rt;

namespace {

__extension__ using Wide = unsigned __int128;

#define TARRY_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1

inline void read(const void* address, std::size_t size, std::uintptr_t pc) {
  if (in_program()) reading(address, size, pc);
}
inline void write(const void* address, std::size_t size, std::uintptr_t pc) {
  if (in_program()) writing(address, size, pc);
}

std::memory_order order_of(int order) {
  const auto known = static_cast<std::memory_order>(order & 0x7fff);  // gcc marks lock elision above
  if (known != std::memory_order_seq_cst) g_watch.weak_atomics = true;
  return g_watch.ignores && in_program() && scheduler().self().ignored.synchronisation > 0 ? std::memory_order_relaxed : known;
}

/// Where another thread may come first.
template <class T>
[[gnu::always_inline]] inline void atomic_point(Op op, const volatile T* address, std::uintptr_t pc, bool reads = false) {
  if (!reads) refuse_wild_write(address, pc);
  Operation operation{.op = op, .object = const_cast<const T*>(address), .size = sizeof(T), .pc = pc, .reads = reads};
  if (op != Op::kStore) come_by(operation);
  if (op > Op::kStore) about_to_take(operation.object);
  scheduler().point(operation);
  if (g_watch.in_region) [[unlikely]] op == Op::kStore ? written_in_region(operation.object, sizeof(T)) : read_in_region(operation.object, sizeof(T), pc);
  record_access(pc);
}

/// It came by, and nothing has changed.
template <class T>
void looked(const volatile T* at) {
  has_read(const_cast<const T*>(at), sizeof(T));
  leave_no_trace();
}

/// What the running thread has from there may be an address.
template <class T>
inline void has(T value) {
  if constexpr (sizeof(T) == 8) has_value(value);
  if constexpr (sizeof(T) == 16) has_value(static_cast<std::uint64_t>(value)), has_value(static_cast<std::uint64_t>(value >> 64));
}

template <class T>
T load(const volatile T* from, int order, std::uintptr_t pc) {
  if (!in_program()) return tarry::atomic_value(from);  // there are real threads outside of control
  if (!spins(const_cast<const T*>(from), pc)) atomic_point(Op::kLoad, from, pc, true);
  if (g_watch.races != nullptr) g_watch.races->atomic_load(const_cast<const T*>(from), sizeof(T), order_of(order), told_place(pc, false));
  else order_of(order);
  fail_if_freed();
  loaded(const_cast<const T*>(from), pc, static_cast<std::uint64_t>(*from));
  scheduler().saw(*from);
  if (is_collecting()) [[unlikely]] looked(from);
  has_looked_at(const_cast<const T*>(from));
  has(T(*from));
  return *from;
}

template <class T>
void store(volatile T* to, T value, int order, std::uintptr_t pc) {
  if (!in_program()) {
    tarry::atomic_modify(to, [value](T) { return value; });
    return;
  }
  atomic_point(Op::kStore, to, pc);
  if (g_watch.races != nullptr) g_watch.races->atomic_store(const_cast<T*>(to), sizeof(T), order_of(order), told_place(pc, true));
  else order_of(order);
  fail_if_freed();
  scheduler().saw(*to, value);
  *to = value;
  has_given_back();
}

/// Any read-modify-write: `next` is applied to the value.
template <class T, class Next>
T modify(Op op, volatile T* at, int order, std::uintptr_t pc, const Next& next) {
  atomic_point(op, at, pc);
  if (g_watch.races != nullptr) g_watch.races->atomic_rmw(const_cast<T*>(at), sizeof(T), order_of(order), told_place(pc, true));
  else order_of(order);
  fail_if_freed();
  const T before = *at;
  has(before);
  *at = next(before);
  scheduler().saw(before, T(*at));
  const void* const object = const_cast<const T*>(at);
  if (*at == before) {  // a lock that is taken already
    was_refused(object);
    if (is_collecting()) [[unlikely]] looked(at);
    return before;
  }
  has_taken(object);
  if (scheduler().self().attempts.refused != nullptr) has_given_back();
  has_effect();
  return before;
}

template <class T>
bool compare_exchange(volatile T* at, T* expected, T desired, int success, int failure, bool weak, std::uintptr_t pc) {
  if (!in_program()) return tarry::atomic_compare_exchange(at, expected, desired);
  atomic_point(Op::kCompareExchange, at, pc);
  const bool equal = *at == *expected && !(weak && scheduler().spurious());
  if (g_watch.races != nullptr) {
    if (equal) g_watch.races->atomic_rmw(const_cast<T*>(at), sizeof(T), order_of(success), told_place(pc, true));
    else g_watch.races->atomic_failed_cas(const_cast<T*>(at), sizeof(T), order_of(failure), told_place(pc, false));
  } else {
    order_of(success);
  }
  fail_if_freed();
  if (equal) {
    scheduler().saw(T(*at), desired);
    has_taken(const_cast<const T*>(at));
    if (*at != desired) has_effect();
    else if (is_collecting()) [[unlikely]] looked(at);
    *at = desired;
    return true;
  }
  has(T(*at));
  was_refused(const_cast<const T*>(at));
  if (weak && run_rules().spurious) has_effect();
  if (is_collecting()) [[unlikely]] looked(at);
  scheduler().saw(T(*at));
  has(T(*at));
  *expected = *at;
  return false;
}

/// The same, with what is expected in the program's memory, which other threads may know: it is read ahead of the operation, and written after one that failed. The class
/// that stands for a T there may be less aligned than a T.
template <class T>
bool compare_exchange_there(volatile T* at, void* there, T desired, int success, int failure, bool weak, std::uintptr_t pc) {
  T expected;
  if (in_program()) read(there, sizeof(T), pc);
  std::memcpy(&expected, there, sizeof(T));
  const bool done = compare_exchange(at, &expected, desired, success, failure, weak, pc);
  if (done) return true;
  if (in_program()) write(there, sizeof(T), pc);
  std::memcpy(there, &expected, sizeof(T));
  return false;
}

}  // namespace

TARRY_TAKEN_OVER void __tsan_init() {}
TARRY_TAKEN_OVER void __tsan_func_entry(void*) {}
TARRY_TAKEN_OVER void __tsan_func_exit() {}
TARRY_TAKEN_OVER void __tsan_vptr_update(void** at, void* value) {
  if (*at != value) write(at, sizeof(void*), TARRY_CALLER);  // writing the same again is no conflict, as with libtsan
}
TARRY_TAKEN_OVER void __tsan_vptr_read(void** at) { read(at, sizeof(void*), TARRY_CALLER); }
TARRY_TAKEN_OVER void __tsan_read_range(void* at, unsigned long size) { read(at, size, TARRY_CALLER); }
TARRY_TAKEN_OVER void __tsan_write_range(void* at, unsigned long size) { write(at, size, TARRY_CALLER); }
/// What the plug-ins for compilers put in front of an instruction that they cannot describe: its name and line.
TARRY_TAKEN_OVER void tarry_rt_unseen(const char* what) {
  if (in_program()) admit_instruction(what);
}
#define TARRY_ACCESS(prefix, size)                                                                                           \
  TARRY_TAKEN_OVER void __tsan_##prefix##read##size(void* at) { read(at, size, TARRY_CALLER); }                              \
  TARRY_TAKEN_OVER void __tsan_##prefix##write##size(void* at) { write(at, size, TARRY_CALLER); }                            \
  TARRY_TAKEN_OVER void __tsan_##prefix##read_write##size(void* at) { read(at, size, TARRY_CALLER), write(at, size, TARRY_CALLER); }
TARRY_ACCESS(, 1) TARRY_ACCESS(, 2) TARRY_ACCESS(, 4) TARRY_ACCESS(, 8) TARRY_ACCESS(, 16)
TARRY_ACCESS(unaligned_, 2) TARRY_ACCESS(unaligned_, 4) TARRY_ACCESS(unaligned_, 8) TARRY_ACCESS(unaligned_, 16)
TARRY_ACCESS(volatile_, 1) TARRY_ACCESS(volatile_, 2) TARRY_ACCESS(volatile_, 4) TARRY_ACCESS(volatile_, 8) TARRY_ACCESS(volatile_, 16)
TARRY_ACCESS(unaligned_volatile_, 2) TARRY_ACCESS(unaligned_volatile_, 4) TARRY_ACCESS(unaligned_volatile_, 8) TARRY_ACCESS(unaligned_volatile_, 16)
#undef TARRY_ACCESS

#define TARRY_FETCH(bits, T, name, expression)                                                                               \
  TARRY_TAKEN_OVER T __tsan_atomic##bits##_fetch_##name(volatile T* at, T value, int order) {                                 \
    const auto next = [value](T before) { return static_cast<T>(expression); };                                              \
    return in_program() ? modify(Op::kReadModifyWrite, at, order, TARRY_CALLER, next) : tarry::atomic_modify(at, next);                \
  }
#define TARRY_ATOMIC(bits, T)                                                                                                \
  TARRY_TAKEN_OVER T __tsan_atomic##bits##_load(const volatile T* at, int order) { return load(at, order, TARRY_CALLER); }     \
  TARRY_TAKEN_OVER void __tsan_atomic##bits##_store(volatile T* at, T value, int order) { store(at, value, order, TARRY_CALLER); } \
  TARRY_TAKEN_OVER T __tsan_atomic##bits##_exchange(volatile T* at, T value, int order) {                                     \
    const auto next = [value](T) { return value; };                                                                          \
    return in_program() ? modify(Op::kExchange, at, order, TARRY_CALLER, next) : tarry::atomic_modify(at, next);                       \
  }                                                                                                                          \
  TARRY_FETCH(bits, T, add, before + value)                                                                                  \
  TARRY_FETCH(bits, T, sub, before - value)                                                                                  \
  TARRY_FETCH(bits, T, and, before & value)                                                                                  \
  TARRY_FETCH(bits, T, or, before | value)                                                                                   \
  TARRY_FETCH(bits, T, xor, before ^ value)                                                                                  \
  TARRY_FETCH(bits, T, nand, ~(before & value))                                                                              \
  TARRY_TAKEN_OVER int __tsan_atomic##bits##_compare_exchange_strong(volatile T* at, T* expected, T desired, int success, int failure) { \
    return compare_exchange_there(at, expected, desired, success, failure, false, TARRY_CALLER);                             \
  }                                                                                                                          \
  TARRY_TAKEN_OVER int __tsan_atomic##bits##_compare_exchange_weak(volatile T* at, T* expected, T desired, int success, int failure) { \
    return compare_exchange_there(at, expected, desired, success, failure, true, TARRY_CALLER);                              \
  }                                                                                                                          \
  TARRY_TAKEN_OVER T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T desired, int success, int failure) { \
    compare_exchange(at, &expected, desired, success, failure, false, TARRY_CALLER);                                         \
    return expected;                                                                                                         \
  }
TARRY_ATOMIC(8, std::uint8_t)
TARRY_ATOMIC(16, std::uint16_t)
TARRY_ATOMIC(32, std::uint32_t)
TARRY_ATOMIC(64, std::uint64_t)
TARRY_ATOMIC(128, Wide)
#undef TARRY_ATOMIC
#undef TARRY_FETCH

TARRY_TAKEN_OVER void __tsan_atomic_thread_fence(int order) {
  if (!in_program()) return __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (g_watch.races != nullptr) g_watch.races->fence(order_of(order));
}
TARRY_TAKEN_OVER void __tsan_atomic_signal_fence(int) {}
