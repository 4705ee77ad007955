// Can the program see the order in which sets and maps keep their elements?
//
// It can where it iterates over one, indexes a set, asks for keys or values, or chooses from one. A type of collection for which it never
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

 private:
  std::vector<Keeping> keepings_;
  std::vector<bool> dense_;
};

}  // namespace tarry::plang
