// --ltl: formulas of temporal logic that a program must satisfy. For front ends whose programs can be asked for such properties.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/option.h"
#include "core/usage.h"

namespace tarry {

struct TemporalFormula {
  std::string text;          // all formulas joined by &&; empty: none
  std::uint32_t joined = 0;  // so many were given
  bool is_blank = false;     // one of them holds nothing

  Option option(const std::string& help, const std::string& group) {
    return {.names = "--ltl", .kind = Option::Kind::kList, .value = "FORMULA", .help = help, .group = group, .take = [this](const std::string& one) -> std::optional<std::string> {
              is_blank |= one.find_first_not_of(" \t\n") == std::string::npos;
              ++joined;
              text = text.empty() ? one : fmt::format("({}) && ({})", text, one);
              return std::nullopt;
            }};
  }
  std::optional<Diagnostic> wrong() const {
    return is_blank ? std::optional(usage_error("--ltl is not right: expected a formula, found nothing")) : std::nullopt;
  }
  /// Returns what a verdict says about several formulas.
  std::vector<std::string> notes() const {
    if (joined < 2) return {};
    return {fmt::format("the {} formulas of --ltl were joined by &&: one verdict is about all of them", joined)};
  }
};

}  // namespace tarry
