// Long work that belongs to no search (such as the first exploration of a program) asks here, every few milliseconds, whether to
// continue. The caller may have a time limit, may be interrupted, and wants to see progress.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace tarry {

/// Thrown if there is no time left for what there can be no search without.
struct OutOfPatience {
  std::string meanwhile;  // what was done, as in "the formula was translated"
};

class Patience {
 public:
  /// Returns true if no limit is set on this thread.
  static bool go_on() { return current() == nullptr || current()->ask(); }

  /// The same for work that there can be no search without: it may take all the time that the search has. Throws OutOfPatience.
  static void need(const char* meanwhile) {
    if (current() != nullptr && !current()->ask_needed()) throw OutOfPatience{meanwhile};
  }

 private:
  friend class PatienceScope;
  struct Asked {
    std::function<bool()> ask, ask_needed;
  };
  static const Asked*& current() {
    static thread_local const Asked* asked = nullptr;
    return asked;
  }
};

/// Sets the questions for this thread, for a scope.
class PatienceScope {
 public:
  explicit PatienceScope(std::function<bool()> ask, std::function<bool()> ask_needed = [] { return true; }) : asked_{std::move(ask), std::move(ask_needed)}, before_(Patience::current()) {
    Patience::current() = &asked_;
  }
  ~PatienceScope() { Patience::current() = before_; }
  PatienceScope(const PatienceScope&) = delete;
  PatienceScope& operator=(const PatienceScope&) = delete;

 private:
  Patience::Asked asked_;
  const Patience::Asked* before_;
};

}  // namespace tarry
