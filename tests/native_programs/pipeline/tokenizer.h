// Lines into words.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pipeline {

/// A line that is not text.
class TextError : public std::runtime_error {
 public:
  TextError(int line, const std::string& what) : std::runtime_error("line " + std::to_string(line) + ": " + what), line_(line) {}
  int line() const { return line_; }

 private:
  int line_;
};

struct Line {
  int number = 0;
  std::string text;
};

struct Sentence {
  int number = 0;  // of its line
  std::vector<std::string> words;
};

/// Throws TextError.
Sentence tokenize(const Line& line);

}  // namespace pipeline
