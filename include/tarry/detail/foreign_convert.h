// Conversions between C++ types and P types.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tarry/detail/foreign_value.h>

namespace tarry::p {

template <class T>
T from_value(const Value& v) {
  return Convert<T>::from(v);
}

/// Accepts any C++ value that has a P type.
template <class T>
Value value(const T& x) {
  return Convert<T>::to(x);
}
inline Value value(const char* text) { return Value::string(text); }

/// Accepts a struct that is a foreign type of the program: it can be saved to bytes and loaded from them.
template <class T>
concept ForeignType = requires(const T& t, std::string_view bytes) {
  { T::p_type } -> std::convertible_to<std::string_view>;
  { t.save() } -> std::convertible_to<std::string>;
  { T::load(bytes) } -> std::convertible_to<T>;
};
template <class T>
concept ShowsItself = requires(const T& t) {
  { t.text() } -> std::convertible_to<std::string>;
};
/// Accepts a struct with TARRY_NAMED_TUPLE.
template <class T>
concept NamedTuple = requires(T& t) {
  T::tarry_field_names();
  t.tarry_fields_tied();
};

namespace detail {

template <class T>
inline constexpr bool kNever = false;

/// Splits "a, b", as the macro writes it, into names.
inline std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view name = text.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    out.emplace_back(name);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return out;
}

template <class T>
void remember_type();  // foreign.h

}  // namespace detail

template <class T>
struct Convert {
  static_assert(detail::kNever<T>,
                "no P type belongs to this C++ type: use bool, a whole number, double, std::string, std::vector, std::set, std::map, std::pair, std::tuple, "
                "std::optional, an enum, tarry::p::Event, tarry::p::Machine, tarry::p::Value, a struct with TARRY_NAMED_TUPLE, or a foreign type with "
                "p_type, save() and load()");
};

template <>
struct Convert<Value> {
  static Value from(const Value& v) { return v; }
  static Value to(const Value& v) { return v; }
};
template <>
struct Convert<bool> {
  static bool from(const Value& v) { return v.as_bool(); }
  static Value to(bool b) { return Value::boolean(b); }
};
template <class T>
  requires std::integral<T> && (!std::same_as<T, bool>)
struct Convert<T> {
  static T from(const Value& v) {
    const std::int64_t n = v.as_int();
    if (!std::in_range<T>(n)) throw Mismatch(std::to_string(n) + " does not fit into the parameter's C++ type");
    return static_cast<T>(n);
  }
  static Value to(T n) {
    if (!std::in_range<std::int64_t>(n)) throw Mismatch(std::to_string(n) + " does not fit into an int of P, which has 64 bits");
    return Value::integer(static_cast<std::int64_t>(n));
  }
};
template <class T>
  requires std::floating_point<T>
struct Convert<T> {
  static T from(const Value& v) { return static_cast<T>(v.as_float()); }
  static Value to(T d) { return Value::real(static_cast<double>(d)); }
};
template <class T>
  requires std::is_enum_v<T>
struct Convert<T> {
  using Number = std::underlying_type_t<T>;
  static T from(const Value& v) { return static_cast<T>(Convert<Number>::from(v)); }
  static Value to(T e) { return Convert<Number>::to(static_cast<Number>(e)); }
};
template <>
struct Convert<std::string> {
  static std::string from(const Value& v) { return v.as_string(); }
  static Value to(std::string text) { return Value::string(std::move(text)); }
};
template <>
struct Convert<Event> {
  static Event from(const Value& v) { return {v.event_name()}; }
  static Value to(const Event& e) { return Value::event(e.name); }
};
template <>
struct Convert<Machine> {
  static Machine from(const Value& v) { return Machine(v); }
  static Value to(const Machine& m) { return m.value(); }
};

/// Converts an optional: an absent value is null.
template <class T>
struct Convert<std::optional<T>> {
  static std::optional<T> from(const Value& v) { return v.is_null() ? std::nullopt : std::optional<T>(Convert<T>::from(v)); }
  static Value to(const std::optional<T>& x) { return x ? Convert<T>::to(*x) : Value(); }
};

template <class T>
struct Convert<std::vector<T>> {
  static std::vector<T> from(const Value& v) {
    std::vector<T> out;
    for (const Value& item : v.need(Kind::kSeq).items()) out.push_back(Convert<T>::from(item));
    return out;
  }
  static Value to(const std::vector<T>& x) {
    std::vector<Value> items;
    for (const auto& item : x) items.push_back(Convert<T>::to(item));
    return Value::seq(std::move(items));
  }
};
template <class T>
struct Convert<std::set<T>> {
  static std::set<T> from(const Value& v) {
    std::set<T> out;
    for (const Value& item : v.need(Kind::kSet).items()) out.insert(Convert<T>::from(item));
    return out;
  }
  static Value to(const std::set<T>& x) {
    std::vector<Value> items;
    for (const T& item : x) items.push_back(Convert<T>::to(item));
    return Value::set(std::move(items));
  }
};
template <class K, class V>
struct Convert<std::map<K, V>> {
  static std::map<K, V> from(const Value& v) {
    std::map<K, V> out;
    const auto items = v.need(Kind::kMap).items();
    for (std::size_t i = 0; i < items.size(); i += 2) out.emplace(Convert<K>::from(items[i]), Convert<V>::from(items[i + 1]));
    return out;
  }
  static Value to(const std::map<K, V>& x) {
    std::vector<std::pair<Value, Value>> entries;
    for (const auto& [key, item] : x) entries.emplace_back(Convert<K>::to(key), Convert<V>::to(item));
    return Value::map(std::move(entries));
  }
};

/// Converts a tuple; also a named tuple, by position.
template <class... T>
struct Convert<std::tuple<T...>> {
  static std::tuple<T...> from(const Value& v) {
    if (v.kind() != Kind::kTuple && v.kind() != Kind::kNamedTuple) v.mismatch("a tuple");
    if (v.size() != sizeof...(T))
      throw Mismatch("a tuple of " + std::to_string(sizeof...(T)) + " is expected, but the value has " + std::to_string(v.size()) + " items");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple<T...>{Convert<T>::from(v[I])...};
    }(std::index_sequence_for<T...>{});
  }
  static Value to(const std::tuple<T...>& x) {
    return std::apply([](const T&... item) { return Value::tuple({Convert<T>::to(item)...}); }, x);
  }
};
template <class A, class B>
struct Convert<std::pair<A, B>> {
  static std::pair<A, B> from(const Value& v) {
    auto [a, b] = Convert<std::tuple<A, B>>::from(v);
    return {std::move(a), std::move(b)};
  }
  static Value to(const std::pair<A, B>& x) { return Convert<std::tuple<A, B>>::to(x); }
};

template <NamedTuple T>
struct Convert<T> {
  static T from(const Value& v) {
    T out{};
    const auto names = detail::split_names(T::tarry_field_names());
    std::size_t i = 0;
    std::apply([&](auto&... field) { ((field = v.field(names[i++]).template as<std::remove_cvref_t<decltype(field)>>()), ...); }, out.tarry_fields_tied());
    return out;
  }
  static Value to(const T& x) {
    const auto names = detail::split_names(T::tarry_field_names());
    std::vector<std::pair<std::string, Value>> fields;
    std::apply([&](const auto&... field) { (fields.emplace_back(names[fields.size()], value(field)), ...); }, x.tarry_fields_tied());
    return Value::named_tuple(std::move(fields));
  }
};

template <ForeignType T>
struct Convert<T> {
  static T from(const Value& v) {
    detail::remember_type<T>();
    const std::string wanted(T::p_type);
    if (v.is_null()) throw Mismatch("the value of '" + wanted + "' is null: take a std::optional if that is all right");
    if (v.need(Kind::kForeign).foreign_type() != wanted) throw Mismatch("a '" + wanted + "' is expected, but the value is a '" + v.foreign_type() + "'");
    return T::load(v.foreign_bytes());
  }
  static Value to(const T& x) {
    detail::remember_type<T>();
    return Value::foreign(std::string(T::p_type), x.save());
  }
};

/// Packs any values that have a P type into bytes, for save(). Equal values give equal bytes.
template <class... T>
std::string pack(const T&... values) {
  detail::Writer out;
  (Convert<T>::to(values).write(out), ...);
  return out.take();
}

/// Reads the values back, for load().
template <class... T>
void unpack(std::string_view bytes, T&... values) {
  detail::Reader in(bytes);
  ((values = Convert<T>::from(Value::read(in))), ...);
  if (!in.at_end()) throw Mismatch("there are more bytes than values to unpack");
}

}  // namespace tarry::p
