// Durations and sizes in the user's notation: 30s, 2m, 500ms; 4G, 512M, 100000.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tarry {

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);
std::optional<std::uint64_t> parse_size(std::string_view text);

std::string with_separators(std::uint64_t number);     // 1,234,567
std::string size_text(std::uint64_t bytes);            // 1.2 GiB
std::string seconds_text(double seconds);              // 0.12 s, 2 min 5 s

}  // namespace tarry
