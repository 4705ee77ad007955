// One line of a chart, drawn cell by cell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tarry {

/// What a chart is drawn with.
struct Pen {
  explicit Pen(bool ascii);
  const char *line, *begin, *from_left, *from_right, *dash, *dots, *cross, *right, *left, *take, *end, *lost, *self, *failed,
      *more, *arrow;
};

class Canvas {
 public:
  Canvas(std::size_t width, const Pen& pen) : pen_(pen), cells_(width, " ") {}

  void put(std::size_t x, const std::string& glyph) {
    if (x < cells_.size()) cells_[x] = glyph;
  }
  const std::string& at(std::size_t x) const { return cells_[x]; }
  /// From x on, cut off at the end. Returns the first free cell behind it; `whole` says whether it fitted.
  std::size_t text(std::size_t x, std::string_view words, bool* whole = nullptr);
  /// From one lifeline to another, with a label; false if the label had to be cut. Lifelines on the way are crossed.
  bool arrow(std::size_t from, std::size_t to, const std::string& label, const char* dash, const char* head_right,
             const char* head_left);
  std::string str() const;
  std::size_t width() const { return cells_.size(); }

 private:
  const Pen& pen_;
  std::vector<std::string> cells_;
};

/// The text with at most so many columns, cut off with `more`.
std::string cut_to(std::string_view text, std::size_t columns, const char* more);

}  // namespace tarry
