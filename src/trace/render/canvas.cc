#include "trace/render/canvas.h"

#include <algorithm>

#include "trace/render/plain_text.h"

namespace tarry {
namespace {

/// The text, character by character.
std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0u) == 0x80u && !out.empty()) out.back() += c;
    else out.emplace_back(1, c);
  }
  return out;
}

}  // namespace

Pen::Pen(bool ascii) {
  line = ascii ? "|" : "│";
  begin = ascii ? "+" : "┬";
  from_left = ascii ? "+" : "├";
  from_right = ascii ? "+" : "┤";
  dash = ascii ? "-" : "─";
  dots = ascii ? "." : "┄";
  cross = ascii ? "-" : "┼";
  right = ascii ? ">" : "▶";
  left = ascii ? "<" : "◀";
  take = ascii ? "o" : "●";
  end = ascii ? "x" : "╳";
  lost = ascii ? "x" : "╳";
  self = ascii ? "-<" : "─↩";
  failed = ascii ? "X" : "✗";
  more = ascii ? "..." : "…";
  arrow = ascii ? "->" : "→";
}

std::string cut_to(std::string_view text, std::size_t most, const char* more) {
  if (columns(text) <= most) return std::string(text);
  const std::size_t room = most - std::min(most, columns(more));
  std::size_t end = 0, used = 0;
  for (; end < text.size(); ++end)
    if ((static_cast<unsigned char>(text[end]) & 0xc0u) != 0x80u && used++ == room) break;
  return std::string(text.substr(0, end)) + (most >= columns(more) ? more : "");
}

std::size_t Canvas::text(std::size_t x, std::string_view words, bool* whole) {
  const std::size_t room = x < cells_.size() ? cells_.size() - x : 0;
  if (whole != nullptr) *whole = columns(words) <= room;
  for (const std::string& c : characters(cut_to(words, room, pen_.more))) put(x++, c);
  return x;
}

bool Canvas::arrow(std::size_t from, std::size_t to, const std::string& label, const char* dash, const char* head_right,
                   const char* head_left) {
  const bool rightwards = from < to;
  const std::size_t first = rightwards ? from + 1 : to + 2, last = rightwards ? to - 2 : from - 1;  // of the dashes
  for (std::size_t x = first; x <= last; ++x)
    if (at(x) != pen_.line) put(x, dash);
    else if (dash == pen_.dash) put(x, pen_.cross);
  put(from, rightwards ? pen_.from_left : pen_.from_right);
  put(rightwards ? to - 1 : to + 1, rightwards ? head_right : head_left);
  const std::size_t room = last + 1 - first, needs = columns(label);
  const std::string shown = cut_to(label, room, pen_.more);
  std::size_t x = first + (room - columns(shown)) / 2;
  for (const std::string& c : characters(shown)) put(x++, c);
  return needs <= room;
}

std::string Canvas::str() const {
  std::string out;
  for (const std::string& cell : cells_) out += cell;
  return out;
}

}  // namespace tarry
