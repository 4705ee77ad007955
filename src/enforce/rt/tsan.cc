// The functions that -fsanitize=thread and our own pass call. Plain accesses are events only where the set says so. Atomic operations are always
// events. They are performed here, sequentially consistent whatever the program requests, because the traces were verified so.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/wide_atomics.h"
#include "enforce/rt/control.h"
#include "enforce/rt/real.h"
#include "enforce/rt/access_flags.h"

using namespace tarry::enforce;
using namespace tarry::enforce::rt;

namespace {

__extension__ using Wide = unsigned __int128;

inline void plain(Kind kind, const void* at, std::size_t size, std::uintptr_t pc) {
  if (!g_has_points || !is_enforced()) return;
  complete_access();
  if (is_point(pc)) access({.kind = kind, .object = at, .size = static_cast<std::uint32_t>(size), .pc = pc});
}
inline void read(const void* at, std::size_t size, std::uintptr_t pc) { plain(Kind::kRead, at, size, pc); }
inline void write(const void* at, std::size_t size, std::uintptr_t pc) { plain(Kind::kWrite, at, size, pc); }

template <class T>
Actual atomic(Kind kind, const volatile T* at, std::uintptr_t pc) { return {.kind = kind, .object = const_cast<const T*>(at), .size = sizeof(T), .pc = pc}; }

template <class T, class Next>
T modify(Kind kind, volatile T* at, std::uintptr_t pc, const Next& next) {
  const Step step(atomic(kind, at, pc));
  return tarry::atomic_modify(at, next);
}
template <class T>
T load(const volatile T* at, std::uintptr_t pc) {
  const Step step(atomic(Kind::kLoad, at, pc));
  return tarry::atomic_value(at);
}
template <class T>
void store(volatile T* at, T value, std::uintptr_t pc) {
  const Step step(atomic(Kind::kStore, at, pc));
  if constexpr (sizeof(T) == 16) tarry::atomic_modify(at, [value](T) { return value; });
  else __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}
/// The expected value is in the program's memory, where it may be less aligned than a T.
template <class T>
bool compare_exchange(volatile T* at, void* there, T desired, std::uintptr_t pc) {
  const Step step(atomic(Kind::kCompareExchange, at, pc));
  T expected;
  std::memcpy(&expected, there, sizeof(T));
  const bool done = tarry::atomic_compare_exchange(at, &expected, desired);
  if (!done) std::memcpy(there, &expected, sizeof(T));
  return done;
}

}  // namespace

// What 'tarry c++ --enforce' compiles plain accesses to, where their flag is set.
/// In front of an instruction that Tarry does not see. 'tarry verify' has said so.
TARRY_ENFORCED void tarry_rt_unseen(const char*) {}
TARRY_ENFORCED void tarry_rt_sites(unsigned char* from, unsigned char* to) { announce_flags(from, to); }
TARRY_ENFORCED void tarry_rt_before_access(const void* at, std::size_t size, unsigned char writes, const unsigned char* /*flag*/) {
  if (size != 0) plain(writes != 0 ? Kind::kWrite : Kind::kRead, at, size, TARRY_PLACE);
}
TARRY_ENFORCED void tarry_rt_after_access() { complete_access(); }
TARRY_ENFORCED void tarry_rt_fill(void* to, unsigned char value, std::size_t size, const unsigned char* /*flag*/) {
  if (size != 0) write(to, size, TARRY_PLACE);
  std::memset(to, value, size);
  complete_access();
}
/// A copy that races is a read of all of it and then a write of all of it.
TARRY_ENFORCED void tarry_rt_copy(void* to, const void* from, std::size_t size, const unsigned char* /*flag*/) {
  const std::uintptr_t pc = TARRY_PLACE;
  void* const between = g_has_points && is_enforced() && is_point(pc) ? std::malloc(size) : nullptr;
  if (between == nullptr) {
    std::memmove(to, from, size);
    return;
  }
  read(from, size, pc);
  std::memcpy(between, from, size);
  complete_access();
  write(to, size, pc);
  std::memcpy(to, between, size);
  complete_access();
  std::free(between);
}

TARRY_ENFORCED void __tsan_init() {}
TARRY_ENFORCED void __tsan_func_entry(void*) {}
TARRY_ENFORCED void __tsan_func_exit() {
  if (g_has_points) complete_access();
}
TARRY_ENFORCED void __tsan_vptr_update(void** at, void* value) {
  if (*at != value) write(at, sizeof(void*), TARRY_PLACE);
}
TARRY_ENFORCED void __tsan_vptr_read(void** at) { read(at, sizeof(void*), TARRY_PLACE); }
TARRY_ENFORCED void __tsan_read_range(void* at, unsigned long size) { read(at, size, TARRY_PLACE); }
TARRY_ENFORCED void __tsan_write_range(void* at, unsigned long size) { write(at, size, TARRY_PLACE); }
#define TARRY_ACCESS(prefix, size)                                                                  \
  TARRY_ENFORCED void __tsan_##prefix##read##size(void* at) { read(at, size, TARRY_PLACE); }        \
  TARRY_ENFORCED void __tsan_##prefix##write##size(void* at) { write(at, size, TARRY_PLACE); }      \
  TARRY_ENFORCED void __tsan_##prefix##read_write##size(void* at) { read(at, size, TARRY_PLACE), write(at, size, TARRY_PLACE); }
TARRY_ACCESS(, 1) TARRY_ACCESS(, 2) TARRY_ACCESS(, 4) TARRY_ACCESS(, 8) TARRY_ACCESS(, 16)
TARRY_ACCESS(unaligned_, 2) TARRY_ACCESS(unaligned_, 4) TARRY_ACCESS(unaligned_, 8) TARRY_ACCESS(unaligned_, 16)
TARRY_ACCESS(volatile_, 1) TARRY_ACCESS(volatile_, 2) TARRY_ACCESS(volatile_, 4) TARRY_ACCESS(volatile_, 8) TARRY_ACCESS(volatile_, 16)
TARRY_ACCESS(unaligned_volatile_, 2) TARRY_ACCESS(unaligned_volatile_, 4) TARRY_ACCESS(unaligned_volatile_, 8) TARRY_ACCESS(unaligned_volatile_, 16)
#undef TARRY_ACCESS

#define TARRY_FETCH(bits, T, name, expression)                                                                     \
  TARRY_ENFORCED T __tsan_atomic##bits##_fetch_##name(volatile T* at, T value, int /*order*/) {                    \
    return modify(Kind::kReadModifyWrite, at, TARRY_PLACE, [value](T before) { return static_cast<T>(expression); }); \
  }
#define TARRY_ATOMIC(bits, T)                                                                                      \
  TARRY_ENFORCED T __tsan_atomic##bits##_load(const volatile T* at, int /*order*/) { return load(at, TARRY_PLACE); } \
  TARRY_ENFORCED void __tsan_atomic##bits##_store(volatile T* at, T value, int /*order*/) { store(at, value, TARRY_PLACE); } \
  TARRY_ENFORCED T __tsan_atomic##bits##_exchange(volatile T* at, T value, int /*order*/) {                        \
    return modify(Kind::kExchange, at, TARRY_PLACE, [value](T) { return value; });                                 \
  }                                                                                                                \
  TARRY_FETCH(bits, T, add, before + value)                                                                        \
  TARRY_FETCH(bits, T, sub, before - value)                                                                        \
  TARRY_FETCH(bits, T, and, before & value)                                                                        \
  TARRY_FETCH(bits, T, or, before | value)                                                                         \
  TARRY_FETCH(bits, T, xor, before ^ value)                                                                        \
  TARRY_FETCH(bits, T, nand, ~(before & value))                                                                    \
  TARRY_ENFORCED int __tsan_atomic##bits##_compare_exchange_strong(volatile T* at, T* expected, T desired, int, int) { \
    return compare_exchange(at, expected, desired, TARRY_PLACE);                                                   \
  }                                                                                                                \
  TARRY_ENFORCED int __tsan_atomic##bits##_compare_exchange_weak(volatile T* at, T* expected, T desired, int, int) { \
    return compare_exchange(at, expected, desired, TARRY_PLACE);                                                   \
  }                                                                                                                \
  TARRY_ENFORCED T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T desired, int, int) {   \
    compare_exchange(at, &expected, desired, TARRY_PLACE);                                                         \
    return expected;                                                                                               \
  }
TARRY_ATOMIC(8, std::uint8_t)
TARRY_ATOMIC(16, std::uint16_t)
TARRY_ATOMIC(32, std::uint32_t)
TARRY_ATOMIC(64, std::uint64_t)
TARRY_ATOMIC(128, Wide)
TARRY_ENFORCED void __tsan_atomic_thread_fence(int /*order*/) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
TARRY_ENFORCED void __tsan_atomic_signal_fence(int /*order*/) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
