// The foreign functions of a program, linked with the objects that implement them.
#pragma once

#include <tarry/foreign_abi.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plang/foreign/transfer.h"
#include "plang/vm/foreign_functions.h"

namespace tarry::plang {

/// Some functions may have no implementation: calling one is a runtime error.
class LinkedForeign final : public Foreign {
 public:
  /// Links the functions. Requires: `code` and the data of the tables outlive this object. If a function is given twice, the
  /// first one counts.
  LinkedForeign(Code& code, std::span<const abi::ForeignTable> tables);

  Result call(std::uint32_t function, std::span<const Value> arguments, Heap& heap, const World& world) const override;
  std::optional<std::string> text(std::uint32_t type, std::string_view bytes) const override;

 private:
  const Code& code_;
  TransferTables tables_;
  std::vector<const abi::ForeignFunction*> functions_;             // by number
  std::map<std::uint32_t, const abi::ForeignType*> types_;         // types that can be shown
};

}  // namespace tarry::plang
