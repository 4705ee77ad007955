// Writes a whole text to a descriptor, in as many pieces as the kernel needs. May be called in a signal handler.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace tarry {

/// Returns 0, or the error.
inline int write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(to, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

}  // namespace tarry
