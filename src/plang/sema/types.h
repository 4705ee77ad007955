// Types of P. Equal types are one object, so they have the same address. Aliases are resolved.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plang/syntax/ast.h"

namespace tarry::plang {

/// A set of events, by number. Equal sets are one object within a TypeTable.
struct EventSet {
  std::vector<std::uint64_t> bits;
  bool contains(std::uint32_t event) const { return event / 64 < bits.size() && (bits[event / 64] >> (event % 64) & 1) != 0; }
  bool includes(const EventSet& other) const;
  bool empty() const;
  std::vector<std::uint32_t> members() const;
};

enum class TypeKind : std::uint8_t {
  kError,      // after an error; compatible with everything
  kNull, kBool, kInt, kFloat, kString, kEvent, kMachine, kData, kAny,
  kEnum,       // declaration
  kForeign,    // declaration
  kReference,  // interface, machine or event set: events; `name` is only for messages
  kSeq, kSet,  // parts[0]
  kMap,        // parts[0] to parts[1]
  kTuple, kNamedTuple,
};

struct Type {
  TypeKind kind;
  std::vector<const Type*> parts;
  std::vector<std::string> names;        // kNamedTuple
  const Enum* enumeration = nullptr;     // kEnum
  const TypeDecl* foreign = nullptr;     // kForeign
  const EventSet* events = nullptr;      // kReference
  std::string name;                      // kReference: of the interface or event set; part of the identity
  std::uint32_t index = 0;               // among all types of the table
  bool is_data = true;                   // its permissions are known and empty
  std::uint32_t height = 1;              // of the tree that it stands for
  std::uint32_t size = 1;                // nodes of that tree; stops at kHugeType
};
inline constexpr std::uint32_t kHugeType = 1'000'000;

class TypeTable {
 public:
  TypeTable();
  ~TypeTable();
  TypeTable(TypeTable&&) noexcept;
  TypeTable& operator=(TypeTable&&) noexcept;

  const Type* basic(TypeKind kind) const;  // kError … kAny
  const Type* enumeration(const Enum* declaration);
  const Type* foreign(const TypeDecl* declaration);
  const Type* reference(const EventSet* events, const std::string& name);
  const Type* sequence(const Type* element);
  const Type* set(const Type* element);
  const Type* map(const Type* key, const Type* value);
  const Type* tuple(std::vector<const Type*> parts);
  const Type* named_tuple(std::vector<const Type*> parts, std::vector<std::string> names);
  const EventSet* events(EventSet set);

  std::uint32_t size() const;
  const Type& at(std::uint32_t index) const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// T <- S: returns whether a value of `source` may be stored in `target` (table 3.3 of the language reference).
bool assignable(const Type* target, const Type* source);
bool same_type(const Type* a, const Type* b);  // both ways
/// Returns the events that a value of this type permits to send; null: unknown.
const EventSet* permissions(const Type* type, TypeTable& table);
/// Returns the type as in messages: "seq[int]", "(a: int, b: Server)", "(no value)".
std::string type_text(const Type* type);

}  // namespace tarry::plang
