// Ctrl-C and SIGTERM while other processes work for this one: the first asks them to end, the second ends them.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <cstddef>

namespace tarry {

/// For a scope; there is one at a time. `stop` is set by the first signal; from the second on the processes are killed.
class Interrupts {
 public:
  explicit Interrupts(std::atomic<bool>& stop);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// A process that the second signal kills; negative: a group of them. At most 256; a process that has ended is taken out again.
  void add(pid_t process);
  void remove(pid_t process);

  /// The signal that came first, or 0.
  int by() const;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  struct sigaction before_[2] {};
};

}  // namespace tarry
