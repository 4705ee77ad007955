#include "base/units.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace tarry {
namespace {

/// Splits "1.5G" into 1.5 and "G".
std::optional<std::pair<double, std::string_view>> number_and_unit(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || number < 0 || !std::isfinite(number)) return std::nullopt;
  return std::pair{number, text.substr(static_cast<std::size_t>(end - text.data()))};
}

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto parts = number_and_unit(text);
  if (!parts) return std::nullopt;
  const auto& [number, unit] = *parts;
  double scale = 0;
  if (unit == "ms") scale = 1;
  else if (unit == "s" || unit.empty()) scale = 1000;
  else if (unit == "m" || unit == "min") scale = 60'000;
  else if (unit == "h") scale = 3'600'000;
  else if (unit == "d") scale = 86'400'000;
  else return std::nullopt;
  const double total = number * scale;
  if (total > 1e15) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::llround(total)));
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  const auto parts = number_and_unit(text);
  if (!parts) return std::nullopt;
  auto [number, unit] = *parts;
  if (unit.ends_with("iB")) unit.remove_suffix(2);
  else if (unit.ends_with("B")) unit.remove_suffix(1);
  double scale = 0;
  if (unit.empty()) scale = 1;
  else if (unit == "K" || unit == "k") scale = 1024;
  else if (unit == "M" || unit == "m") scale = 1024.0 * 1024;
  else if (unit == "G" || unit == "g") scale = 1024.0 * 1024 * 1024;
  else if (unit == "T" || unit == "t") scale = 1024.0 * 1024 * 1024 * 1024;
  else return std::nullopt;
  const double total = number * scale;
  if (total > 1e18) return std::nullopt;
  return static_cast<std::uint64_t>(total);
}

std::string with_separators(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string size_text(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  int unit = 0;
  while (amount >= 1024 && unit < 4) amount /= 1024, ++unit;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds);
  return whole < 7200 ? fmt::format("{} min {} s", whole / 60, whole % 60) : fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace tarry
