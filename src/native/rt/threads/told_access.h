// What functions of libraries access on behalf of their callers. Libraries are not instrumented: the functions that work on the program's memory are
// taken over, and tell their accesses as their caller's.
//
// Only calls from instrumented code and from the standard library of C++ count, whose functions stand for code of the program's; what other
// libraries do is not followed anywhere else either.
//
// An access that races is a point, and another thread may run there. So what is read must be what was there at the point (Taken), and what is
// written must come to be there at the point, not when the library has it (Landing).
#pragma once

#include <sys/syscall.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "native/rt/base/modules.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/real.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"

#define TARRY_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1

namespace tarry::native::rt {

/// Returns the caller if its accesses are of interest, else 0.
inline std::uintptr_t accessor(std::uintptr_t caller) { return in_program() && tells_accesses(caller) ? caller : 0; }

/// A size that is far too large (of a negative number) leads to a crash, and not to a long look at memory that is not there.
inline bool ends_somewhere(const void* at, std::size_t size) {
  constexpr std::uintptr_t kLarge = 1 << 20, kPage = 4096;
  if (size <= kLarge) return size > 0;
  unsigned char resident;
  return raw(SYS_mincore, (reinterpret_cast<std::uintptr_t>(at) + size - 1) & ~(kPage - 1), 1, &resident) == 0;
}

inline void reads(const void* from, std::size_t size, std::uintptr_t who) {
  if (who != 0 && from != nullptr && ends_somewhere(from, size)) reading(from, size, who);
}
inline void writes(const void* to, std::size_t size, std::uintptr_t who) {
  if (who != 0 && to != nullptr && ends_somewhere(to, size)) writing(to, size, who);
}

/// Of a text, with the zero at its end if that is within reach.
inline std::size_t extent(const char* text, std::size_t most = SIZE_MAX) { return most == SIZE_MAX ? TARRY_REAL(strlen)(text) + 1 : std::min(TARRY_REAL(strnlen)(text, most) + 1, most); }
inline void reads_text(const char* text, std::uintptr_t who) {
  if (who != 0 && text != nullptr) reads(text, extent(text), who);
}

/// Room of the program's heap, for a scope.
class Room {
 public:
  explicit Room(std::size_t size) : at_(size <= sizeof(few_) ? few_ : static_cast<char*>(program_heap::allocate(size, 16))) {}
  ~Room() { if (at_ != few_ && at_ != nullptr) program_heap::release(at_); }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  char* at() const { return at_; }  // nullptr: there is none

 private:
  char few_[512];
  char* at_;
};

/// What a call is given to read: told here, and kept as it is now if others may change it before the call is through.
class Taken {
 public:
  Taken(const void* from, std::size_t size, std::uintptr_t who) : from_(from), keeps_(who != 0 && from != nullptr && ends_somewhere(from, size) && is_point(who)), room_(keeps_ ? size : 0) {
    reads(from, size, who);
    if (keeps_ && room_.at() != nullptr) TARRY_REAL(memmove)(room_.at(), from, size);
  }
  const void* at() const { return keeps_ && room_.at() != nullptr ? room_.at() : from_; }

 private:
  const void* from_;
  bool keeps_;
  Room room_;
};

/// Where a call writes.
class Landing {
 public:
  Landing(void* to, std::size_t room, std::uintptr_t who) : to_(to), who_(to == nullptr || !ends_somewhere(to, room) ? 0 : who), waits_(who_ != 0 && is_point(who)), room_(waits_ ? room : 0) {}
  void* at() const { return held_back() ? room_.at() : to_; }
  /// The call has written this much.
  void written(std::size_t size) {
    if (who_ == 0 || size == 0) return;
    writing(to_, size, who_);
    if (held_back()) TARRY_REAL(memmove)(to_, room_.at(), size);
  }
  template <class T>
  void written_if(T result, std::size_t size) { if (result >= 0) written(size); }

 private:
  bool held_back() const { return waits_ && room_.at() != nullptr; }

  void* to_;
  std::uintptr_t who_;
  bool waits_;
  Room room_;
};

}  // namespace tarry::native::rt
