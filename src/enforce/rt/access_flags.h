// The flags of plain accesses in the program and its libraries (native/pass). An access is an event only where its flag is set.
#pragma once

#include <cstdint>
#include <span>

namespace tarry::enforce::rt {

/// Records where the flags of a module are. Each object of the module announces them before main.
void announce_flags(unsigned char* from, unsigned char* to);
/// Sets the flags at these addresses, as far as they were announced, and clears those that were set before. Requires: the addresses stay there until the next call.
void set_flags(std::span<const std::uintptr_t> addresses);

}  // namespace tarry::enforce::rt
