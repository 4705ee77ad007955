// Encodes values for a foreign function, and decodes its result, as bytes (<tarry/foreign_abi.h>).
//
// User code made the result, so decoding checks everything: the declared type, that machines and events exist, that no element
// appears twice, and the depth.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "plang/code/bytecode.h"
#include "plang/code/visible_order.h"
#include "plang/vm/world.h"

namespace tarry::plang {

/// Facts about the program that the checks need, looked up once.
class TransferTables {
 public:
  /// Gives every named tuple of the program its shape in advance.
  explicit TransferTables(Code& code);

  const Code& code;
  std::map<std::string, std::uint32_t, std::less<>> events;   // without null
  std::map<std::string, const Type*, std::less<>> foreign_types;
  std::vector<std::uint32_t> shapes;                          // by number of the type
  Keeping of(const Type* type, TypeKind kind) const;          // null: of a collection within `any`

 private:
  Orders orders_;
  bool observes_sets_ = false, observes_maps_ = false;
};

std::string encode(std::span<const Value> values, const Heap& heap, const World& world);

/// Thrown if a result does not have the declared type; says why.
class WrongResult : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Decodes a value. Throws WrongResult or HeapFull.
Value decode(std::string_view bytes, const Type* type, Heap& heap, const World& world, const TransferTables& tables);

}  // namespace tarry::plang
