// Can the program see the order in which sets and maps keep their elements?
//
// It can where it iterates over one, indexes a set, asks for keys or values, or chooses from one. Texts are in the order of
// the elements' texts, as those of P 3.0 are; only a map of which two keys may have the same text shows more in its text. A type of collection for which it never
// does is kept sorted, so that the order of insertions makes no difference between states. Values that travel between types of
// collections (through `any`, casts, or assignment to a more general type) are taken together: if the program has such a place, all
// sets, or all maps, count as observed as soon as one is.
#pragma once

#include <vector>

#include "plang/sema/program.h"
#include "plang/vm/values.h"

namespace tarry::plang {

class Orders {
 public:
  explicit Orders(const Program& program);
  /// Requires: a type of set or map.
  Keeping of(const Type* collection) const { return keepings_[collection->index]; }
  /// Does a value of the type have to be made dense when it is copied?
  bool needs_dense(const Type* type) const { return dense_[type->index]; }
  /// May a value be of another kind than its place inside a collection or tuple says? Casts look only at the outside, and the payload of an
  /// event that is not known is not checked at all.
  bool may_be_mistyped() const { return mistyped_; }
  /// Does a text that the program works with (not just prints) hold the number of a machine?
  bool shows_machines() const { return shows_machines_; }

 private:
  std::vector<Keeping> keepings_;
  std::vector<bool> dense_;
  bool mistyped_ = false;
  bool shows_machines_ = false;
};

}  // namespace tarry::plang
