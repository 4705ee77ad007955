// Values on their way to a foreign function and back, as bytes (<tarry/foreign_abi.h>).
//
// What comes back was made by somebody else, so it is checked all through: against the declared type, for machines and events that exist,
// for elements that are there twice, and for depth.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "plang/code/bytecode.h"
#include "plang/code/order.h"
#include "plang/vm/world.h"

namespace tarry::plang {

/// What the checks need to know of the program, looked up once.
class TransferTables {
 public:
  /// Gives every named tuple of the program its shape, so that later nobody has to.
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

/// A result is not what was declared; in words.
class WrongResult : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws WrongResult, or HeapFull.
Value decode(std::string_view bytes, const Type* type, Heap& heap, const World& world, const TransferTables& tables);

}  // namespace tarry::plang
