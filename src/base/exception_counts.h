// Reference counts that the standard libraries of C++ keep in code that is not instrumented: those of exceptions that several threads hold
// (exception_ptr, futures), and of libc++ those of weak pointers.
//
// The run-time libraries of verification and of enforcement both intercept the functions that count down. What is an event must be the same in both, and
// must not depend on what other threads do at the same time. So the rule is here: a count that goes down is an event if the object has more than one
// reference, or if a count of that object was an event before. A thread marks the object before it counts down from more than one. So a thread that finds
// the last reference also finds the mark, unless no other thread ever gave up a reference.
//
// The layouts are those of the ABI: behind the header, which is behind the count, is the object that was thrown; a handled exception that came from
// rethrow_exception has a header of its own, with a pointer to that object. The mark is in bytes of the header that the libraries set to zero and do not use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tarry {

/// A count, its size, its value if there is one reference, and the mark. nullptr: there is none.
struct ReferenceCount {
  void* count = nullptr;
  std::uint32_t size = 0;
  std::uint32_t least = 1;
  std::uint32_t* mark = nullptr;

  std::uint64_t value() const {
    return size == 4 ? __atomic_load_n(static_cast<std::uint32_t*>(count), __ATOMIC_SEQ_CST) : __atomic_load_n(static_cast<std::uint64_t*>(count), __ATOMIC_SEQ_CST);
  }
  bool is_last() const { return value() == least; }
  /// Marks the object if needed.
  bool is_event() const {
    if (is_last()) return mark != nullptr && __atomic_load_n(mark, __ATOMIC_SEQ_CST) != 0;
    if (mark != nullptr) __atomic_store_n(mark, 1, __ATOMIC_SEQ_CST);
    return true;
  }
};

namespace exception_layout {

// Both libraries have the 32 bytes of the unwinder ahead of the object. They begin with eight letters that name the library.
inline constexpr std::ptrdiff_t kUnwinder = 32;
inline constexpr std::ptrdiff_t kHeaderGnu = 112, kHeaderLlvm = 128;

template <class T>
T* at(const void* base, std::ptrdiff_t offset) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(offset));
}

/// Returns the last letter of the name, which is 1 if the exception was thrown again, or -1 if the header is of another library.
inline int letter_of(const void* header, std::ptrdiff_t size, std::uint64_t name) {
  std::uint64_t found = 0;
  std::memcpy(&found, at<const char>(header, size - kUnwinder), sizeof(found));
  return (found & ~std::uint64_t{1}) == name ? static_cast<int>(found & 1) : -1;
}

}  // namespace exception_layout

inline ReferenceCount count_of_exception_gnu(const void* thrown) {
  using namespace exception_layout;
  return {at<void>(thrown, -kHeaderGnu - 16), 4, 1, at<std::uint32_t>(thrown, -kHeaderGnu - 12)};
}
inline ReferenceCount count_of_exception_llvm(const void* thrown) {
  using namespace exception_layout;
  return {at<void>(thrown, -kHeaderLlvm + 8), 8, 1, at<std::uint32_t>(thrown, -kHeaderLlvm)};
}

/// Returns the count that goes down when the thread's handler ends. `header`: of the exception that the thread handles; may be nullptr.
inline ReferenceCount count_of_handler(const void* header) {
  using namespace exception_layout;
  constexpr std::uint64_t kGnu = 0x474e5543432b2b00, kLlvm = 0x434c4e47432b2b00;  // "GNUCC++", "CLNGC++"
  constexpr std::ptrdiff_t kHandlersGnu = 40, kHandlersLlvm = 56;
  if (header == nullptr) return {};
  if (const int again = letter_of(header, kHeaderGnu, kGnu); again >= 0) {
    if (*at<const std::int32_t>(header, kHandlersGnu) != 1) return {};
    return count_of_exception_gnu(again == 0 ? at<const void>(header, kHeaderGnu) : *at<void*>(header, 0));
  }
  if (const int again = letter_of(header, kHeaderLlvm, kLlvm); again >= 0) {
    if (*at<const std::int32_t>(header, kHandlersLlvm) != 1) return {};
    return count_of_exception_llvm(again == 0 ? at<const void>(header, kHeaderLlvm) : *at<void*>(header, 8));
  }
  return {};
}

// __shared_weak_count of libc++: a pointer to its functions, how many owners there are beside one, how many weak pointers beside one. There is no room for a
// mark.
inline void* owners_of_shared(const void* counts) { return exception_layout::at<void>(counts, 8); }
inline ReferenceCount count_of_weak(const void* counts) { return {exception_layout::at<void>(counts, 16), 8, 0, nullptr}; }

}  // namespace tarry
