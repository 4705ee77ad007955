// Sequentially consistent operations on the program's memory, of 1 to 16 bytes. For 16 bytes only the older builtin is inlined.
#pragma once

namespace tarry {

template <class T>
bool atomic_compare_exchange(volatile T* at, T* expected, T desired) {
  if constexpr (sizeof(T) == 16) {
    const T before = __sync_val_compare_and_swap(at, *expected, desired);
    const bool equal = before == *expected;
    *expected = before;
    return equal;
  } else {
    return __atomic_compare_exchange_n(at, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
}

template <class T>
T atomic_value(const volatile T* at) {
  if constexpr (sizeof(T) == 16) return __sync_val_compare_and_swap(const_cast<volatile T*>(at), T{0}, T{0});
  else return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

/// Replaces the value by next(value). Returns the old value.
template <class T, class Next>
T atomic_modify(volatile T* at, const Next& next) {
  T before = atomic_value(at);
  while (!atomic_compare_exchange(at, &before, static_cast<T>(next(before)))) {
  }
  return before;
}

}  // namespace tarry
