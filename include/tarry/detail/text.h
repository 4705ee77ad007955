// Text for people: labels, messages and values of fields. Never part of the fast path.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <tarry/detail/pack.h>

namespace tarry::detail {

template <class Type>
std::string to_text(const Type& value);

struct FieldsText {
  std::string& out;
  template <class Type>
  void operator()(std::string_view name, const Type& value) const {
    if (out.size() > 1) out += ", ";
    out += name;
    out += '=';
    out += to_text(value);
  }
};

template <class Range>
std::string range_text(const Range& range, std::size_t size) {
  std::string out = "[";
  for (std::size_t i = 0; i < size; ++i) {
    if (i != 0) out += ' ';
    out += to_text(range[i]);
  }
  return out + "]";
}

template <class Type>
std::string to_text(const Type& value) {
  if constexpr (std::is_same_v<Type, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_convertible_v<Type, std::string_view>) {
    return std::string(std::string_view(value));
  } else if constexpr (std::is_enum_v<Type>) {
    if constexpr (requires { std::string(to_string(value)); }) {
      return std::string(to_string(value));
    } else {
      return std::to_string(static_cast<std::int64_t>(value));
    }
  } else if constexpr (std::is_integral_v<Type>) {
    return std::to_string(value);
  } else if constexpr (std::is_floating_point_v<Type>) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", static_cast<double>(value));
    return text;
  } else if constexpr (std::is_array_v<Type>) {
    return range_text(value, std::extent_v<Type>);
  } else if constexpr (requires { std::tuple_size<Type>::value; value[0]; }) {
    return range_text(value, std::tuple_size<Type>::value);
  } else if constexpr (requires { value.size(); value[0]; value.empty(); }) {
    return range_text(value, value.size());
  } else if constexpr (Ranged<Type>) {
    return std::to_string(static_cast<std::uint32_t>(value));
  } else if constexpr (HasFields<Type>) {
    std::string out = "{";
    value.tarry_fields(FieldsText{out});
    return out + "}";
  } else {
    return "?";
  }
}

/// Replaces each "{}" of the pattern by the next argument.
template <class... Args>
std::string format(std::string_view pattern, const Args&... args) {
  const std::string values[] = {to_text(args)..., std::string()};
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '{' && i + 1 < pattern.size() && pattern[i + 1] == '}' && used < sizeof...(Args)) {
      out += values[used++];
      ++i;
    } else {
      out += pattern[i];
    }
  }
  return out;
}

}  // namespace tarry::detail
