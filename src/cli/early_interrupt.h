// Ctrl-C and SIGTERM before there is a search: while a program is compiled and loaded. The command says so and ends at once.
#pragma once

#include <csignal>

namespace tarry::cli {

/// For a scope; there is one at a time.
class EarlyInterrupt {
 public:
  EarlyInterrupt();
  ~EarlyInterrupt();
  EarlyInterrupt(const EarlyInterrupt&) = delete;
  EarlyInterrupt& operator=(const EarlyInterrupt&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  struct sigaction before_[2] {};
};

}  // namespace tarry::cli
