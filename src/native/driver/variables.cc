#include "native/driver/variables.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

namespace tarry::native {
namespace {

bool is_struct(int tag) { return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type; }

/// The type of a variable or member, without const and typedefs.
std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type, plain;
  if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == nullptr || dwarf_formref_die(&attribute, &type) == nullptr) return std::nullopt;
  if (dwarf_peel_type(&type, &plain) != 0) return std::nullopt;
  return plain;
}

std::uint64_t size_of(Dwarf_Die* type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

std::uint64_t offset_of(Dwarf_Die* member) {
  Dwarf_Attribute attribute;
  Dwarf_Word offset = 0;
  if (dwarf_attr(member, DW_AT_data_member_location, &attribute) == nullptr || dwarf_formudata(&attribute, &offset) != 0) return 0;
  return offset;
}

std::string inside(Dwarf_Die type, std::uint64_t offset, int depth);

/// Of a member or base class at this offset: the rest of the name.
std::string inside_struct(Dwarf_Die& type, std::uint64_t offset, int depth) {
  Dwarf_Die child;
  if (dwarf_child(&type, &child) != 0) return "";
  do {
    const int tag = dwarf_tag(&child);
    Dwarf_Attribute attribute;
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_attr(&child, DW_AT_external, &attribute) != nullptr) continue;
    auto own = type_of(&child);
    if (!own) continue;
    const std::uint64_t at = offset_of(&child), size = size_of(&*own);
    if (offset < at || offset >= at + std::max<std::uint64_t>(size, 1)) continue;
    const std::string rest = inside(*own, offset - at, depth + 1);
    const char* name = dwarf_diename(&child);
    if (tag == DW_TAG_inheritance || name == nullptr) {
      if (!rest.empty()) return rest;
      continue;
    }
    // The insides of library types mean nothing to their users.
    const std::string_view text(name);
    if (text == "_M_elems" || text == "__elems_") return rest;  // std::array is one
    if (text.starts_with("_M_") || text.starts_with("__")) return "";
    return "." + std::string(name) + rest;
  } while (dwarf_siblingof(&child, &child) == 0);
  return "";
}

/// Of each dimension, at least 1.
std::vector<std::uint64_t> lengths_of(Dwarf_Die& array) {
  std::vector<std::uint64_t> out;
  Dwarf_Die child;
  if (dwarf_child(&array, &child) != 0) return out;
  do {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    std::uint64_t length = 1;
    if (dwarf_attr(&child, DW_AT_count, &attribute) != nullptr && dwarf_formudata(&attribute, &number) == 0) length = number;
    else if (dwarf_attr(&child, DW_AT_upper_bound, &attribute) != nullptr && dwarf_formudata(&attribute, &number) == 0) length = number + 1;
    out.push_back(std::max<std::uint64_t>(length, 1));
  } while (dwarf_siblingof(&child, &child) == 0);
  return out;
}

std::string inside(Dwarf_Die type, std::uint64_t offset, int depth) {
  if (depth > 12) return "";
  const int tag = dwarf_tag(&type);
  if (is_struct(tag)) return inside_struct(type, offset, depth);
  if (tag != DW_TAG_array_type) return "";
  auto element = type_of(&type);
  const std::uint64_t size = element ? size_of(&*element) : 0;
  if (size == 0) return "";
  // int table[3][2] is one array type with two ranges.
  std::string indices;
  std::uint64_t index = offset / size;
  const std::vector<std::uint64_t> lengths = lengths_of(type);
  for (std::size_t i = lengths.size(); i > 1; --i) {
    indices = fmt::format("[{}]", index % lengths[i - 1]) + indices;
    index /= lengths[i - 1];
  }
  return fmt::format("[{}]", index) + indices + inside(*element, offset % size, depth + 1);
}

}  // namespace

std::optional<std::string> name_inside(Dwarf_Die* variable, std::uint64_t offset) {
  auto type = type_of(variable);
  if (!type || offset >= std::max<std::uint64_t>(size_of(&*type), 1)) return std::nullopt;
  return inside(*type, offset, 0);
}

Variables::Variables(Dwfl_Module* module) {
  Dwarf_Addr bias = 0;
  Dwarf* const dwarf = dwfl_module_getdwarf(module, &bias);
  if (dwarf == nullptr) return;
  Dwarf_Off offset = 0, next = 0;
  std::size_t header = 0;
  while (dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    if (dwarf_offdie(dwarf, offset + header, &unit) != nullptr) add_all(&unit, "");
    offset = next;
  }
}

void Variables::add_all(Dwarf_Die* parent, const std::string& scope) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable) {
      add(&child, scope);
    } else if (tag == DW_TAG_namespace) {
      const char* name = dwarf_diename(&child);
      add_all(&child, name == nullptr ? scope : scope + name + "::");
    } else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) {
      add_all(&child, scope);  // statics of functions
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void Variables::add(Dwarf_Die* die, const std::string& scope) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(die, DW_AT_location, &attribute) == nullptr || dwarf_getlocation(&attribute, &operations, &count) != 0) return;
  Dwarf_Addr address = operations[0].number;
  Dwarf_Attribute indexed;
  const bool in_table = count == 1 && operations[0].atom == DW_OP_addrx;  // as clang has it
  if (in_table && (dwarf_getlocation_attr(&attribute, operations, &indexed) != 0 || dwarf_formaddr(&indexed, &address) != 0)) return;
  if (count != 1 || (!in_table && operations[0].atom != DW_OP_addr)) return;
  // Members and namespaces are declared elsewhere: the name is there, and so is where it belongs.
  const char* name = dwarf_diename(die);
  auto type = type_of(die);
  if (name == nullptr || !type) return;
  std::string whole = scope + name;
  Dwarf_Die declared;
  if (dwarf_attr(die, DW_AT_specification, &attribute) != nullptr && dwarf_formref_die(&attribute, &declared) != nullptr) {
    Dwarf_Die* scopes = nullptr;
    const int depth = dwarf_getscopes_die(&declared, &scopes);
    for (int i = 1; i < depth; ++i) {
      const int tag = dwarf_tag(&scopes[i]);
      const char* part = tag == DW_TAG_namespace || is_struct(tag) ? dwarf_diename(&scopes[i]) : nullptr;
      if (part != nullptr) whole = std::string(part) + "::" + whole;
    }
    std::free(scopes);
  }
  by_address_.emplace(address, Variable{std::move(whole), std::max<std::uint64_t>(size_of(&*type), 1), *type});
}

std::string Variables::name_at(std::uint64_t offset) const {
  auto after = by_address_.upper_bound(offset);
  if (after == by_address_.begin()) return "";
  const auto& [address, variable] = *--after;
  if (offset - address >= variable.size) return "";
  return variable.name + inside(variable.type, offset - address, 0);
}

}  // namespace tarry::native
