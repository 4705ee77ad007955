// The foreign functions of a program, put together with the objects that implement them.
#pragma once

#include <tarry/foreign_abi.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plang/foreign/transfer.h"
#include "plang/vm/foreign.h"

namespace tarry::plang {

/// Functions without an implementation may be there: calling one is a runtime error.
class LinkedForeign final : public Foreign {
 public:
  /// `code` and what the tables point to outlive it. Of functions given twice the first counts.
  LinkedForeign(Code& code, std::span<const abi::ForeignTable> tables);

  Result call(std::uint32_t function, std::span<const Value> arguments, Heap& heap, const World& world) const override;
  std::optional<std::string> text(std::uint32_t type, std::string_view bytes) const override;

 private:
  const Code& code_;
  TransferTables tables_;
  std::vector<const abi::ForeignFunction*> functions_;             // by number
  std::map<std::uint32_t, const abi::ForeignType*> types_;         // that can be shown
};

}  // namespace tarry::plang
