#include "native/driver/locals.h"

#include <dwarf.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

#include "native/driver/variables.h"

namespace tarry::native {
namespace {

constexpr int kFramePointer = 6, kStackPointer = 7;  // as the debug information numbers rbp and rsp

/// The one operation by which an attribute says where something lies at `pc`.
std::optional<Dwarf_Op> single_operation(Dwarf_Die* die, unsigned attribute_name, Dwarf_Addr pc) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr_integrate(die, attribute_name, &attribute) == nullptr) return std::nullopt;
  if (dwarf_getlocation_addr(&attribute, pc, &operations, &count, 1) != 1 || count != 1) return std::nullopt;
  return operations[0];
}

/// A function that keeps a frame pointer pushes it behind the return address.
std::optional<std::uint64_t> address_by_register(unsigned atom, std::uint64_t offset, const RecordedObject& object) {
  for (const unsigned first : {DW_OP_breg0, DW_OP_reg0}) {
    const std::uint64_t plus = first == DW_OP_breg0 ? offset : 0;
    if (atom == first + kFramePointer) return object.frame_to - 16 + plus;
    if (atom == first + kStackPointer) return object.frame_from + plus;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> frame_base(Dwarf_Die* function, Dwarf_Addr pc, const RecordedObject& object) {
  const auto operation = single_operation(function, DW_AT_frame_base, pc);
  if (!operation) return std::nullopt;
  if (operation->atom == DW_OP_call_frame_cfa) return object.frame_to;
  return address_by_register(operation->atom, operation->number, object);
}

std::optional<std::uint64_t> address_of(Dwarf_Die* variable, Dwarf_Die* function, Dwarf_Addr pc, const RecordedObject& object) {
  const auto operation = single_operation(variable, DW_AT_location, pc);
  if (!operation) return std::nullopt;
  if (operation->atom != DW_OP_fbreg) return operation->atom >= DW_OP_breg0 && operation->atom <= DW_OP_breg31 ? address_by_register(operation->atom, operation->number, object) : std::nullopt;
  const auto base = frame_base(function, pc, object);
  if (!base) return std::nullopt;
  return *base + operation->number;
}

std::string variable_in(Dwarf_Die* scope, Dwarf_Die* function, Dwarf_Addr pc, const RecordedObject& object) {
  Dwarf_Die child;
  if (dwarf_child(scope, &child) != 0) return "";
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) continue;
    const char* name = dwarf_diename(&child);
    const auto address = address_of(&child, function, pc, object);
    if (name == nullptr || !address || object.address < *address) continue;
    if (const auto inside = name_inside(&child, object.address - *address)) return name + *inside;
  } while (dwarf_siblingof(&child, &child) == 0);
  return "";
}

}  // namespace

std::string local_at(Dwarf_Die* unit, Dwarf_Addr pc, const RecordedObject& object) {
  // Of an address, the scopes around an inlined function are those where it was written; of an entry, those it was inlined into.
  Dwarf_Die *written = nullptr, *scopes = nullptr;
  int count = dwarf_getscopes(unit, pc, &written);
  if (count > 0) count = dwarf_getscopes_die(&written[0], &scopes);
  const std::unique_ptr<Dwarf_Die, void (*)(Dwarf_Die*)> free_written(written, [](Dwarf_Die* one) { std::free(one); });
  const std::unique_ptr<Dwarf_Die, void (*)(Dwarf_Die*)> free_scopes(scopes, [](Dwarf_Die* one) { std::free(one); });
  Dwarf_Die* const function = std::find_if(scopes, scopes + std::max(count, 0), [](Dwarf_Die& scope) { return dwarf_tag(&scope) == DW_TAG_subprogram; });
  if (count <= 0 || function == scopes + count) return "";
  for (Dwarf_Die* scope = scopes; scope <= function; ++scope)
    if (std::string name = variable_in(scope, function, pc, object); !name.empty()) return name;
  return "";
}

}  // namespace tarry::native
