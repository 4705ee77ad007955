// Handles Ctrl-C and SIGTERM while other processes work for this one: the first signal asks them to end, the second kills them.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <cstddef>

namespace tarry {

/// Handles the signals for a scope. Only one instance exists at a time. The first signal sets `stop`; from the second on, the
/// processes are killed.
class Interrupts {
 public:
  explicit Interrupts(std::atomic<bool>& stop);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// Adds a process that the second signal kills; a negative number is a process group. At most 256. A process that has ended is
  /// removed again.
  void add(pid_t process);
  void remove(pid_t process);

  /// Returns the first signal, or 0.
  int by() const;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  struct sigaction before_[2]{};
};

}  // namespace tarry
