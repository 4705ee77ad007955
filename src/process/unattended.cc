#include "process/unattended.h"

#include <unistd.h>

#include <string>

#include "base/write_all.h"

namespace tarry::process {
namespace {

// A handler may only write what is there already.
std::string g_output[2], g_message;
pid_t g_owner = 0;

void end(int signal) {
  if (::getpid() != g_owner) ::_exit(128 + signal);
  write_all(STDOUT_FILENO, g_output[signal == SIGINT ? 0 : 1]);
  write_all(STDERR_FILENO, g_message);
  ::_exit(128 + signal);
}

}  // namespace

EndsWhenInterrupted::EndsWhenInterrupted(const std::function<std::string(int signal)>& output, const std::string& message) {
  g_message = message;
  g_owner = ::getpid();
  struct sigaction action {};
  action.sa_handler = end;
  for (int i = 0; i < 2; ++i) {
    g_output[i] = output(kSignals[i]);
    ::sigaction(kSignals[i], &action, &before_[i]);
  }
}

EndsWhenInterrupted::~EndsWhenInterrupted() {
  for (int i = 0; i < 2; ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
}

}  // namespace tarry::process
