#include "cli/early_interrupt.h"

#include <unistd.h>

#include <string>

#include "cli/command_line.h"

namespace tarry::cli {
namespace {

// A handler may only write what is there already.
std::string g_output[2], g_message;

void write_all(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(to, text.data() + done, text.size() - done);
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
}

void end(int signal) {
  write_all(STDOUT_FILENO, g_output[signal == SIGINT ? 0 : 1]);
  write_all(STDERR_FILENO, g_message);
  ::_exit(128 + signal);
}

}  // namespace

EarlyInterrupt::EarlyInterrupt() {
  const std::string words = "tarry: interrupted before the search began";
  g_message = words + "\n";
  struct sigaction action {};
  action.sa_handler = end;
  for (int i = 0; i < 2; ++i) {
    g_output[i] = error_output("interrupt", words, 128 + kSignals[i]);
    ::sigaction(kSignals[i], &action, &before_[i]);
  }
}

EarlyInterrupt::~EarlyInterrupt() {
  for (int i = 0; i < 2; ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
}

}  // namespace tarry::cli
