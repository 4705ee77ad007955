// Work that takes long and belongs to no search (a first look at a program, say) asks here, every few milliseconds, whether it is to go on: whoever
// waits for it has limits of time and may be interrupted, and is to see that something moves.
#pragma once

#include <functional>

namespace tarry {

class Patience {
 public:
  /// True if nobody has set a limit on this thread.
  static bool go_on() { return current() == nullptr || (*current())(); }

 private:
  friend class PatienceScope;
  static const std::function<bool()>*& current() {
    static thread_local const std::function<bool()>* asked = nullptr;
    return asked;
  }
};

/// What is asked on this thread, for a scope.
class PatienceScope {
 public:
  explicit PatienceScope(std::function<bool()> ask) : ask_(std::move(ask)), before_(Patience::current()) { Patience::current() = &ask_; }
  ~PatienceScope() { Patience::current() = before_; }
  PatienceScope(const PatienceScope&) = delete;
  PatienceScope& operator=(const PatienceScope&) = delete;

 private:
  std::function<bool()> ask_;
  const std::function<bool()>* before_;
};

}  // namespace tarry
