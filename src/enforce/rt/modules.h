// What is loaded into the process: where modules of the set lie, and which module an address belongs to.
#pragma once

#include <cstdint>
#include <string_view>

namespace tarry::enforce::rt {

/// Where the module of that name was loaded (the program's is empty); 0: it is not there, or at address 0.
std::uintptr_t base_of(std::string_view name);

struct Where {
  const char* module;  // the name of its file, "" for the program; nullptr: none
  std::uintptr_t offset;
};
Where whereabouts(std::uintptr_t address);

}  // namespace tarry::enforce::rt
