// The names of signals, as kill -l prints them.
#pragma once

#include <csignal>
#include <cstring>
#include <string>

namespace tarry {

/// Returns "SIGTERM", "SIGRTMIN+6", or "signal 32" for a number without a name. The C library has no names for signals of real time.
inline std::string signal_name(int signal) {
  if (const char* const name = ::sigabbrev_np(signal); name != nullptr) return "SIG" + std::string(name);
  const int first = SIGRTMIN;
  if (signal < first || signal > SIGRTMAX) return "signal " + std::to_string(signal);
  return signal == first ? "SIGRTMIN" : "SIGRTMIN+" + std::to_string(signal - first);
}

}  // namespace tarry
