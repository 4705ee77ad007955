// Foreign functions: written in C++ by the user, called with values, giving values (docs/p-foreign.md, <tarry/foreign.h>).
//
// The machine knows them by this interface only; what stands behind it is in plang/foreign.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "plang/vm/value_heap.h"

namespace tarry::plang {

class World;

class Foreign {
 public:
  virtual ~Foreign() = default;
  struct Result {
    Value value;
    std::string problem;  // empty: none
  };
  /// `function`: number in CheckedProgram::functions. Any thread. Ensures: without a problem, the value is of the function's declared type, all through.
  virtual Result call(std::uint32_t function, std::span<const Value> arguments, Heap& heap, const World& world) const = 0;

  /// A value of a foreign type (its number in the TypeTable) for people, if its type can be shown.
  virtual std::optional<std::string> text(std::uint32_t /*type*/, std::string_view /*bytes*/) const { return std::nullopt; }
};

}  // namespace tarry::plang
