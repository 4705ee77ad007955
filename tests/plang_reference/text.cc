#include "tests/support/p_reference/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/assert.h"

namespace tarry::plang::reference {

namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) out.append(i == 0 ? "" : between).append(parts[i]);
  return out;
}

/// The two texts differ in how scalars and collections are written, not in how they are walked.
class Writer {
 public:
  Writer(const NameOfMachine& name, bool canonical) : name_(name), canonical_(canonical) {}

  std::string text(const Value& value) const {
    if (value.is_null()) return canonical_ ? "null" : "";
    if (const bool* v = value.get<bool>()) return canonical_ ? (*v ? "true" : "false") : (*v ? "True" : "False");
    if (const std::int64_t* v = value.get<std::int64_t>()) return std::to_string(*v);
    if (const double* v = value.get<double>()) return float_text(*v) + (canonical_ ? "f" : "");
    if (const std::string* v = value.get<std::string>()) return canonical_ ? quoted(*v) : *v;
    if (const Event* const* v = value.get<const Event*>()) return (*v)->name.text;
    if (const Reference* v = value.get<Reference>()) return name_(v->id);
    if (const Seq* v = value.get<Seq>()) return seq(*v);
    if (const Set* v = value.get<Set>()) return set(*v);
    if (const Map* v = value.get<Map>()) return map(*v);
    if (const Tuple* v = value.get<Tuple>()) return tuple(*v);
    return named_tuple(*value.get<NamedTuple>());
  }

 private:
  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + '"';
  }

  std::string seq(const Seq& seq) const {
    std::vector<std::string> parts;
    for (const Value& item : seq.items) parts.push_back(text(item));
    return canonical_ ? "[" + joined(parts, ", ") + "]" : "(" + joined(parts, ", ") + ")";
  }

  std::string set(const Set& set) const {
    std::vector<std::string> parts;
    for (const std::size_t slot : set.elements.order()) parts.push_back(text(set.elements.at(slot)));
    std::sort(parts.begin(), parts.end());
    if (canonical_) return "{" + joined(parts, ", ") + "}";
    for (std::string& part : parts) part = "<" + part + ">";
    return "(" + joined(parts, ", ") + ")";
  }

  std::string map(const Map& map) const {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::size_t slot : map.keys.order()) pairs.emplace_back(text(map.keys.at(slot)), text(map.values[slot]));
    // By key only: keys of equal text keep the order of their slots.
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> parts;
    for (const auto& [key, item] : pairs) parts.push_back(canonical_ ? key + "->" + item : "<" + key + "->" + item + ">");
    if (!canonical_) return "(" + joined(parts, ", ") + ")";
    return parts.empty() ? "{->}" : "{" + joined(parts, ", ") + "}";
  }

  std::string tuple(const Tuple& tuple) const {
    std::string out = "<";
    for (const Value& field : tuple.fields) out += text(field) + ",";
    return out + ">";
  }

  std::string named_tuple(const NamedTuple& tuple) const {
    std::string out = "<";
    for (std::size_t i = 0; i < tuple.fields.size(); ++i) out += tuple.names[i] + ":" + text(tuple.fields[i]) + ", ";
    return out + ">";
  }

  const NameOfMachine& name_;
  bool canonical_;
};

/// "d.ddde-05" taken apart: its digits without the point, and the power of ten of the first one.
struct Scientific {
  std::string digits;
  int exponent;
};

Scientific scientific(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  const std::string text(buffer, end);
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  std::erase(digits, '.');
  return {digits, std::atoi(text.c_str() + e + 1)};
}

std::string positive_text(double value) {
  auto [digits, exponent] = scientific(value);
  const auto point_at = [&](std::size_t place) {
    return digits.size() > place ? digits.substr(0, place) + "." + digits.substr(place) : digits;
  };
  if (exponent >= 15 || exponent < -4) {
    const std::string size = std::to_string(std::abs(exponent));
    return point_at(1) + (exponent < 0 ? "E-" : "E+") + (size.size() < 2 ? "0" : "") + size;
  }
  if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() < whole) digits.append(whole - digits.size(), '0');
  return point_at(whole);
}

}  // namespace

std::string printed(const Value& value, const NameOfMachine& name) { return Writer(name, false).text(value); }

std::string canonical(const Value& value, const NameOfMachine& name) { return Writer(name, true).text(value); }

std::string float_text(double value) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "Infinity";
  if (value == 0) return sign + "0";
  return sign + positive_text(std::fabs(value));
}

std::string format_text(std::string_view format, const std::vector<std::string>& args) {
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char c = format[i];
    const bool doubled = i + 1 < format.size() && format[i + 1] == c;
    if (c != '{' && c != '}') {
      out += c;
    } else if (doubled) {
      out += c;
      ++i;
    } else {
      const std::size_t close = format.find('}', i);
      TARRY_ASSERT(c == '{' && close != std::string_view::npos);
      const std::size_t number = std::strtoul(std::string(format.substr(i + 1, close - i - 1)).c_str(), nullptr, 10);
      TARRY_ASSERT(number < args.size());
      out += args[number];
      i = close;
    }
  }
  return out;
}

}  // namespace tarry::plang::reference
