// Long work that belongs to no search (such as the first exploration of a program) asks here, every few milliseconds, whether to
// continue. The caller may have a time limit, may be interrupted, and wants to see progress.
#pragma once

#include <functional>

namespace tarry {

class Patience {
 public:
  /// Returns true if no limit is set on this thread.
  static bool go_on() { return current() == nullptr || (*current())(); }

 private:
  friend class PatienceScope;
  static const std::function<bool()>*& current() {
    static thread_local const std::function<bool()>* asked = nullptr;
    return asked;
  }
};

/// Sets the question for this thread, for a scope.
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
