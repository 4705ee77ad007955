// Decides whether the program can see the order in which sets and maps keep their elements.
//
// A program sees the order if it iterates over a collection, indexes a set, asks for keys or values, or chooses from it. Texts
// are in the order of the elements' texts, as in P 3.0; only a map with two keys of the same text shows more in its text. A
// collection type whose order the program never sees is kept sorted, so the order of insertions makes no difference between
// states. Values can move between collection types (through `any`, casts, or assignment to a more general type). If the program
// has such a place, all sets, or all maps, count as observed as soon as one is.
#pragma once

#include <vector>

#include "plang/sema/checked_program.h"
#include "plang/vm/value_operations.h"

namespace tarry::plang {

class Orders {
 public:
  explicit Orders(const CheckedProgram& program);
  /// Returns how a collection is kept. Requires: a type of set or map.
  Keeping of(const Type* collection) const { return keepings_[collection->index]; }
  /// Returns whether a value of the type must be made dense when it is copied.
  bool needs_dense(const Type* type) const { return dense_[type->index]; }
  /// Returns whether a value may have another kind than its place inside a collection or tuple says. Casts check only the
  /// outermost type, and the payload of an unknown event is not checked at all.
  bool may_be_mistyped() const { return mistyped_; }
  /// Returns whether a text that the program uses (not only prints) contains the number of a machine.
  bool shows_machines() const { return shows_machines_; }

 private:
  std::vector<Keeping> keepings_;
  std::vector<bool> dense_;
  bool mistyped_ = false;
  bool shows_machines_ = false;
};

}  // namespace tarry::plang
