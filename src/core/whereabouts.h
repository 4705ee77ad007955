// Where a worker is in the program, for the case that it does not come back: crash, endless step, exit.
//
// A signal handler asks the object of its own thread. So nothing here may allocate, lock or throw.
#pragma once

#include <cstddef>

#include "core/move.h"
#include "core/program.h"

namespace tarry {

class Whereabouts {
 public:
  virtual ~Whereabouts() = default;
  /// Writes the moves from the start to the current state, at most `room`; returns how many there are.
  virtual std::size_t path(Move* out, std::size_t room) const noexcept = 0;
  virtual const Moves& moves() const noexcept = 0;
  /// The step that runs right now.
  virtual const abi::Cursor& cursor() const noexcept = 0;

  /// The name of the user's function that this thread is in, where it is known; else nullptr.
  static const char*& function_of_this_thread() {
    static thread_local const char* name = nullptr;
    return name;
  }

  /// This thread's, or nullptr.
  static const Whereabouts*& of_this_thread() {
    static thread_local const Whereabouts* here = nullptr;
    return here;
  }
};

/// Announces where the current thread is, for a scope.
class WhereaboutsScope {
 public:
  explicit WhereaboutsScope(const Whereabouts& here) : before_(Whereabouts::of_this_thread()) {
    if (on_enter != nullptr) on_enter();
    Whereabouts::of_this_thread() = &here;
  }
  ~WhereaboutsScope() { Whereabouts::of_this_thread() = before_; }
  WhereaboutsScope(const WhereaboutsScope&) = delete;
  WhereaboutsScope& operator=(const WhereaboutsScope&) = delete;

  /// Called on each thread that enters a scope. Who handles crashes sets it before the search starts: a handler's stack is per thread.
  static inline void (*on_enter)() = nullptr;

 private:
  const Whereabouts* before_;
};

}  // namespace tarry
