// Texts of values: as printed (table "Text form of values" of 4.11), and as used to compare global states.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/p_reference/values.h"

namespace tarry::plang::reference {

using NameOfMachine = std::function<std::string(std::uint32_t id)>;

/// As `print` and `format` show it. Sets and maps are sorted by the text of their elements or keys.
std::string printed(const Value& value, const NameOfMachine& name);

/// Different for different values, equal for equal ones (but for int and enum, which are one kind):
///   null  true  -7  2.5f  "a\"b"  eName  @0.1 (a machine)  [1, 2]  {1, 2}  {->} {1->2, 3->4}  <1,2,>  <x:1, y:2, >
/// Floats are as printed, with an f behind; strings have " and \ escaped by \; the elements of sets and the pairs of maps are
/// sorted by their own texts, byte by byte; an empty set is {}, an empty map {->}.
std::string canonical(const Value& value, const NameOfMachine& name);

/// Shortest decimal that reads back the same. From 1E+15 on and below 0.0001 it has an exponent of at least two digits, as in
/// .NET: 10  0.1  -0  1E+15  1.5E-05  Infinity  -Infinity  NaN
std::string float_text(double value);

/// Replaces {n} by args[n], and {{ and }} by one brace. Requires: a well-formed format string with enough arguments.
std::string format_text(std::string_view format, const std::vector<std::string>& args);

}  // namespace tarry::plang::reference
