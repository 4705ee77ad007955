// Locks that matter when the thread ends that holds them.
#pragma once

namespace tarry::native::rt {

struct HeldLocks {
  void* robust = nullptr;     // the first robust mutex that it has locked (mutex.cc)
  bool knows_number = false;  // it knows its own, so it may have locks that hold it (futex_pi.cc)
};

}  // namespace tarry::native::rt
