#include "plang/syntax/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"

namespace tarry::plang {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::vector<std::uint32_t> starts_of_lines(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1))
    starts.push_back(static_cast<std::uint32_t>(end + 1));
  return starts;
}

}  // namespace

std::uint32_t Sources::add(std::string name, std::string text, bool included) {
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  TARRY_ASSERT(text.size() < UINT32_MAX);
  std::vector<std::uint32_t> starts = starts_of_lines(text);
  files_.push_back({std::move(name), std::move(text), included, std::move(starts)});
  return size() - 1;
}

LineColumn Sources::line_column(Place place) const {
  const std::vector<std::uint32_t>& starts = file(place.file).line_starts;
  const auto after = std::upper_bound(starts.begin(), starts.end(), place.offset);  // never begin(), which holds 0
  return {static_cast<std::uint32_t>(after - starts.begin()), place.offset - *(after - 1) + 1};
}

std::string Sources::text(Place place) const {
  const auto [line, column] = line_column(place);
  return fmt::format("{}:{}:{}", file(place.file).name, line, column);
}

std::string_view Sources::line(Place place) const {
  const File& in = file(place.file);
  const std::uint32_t number = line_column(place).line;
  const std::uint32_t start = in.line_starts[number - 1];
  std::string_view rest = std::string_view(in.text).substr(start);
  if (number < in.line_starts.size()) rest = rest.substr(0, in.line_starts[number] - start - 1);
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

}  // namespace tarry::plang
