// Values of P for the reference interpreter: plain C++ values, every copy a deep one.
//
// Sets and maps keep their elements in slots (4.11 of the language reference): a new element takes the slot that was freed last,
// else a new one at the end; iteration goes by slot. `copy` rebuilds them densely. The interpreter reads every variable through
// `copy`, so that only what is changed in place ever has free slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "plang/sema/types.h"

namespace tarry::plang::reference {

struct Value;
using Values = std::vector<Value>;

struct Null {};

/// A reference to a machine, with the events that may be sent through it.
struct Reference {
  std::uint32_t id;
  const EventSet* permissions;
};

struct Seq {
  Values items;
};

struct Tuple {
  Values fields;
};

struct NamedTuple {
  std::vector<std::string> names;
  Values fields;
};

/// Different values, each in a slot of its own.
class Slots {
 public:
  std::size_t size() const;
  /// The slot of what is equal to `value`.
  std::optional<std::size_t> find(const Value& value) const;
  /// Requires: nothing equal is there. Gives its slot.
  std::size_t insert(Value value);
  void erase(std::size_t slot);
  /// The used slots, as they are iterated over.
  std::vector<std::size_t> order() const;
  const Value& at(std::size_t slot) const;

 private:
  Values items_;
  std::vector<bool> used_;
  std::vector<std::size_t> free_;  // the last one is taken first
};

struct Set {
  Slots elements;
};

struct Map {
  Slots keys;
  Values values;  // by slot of the key
  void insert(Value key, Value value);
};

/// An enum element is an integer; an event is its declaration.
struct Value {
  std::variant<Null, bool, std::int64_t, double, std::string, const Event*, Reference, Seq, Set, Map, Tuple, NamedTuple> is;

  template <class T>
  const T* get() const {
    return std::get_if<T>(&is);
  }
  template <class T>
  T* get() {
    return std::get_if<T>(&is);
  }
  bool is_null() const { return get<Null>() != nullptr; }
};

/// The elements of a seq or set, the keys of a map, in the order of iteration. Nothing for any other value.
std::optional<Values> elements_of(const Value& value);
/// The values of a map, in the same order.
Values values_of(const Map& map);

/// A deep copy, all of whose sets and maps are dense.
Value copy(const Value& value);
bool equal(const Value& a, const Value& b);
Value default_of(const Type& type);

/// The check of `as`: only the outermost kind is looked at, and null passes for everything but scalars.
bool fits(const Value& value, const Type& type);

}  // namespace tarry::plang::reference
