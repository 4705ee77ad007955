// What parts of the runtime (runtime.h) are made of.
#pragma once

#include <new>

namespace tarry::native::rt {

/// A base of parts of which no execution changes anything back: what is set up once, and what is learned over all executions.
struct Kept {};

/// An object within a part that is made when it is first asked for, and lives as long as the process.
template <class T>
class Lasting {
 public:
  T& operator*() {
    if (!made_) [[unlikely]] make();
    return *std::launder(reinterpret_cast<T*>(room_));
  }
  T* operator->() { return &**this; }
  bool is_made() const { return made_; }

 private:
  void make() {
    new (room_) T();
    made_ = true;
  }
  alignas(T) unsigned char room_[sizeof(T)] = {};
  bool made_ = false;
};

}  // namespace tarry::native::rt
