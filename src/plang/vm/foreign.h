// Foreign functions: written in C++ by the user, called with values, giving values (docs/p.md, <tarry/foreign.h>).
#pragma once

#include <span>
#include <string>

#include "plang/vm/heap.h"

namespace tarry::plang {

class World;

class Foreign {
 public:
  virtual ~Foreign() = default;
  struct Result {
    Value value;
    std::string problem;  // empty: none
  };
  /// `function`: number in Program::functions. Any thread.
  virtual Result call(std::uint32_t function, std::span<const Value> arguments, Heap& heap, const World& world) const = 0;
};

}  // namespace tarry::plang
