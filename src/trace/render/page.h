// What the renderers of traces write on: lines of text, with colours if they are wanted.
#pragma once

#include <fmt/format.h>

#include <string>

namespace tarry {

class Page {
 public:
  explicit Page(bool color) : color_(color) {}

  static constexpr const char* kRed = "1;31";
  static constexpr const char* kYellow = "33";
  static constexpr const char* kBold = "1";
  static constexpr const char* kDim = "2";

  std::string paint(const char* how, const std::string& text) const {
    return color_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", how, text) : text;
  }

  /// Takes off the spaces at the end: they make diffs ugly.
  void line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    out_ += text + "\n";
  }

  std::string take() { return std::move(out_); }

 private:
  bool color_;
  std::string out_;
};

}  // namespace tarry
