// Ctrl-C and SIGTERM where no search listens for them: while a program is compiled and loaded, between searches, while a finding is told. The command
// says so and ends at once. Searches and reruns listen for themselves (base/interrupts.h), and give way to this again.
#pragma once

#include <csignal>
#include <functional>
#include <string>

namespace tarry::process {

/// For a scope; there is one at a time. Processes that are started within it die of the signals without a word.
class EndsWhenInterrupted {
 public:
  /// `output`: what goes to standard output if the signal comes; `message`: to standard error.
  EndsWhenInterrupted(const std::function<std::string(int signal)>& output, const std::string& message);
  ~EndsWhenInterrupted();
  EndsWhenInterrupted(const EndsWhenInterrupted&) = delete;
  EndsWhenInterrupted& operator=(const EndsWhenInterrupted&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  struct sigaction before_[2]{};
};

}  // namespace tarry::process
