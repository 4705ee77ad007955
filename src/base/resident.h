// The memory that this process holds, as the kernel counts it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstring>

namespace tarry {

/// Returns bytes, or 0 if unknown. Takes about a microsecond.
inline std::uint64_t resident_bytes() {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128];
  const ssize_t size = ::read(file, text, sizeof(text));
  ::close(file);
  if (size <= 0) return 0;
  const void* const space = std::memchr(text, ' ', static_cast<std::size_t>(size));
  if (space == nullptr) return 0;
  std::uint64_t pages = 0;
  std::from_chars(static_cast<const char*>(space) + 1, text + size, pages);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace tarry
