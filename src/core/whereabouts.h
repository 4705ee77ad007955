// The position of a worker in the program, in case it does not return: crash, infinite step, exit.
//
// A signal handler reads the object of its own thread. So nothing here may allocate, lock or throw.
#pragma once

#include <cstddef>

#include "core/move.h"
#include "core/program.h"

namespace tarry {

class Whereabouts {
 public:
  virtual ~Whereabouts() = default;
  /// Writes the moves from the start to the current state, at most `room`. Returns the number of moves.
  virtual std::size_t path(Move* out, std::size_t room) const noexcept = 0;
  virtual const Moves& moves() const noexcept = 0;
  /// Returns the step that runs now.
  virtual const abi::Cursor& cursor() const noexcept = 0;

  /// Returns the name of the user's function that this thread runs, or nullptr if it is not known.
  static const char*& function_of_this_thread() {
    static thread_local const char* name = nullptr;
    return name;
  }

  /// Returns the object of this thread, or nullptr.
  static const Whereabouts*& of_this_thread() {
    static thread_local const Whereabouts* here = nullptr;
    return here;
  }
};

/// Announces the position of the current thread, for a scope.
class WhereaboutsScope {
 public:
  explicit WhereaboutsScope(const Whereabouts& here) : before_(Whereabouts::of_this_thread()) {
    if (on_enter != nullptr) on_enter();
    Whereabouts::of_this_thread() = &here;
  }
  ~WhereaboutsScope() { Whereabouts::of_this_thread() = before_; }
  WhereaboutsScope(const WhereaboutsScope&) = delete;
  WhereaboutsScope& operator=(const WhereaboutsScope&) = delete;

  /// Called on each thread that enters a scope. The crash handler sets it before the search starts, because a handler's stack is
  /// per thread.
  static inline void (*on_enter)() = nullptr;

 private:
  const Whereabouts* before_;
};

}  // namespace tarry
