// A value of any type of a P program, as foreign functions see it: a tree.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tarry/detail/foreign_wire.h>

namespace tarry::p {

using Kind = abi::ForeignKind;

/// Returns the kind as text: "an int", "a named tuple".
inline const char* text_of(Kind kind) {
  static constexpr const char* kTexts[] = {"null",  "a bool", "an int", "a float", "a string",      "an event",       "a machine",
                                           "a seq", "a set",  "a map",  "a tuple", "a named tuple", "a foreign value"};
  return kTexts[static_cast<std::size_t>(kind)];
}

template <class T>
struct Convert;  // foreign_convert.h

class Value {
 public:
  Value() = default;  ///< null

  // Construction. `tarry::p::value(x)` makes a Value from any C++ value that has a P type.
  static Value boolean(bool b) { return scalar(Kind::kBool, b ? 1 : 0); }
  static Value integer(std::int64_t n) { return scalar(Kind::kInt, n); }
  static Value real(double d) { return scalar(Kind::kFloat, std::bit_cast<std::int64_t>(d)); }
  static Value string(std::string text) { return lettered(Kind::kString, std::move(text)); }
  /// Makes an event from its name in the program.
  static Value event(std::string name) { return lettered(Kind::kEvent, std::move(name)); }
  static Value seq(std::vector<Value> items) { return listed(Kind::kSeq, std::move(items)); }
  static Value tuple(std::vector<Value> items) { return listed(Kind::kTuple, std::move(items)); }
  /// Makes a set. Equal elements count once.
  static Value set(std::vector<Value> elements) {
    Value v = listed(Kind::kSet, std::move(elements));
    v.sort();
    return v;
  }
  /// Makes a map. Of entries with equal keys, the first one counts.
  static Value map(std::vector<std::pair<Value, Value>> entries) {
    Value v = listed(Kind::kMap, {});
    for (auto& [key, value] : entries) {
      v.items_.push_back(std::move(key));
      v.items_.push_back(std::move(value));
    }
    v.sort();
    return v;
  }
  static Value named_tuple(std::vector<std::pair<std::string, Value>> fields) {
    Value v = listed(Kind::kNamedTuple, {});
    for (auto& [name, value] : fields) {
      v.names_.push_back(std::move(name));
      v.items_.push_back(std::move(value));
    }
    return v;
  }
  static Value foreign(std::string type, std::string bytes) {
    Value v = lettered(Kind::kForeign, std::move(bytes));
    v.names_.push_back(std::move(type));
    return v;
  }

  // Access. A value of another kind throws a Mismatch, which ends the step as a runtime error.
  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool as_bool() const { return need(Kind::kBool).number_ != 0; }
  std::int64_t as_int() const { return need(Kind::kInt).number_; }
  double as_float() const { return std::bit_cast<double>(need(Kind::kFloat).number_); }
  const std::string& as_string() const { return need(Kind::kString).text_; }
  const std::string& event_name() const { return need(Kind::kEvent).text_; }
  /// Returns the elements of a seq, a tuple or a named tuple in their order; of a set in ascending order; of a map as key, value,
  /// key, value, ascending by key.
  std::span<const Value> items() const {
    if (!has_items()) mismatch("a collection or a tuple");
    return items_;
  }
  /// Returns the number of elements, entries or items.
  std::size_t size() const { return items().size() / (kind_ == Kind::kMap ? 2 : 1); }
  const Value& operator[](std::size_t n) const {
    if (n >= items().size()) throw Mismatch("item " + std::to_string(n) + " is asked for, but there are " + std::to_string(items_.size()));
    return items_[n];
  }
  /// Returns a field of a named tuple.
  const Value& field(std::string_view name) const {
    need(Kind::kNamedTuple);
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) throw Mismatch("the named tuple has no field '" + std::string(name) + "'");
    return items_[static_cast<std::size_t>(at - names_.begin())];
  }
  std::span<const std::string> field_names() const { return need(Kind::kNamedTuple).names_; }
  /// Returns the value for a key of a map, or nullptr if the key is missing.
  const Value* find(const Value& key) const {
    for (std::size_t i = 0; i < need(Kind::kMap).items_.size(); i += 2)
      if (items_[i] == key) return &items_[i + 1];
    return nullptr;
  }
  bool contains(const Value& element) const {
    if (kind_ == Kind::kMap) return find(element) != nullptr;
    return std::find(items().begin(), items().end(), element) != items().end();
  }
  const std::string& foreign_type() const { return need(Kind::kForeign).names_[0]; }
  const std::string& foreign_bytes() const { return need(Kind::kForeign).text_; }
  /// Converts to a C++ type: v.as<std::vector<std::int64_t>>().
  template <class T>
  T as() const {
    return Convert<T>::from(*this);
  }

  /// Equality is that of P. The order is total and the same in every run; machines compare by identity.
  friend bool operator==(const Value& a, const Value& b) { return compare(a, b) == 0; }
  friend std::strong_ordering operator<=>(const Value& a, const Value& b) { return compare(a, b); }

  [[noreturn]] void mismatch(const char* expected) const {
    throw Mismatch(std::string(expected) + " is expected, but the value is " + text_of(kind_));
  }
  const Value& need(Kind kind) const {
    if (kind_ != kind) mismatch(text_of(kind));
    return *this;
  }

  void write(detail::Writer& to) const;
  static Value read(detail::Reader& from);

 private:
  static Value scalar(Kind kind, std::int64_t number) {
    Value v;
    v.kind_ = kind;
    v.number_ = number;
    return v;
  }
  static Value lettered(Kind kind, std::string text) {
    Value v = scalar(kind, 0);
    v.text_ = std::move(text);
    return v;
  }
  static Value listed(Kind kind, std::vector<Value> items) {
    Value v = scalar(kind, 0);
    v.items_ = std::move(items);
    return v;
  }
  bool has_items() const { return kind_ >= Kind::kSeq && kind_ <= Kind::kNamedTuple; }

  static std::strong_ordering compare(const Value& a, const Value& b) {
    if (a.kind_ != b.kind_) return a.kind_ <=> b.kind_;
    if (a.kind_ == Kind::kFloat) return compare_reals(a.as_float(), b.as_float());
    if (a.kind_ != Kind::kMachine && a.number_ != b.number_) return a.number_ <=> b.number_;
    if (const auto c = a.text_.compare(b.text_); c != 0) return c <=> 0;
    if (a.names_ != b.names_) return a.names_ < b.names_ ? std::strong_ordering::less : std::strong_ordering::greater;
    for (std::size_t i = 0; i < std::min(a.items_.size(), b.items_.size()); ++i)
      if (const auto c = compare(a.items_[i], b.items_[i]); c != 0) return c;
    return a.items_.size() <=> b.items_.size();
  }
  /// Orders numbers before NaN.
  static std::strong_ordering compare_reals(double a, double b) {
    if (a < b) return std::strong_ordering::less;
    if (a > b) return std::strong_ordering::greater;
    return static_cast<int>(a != a) <=> static_cast<int>(b != b);
  }
  /// Sorts sets and maps, so a function does not see in which order they were built.
  void sort() {
    const std::size_t step = kind_ == Kind::kMap ? 2 : 1;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < items_.size(); i += step) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return items_[a] < items_[b]; });
    order.erase(std::unique(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return items_[a] == items_[b]; }), order.end());
    std::vector<Value> sorted;
    for (const std::size_t i : order)
      for (std::size_t part = 0; part < step; ++part) sorted.push_back(std::move(items_[i + part]));
    items_ = std::move(sorted);
  }

  Kind kind_ = Kind::kNull;
  std::int64_t number_ = 0;         // bool, int, bits of a float; machine: the events it may receive
  std::string text_;                // string, name of an event, identity of a machine, bytes of a foreign value
  std::vector<std::string> names_;  // names of a named tuple; the type of a foreign value
  std::vector<Value> items_;
};

inline void Value::write(detail::Writer& to) const {
  to.kind(kind_);
  switch (kind_) {
    case Kind::kNull: return;
    case Kind::kBool: return to.byte(static_cast<std::uint8_t>(number_));
    case Kind::kInt:
    case Kind::kFloat: return to.wide(static_cast<std::uint64_t>(number_));
    case Kind::kString:
    case Kind::kEvent: return to.text(text_);
    case Kind::kMachine:
      to.number(static_cast<std::uint32_t>(number_));
      to.size(text_.size() / 8);
      return to.raw(text_);
    case Kind::kForeign:
      to.text(names_[0]);
      return to.text(text_);
    default: break;
  }
  to.size(size());
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (kind_ == Kind::kNamedTuple) to.text(names_[i]);
    items_[i].write(to);
  }
}

inline Value Value::read(detail::Reader& from) {
  Value v = scalar(from.kind(), 0);
  switch (v.kind_) {
    case Kind::kNull: return v;
    case Kind::kBool: v.number_ = from.byte() != 0 ? 1 : 0; return v;
    case Kind::kInt:
    case Kind::kFloat: v.number_ = static_cast<std::int64_t>(from.wide()); return v;
    case Kind::kString:
    case Kind::kEvent: v.text_ = from.text(); return v;
    case Kind::kMachine:
      v.number_ = from.number();
      v.text_ = from.raw(std::size_t{8} * from.number());
      return v;
    case Kind::kForeign:
      v.names_.emplace_back(from.text());
      v.text_ = from.text();
      return v;
    default: break;
  }
  const std::size_t count = std::size_t{from.number()} * (v.kind_ == Kind::kMap ? 2 : 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (v.kind_ == Kind::kNamedTuple) v.names_.emplace_back(from.text());
    v.items_.push_back(read(from));
  }
  if (v.kind_ == Kind::kSet || v.kind_ == Kind::kMap) v.sort();
  return v;
}

/// A reference to a machine. A function can keep, compare and return it. It is the same machine in every execution.
class Machine {
 public:
  Machine() = default;  ///< null
  explicit Machine(const Value& v) : value_(v.need(Kind::kMachine)) {}
  const Value& value() const { return value_; }
  friend bool operator==(const Machine&, const Machine&) = default;
  friend auto operator<=>(const Machine&, const Machine&) = default;

 private:
  Value value_;
};

struct Event {
  std::string name;
  friend bool operator==(const Event&, const Event&) = default;
  friend auto operator<=>(const Event&, const Event&) = default;
};

}  // namespace tarry::p
