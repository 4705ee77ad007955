// Options of the command line, as data: those that were given, and those that are declared.
//
// The command line and every front end declare their options here, each with its name, help and setter. The parser only collects what
// was given; setters run afterwards, when it is known which front end the target belongs to. A trace stores what was given in the same
// form, so a replay runs the same setters.
#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"

namespace tarry {

/// An option that was given, with its values as the user wrote them. A flag has none.
struct GivenOption {
  std::string name;  // "--search"
  std::vector<std::string> values = {};
  friend bool operator==(const GivenOption&, const GivenOption&) = default;
};

/// The options of one command line, each name once.
class GivenOptions {
 public:
  GivenOptions() = default;
  GivenOptions(std::initializer_list<GivenOption> list) : list_(list) {}

  bool has(std::string_view name) const { return find(name) != nullptr; }
  const GivenOption* find(std::string_view name) const;
  /// Returns the last value of the option, or nothing if it was not given or is a flag.
  std::optional<std::string> value(std::string_view name) const;
  /// Replaces the option if it is there.
  void set(const std::string& name, std::vector<std::string> values);

  bool empty() const { return list_.empty(); }
  const std::vector<GivenOption>& all() const { return list_; }
  friend bool operator==(const GivenOptions&, const GivenOptions&) = default;

 private:
  std::vector<GivenOption> list_;
};

/// Takes a value. Returns what was expected instead, or nothing if the value is right.
using Take = std::function<std::optional<std::string>(const std::string& text)>;

/// An option that is declared.
struct Option {
  enum class Kind {
    kFlag,         // --spurious
    kFlagOrValue,  // --fair-scheduling, --fair-scheduling=3
    kValue,        // --seed 3; the last one counts
    kList,         // -I a -I b
  };
  std::string names;        // "-s,--samples"; the last one is its name
  Kind kind = Kind::kValue;
  std::string value = {};   // what stands for the value in the help: "N"
  std::string help = {};
  std::string group = {};   // the title in the help under which it stands
  Take take = {};           // a flag gets "true" or "false"
  bool is_path = false;     // a trace stores its values as absolute paths

  std::string name() const { return names.substr(names.rfind(',') + 1); }
};
using Options = std::vector<Option>;

/// Runs the setters of the options that were given, in the order of declaration. Returns what is wrong with the first value that is not taken.
std::optional<Diagnostic> take_given(const Options& options, const GivenOptions& given);

// Setters.
Take set_true(bool& out);
Take set_text(std::string& out);
Take one_of(std::vector<std::string> names, std::function<void(std::size_t)> chosen);

template <class T>
Take number(T& out, T min, T max) {
  return [&out, min, max](const std::string& text) -> std::optional<std::string> {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < min || value > max)
      return fmt::format("a number from {} to {}", min, max);
    out = value;
    return std::nullopt;
  };
}

template <class T>
Take number(std::optional<T>& out, T min, T max) {
  return [&out, min, max](const std::string& text) -> std::optional<std::string> {
    T value{};
    if (auto expected = number(value, min, max)(text)) return expected;
    out = value;
    return std::nullopt;
  };
}

}  // namespace tarry
