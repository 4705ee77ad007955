// Global and static variables of a module, by address, down to the member or element: "queue.head", "counts[3]".
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tarry::native {

/// Of a variable: what is said of the part of it at this offset, ".head", "[3].next", or nothing if it is meant as a whole. None if it is smaller.
std::optional<std::string> name_inside(Dwarf_Die* variable, std::uint64_t offset);

class Variables {
 public:
  /// Reads the debug information once.
  explicit Variables(Dwfl_Module* module);

  /// Offset from where the module is loaded. Empty if there is no variable with a name.
  std::string name_at(std::uint64_t offset) const;

 private:
  struct Variable {
    std::string name;
    std::uint64_t size;
    Dwarf_Die type;
  };
  void add_all(Dwarf_Die* parent, const std::string& scope);
  void add(Dwarf_Die* die, const std::string& scope);

  std::map<std::uint64_t, Variable> by_address_;
};

}  // namespace tarry::native
