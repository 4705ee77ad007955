// Values in which machines have other slots.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "plang/vm/value_heap.h"

namespace tarry::plang {

using SlotNames = std::map<std::uint32_t, std::uint32_t>;  // old slot to new slot

class Renaming {
 public:
  Renaming(Pool& pool, const SlotNames& names) : pool_(pool), names_(names) {}

  std::uint32_t slot(std::uint32_t old) const {
    const auto found = names_.find(old);
    return found == names_.end() ? old : found->second;
  }
  /// Requires: the value is interned. So is the result.
  Value value(Value v);
  /// An element of a set or a key of a map was renamed: its place could depend on its name.
  bool reorders() const { return reorders_; }

 private:
  Pool& pool_;
  const SlotNames& names_;
  std::unordered_map<std::uint32_t, std::uint32_t> known_;  // objects, by number
  bool reorders_ = false;
};

}  // namespace tarry::plang
