// What P does with values: equality, order, text, and the collections.
//
// Sets and maps are arrays of slots with a list of free ones: a new element takes the slot freed last, else a new one at the end. That order
// can be observed (foreach, index, keys, choose). Where a program never does (code/visible_order.h), elements are kept sorted instead, so that
// equal collections are equal words however they came about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plang/vm/value_heap.h"

namespace tarry::plang {

enum class Keeping : std::uint8_t { kSlots, kSorted };

/// Equality of P: structural; machines by identity, numbers by kind and value, sets and maps as sets.
bool equal(const Heap& heap, Value a, Value b, unsigned depth = 0);

/// A total order that agrees with equality, the same in every run.
int compare(const Heap& heap, Value a, Value b, unsigned depth = 0);

/// The value as an assignment gives it: sets and maps without holes.
Value dense(Heap& heap, Value v, unsigned depth = 0);

// Collections. `keyed` values: an element of a set or a key of a map.

std::uint32_t count(const Heap& heap, Value set_or_map);
/// The slot of a key, if it is there.
std::optional<std::uint32_t> find_slot(const Heap& heap, Value set_or_map, Value key);
/// The slots that are taken, in the order of iteration. Requires: n < count.
std::uint32_t nth_slot(const Heap& heap, Value set_or_map, std::uint32_t n);
void set_add(Heap& heap, Value& set, Value element, Keeping keeping);
/// Requires: the key is not there.
void map_add(Heap& heap, Value& map, Value key, Value value, Keeping keeping);
void remove_key(Heap& heap, Value& set_or_map, Value key, Keeping keeping);

// Text.

/// How machines and shapes are called.
class Names {
 public:
  virtual ~Names() = default;
  virtual std::string machine(std::uint32_t slot) const = 0;
  virtual const std::string& event(std::uint32_t number) const = 0;
  virtual const std::vector<std::string>& shape(std::uint32_t number) const = 0;
  /// Of a foreign type, by number.
  virtual std::string foreign_value(std::uint32_t type, std::string_view bytes) const;
};

enum class TextFor { kPrint, kTrace };
std::string text_of(const Heap& heap, Value v, const Names& names, TextFor purpose = TextFor::kPrint, unsigned depth = 0);

/// The shortest decimal that reads back as the same number: 10, 0.5, 1E+20, NaN.
std::string real_text(double d);

}  // namespace tarry::plang
