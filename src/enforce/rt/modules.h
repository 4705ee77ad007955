// The modules that are loaded into the process: their addresses, and the module of an address.
#pragma once

#include <cstdint>
#include <string_view>

namespace tarry::enforce::rt {

/// Returns the load address of the module of that name (the program's name is empty); 0: not loaded, or at address 0.
std::uintptr_t base_of(std::string_view name);

struct Where {
  const char* module;  // the name of its file, "" for the program; nullptr: none
  std::uintptr_t offset;
};
Where whereabouts(std::uintptr_t address);

}  // namespace tarry::enforce::rt
