// A text to work on: made up, the same for the same size.
#pragma once

#include <cstdint>
#include <string>

namespace pipeline {

/// Numbers that look like chance.
class Sequence {
 public:
  explicit Sequence(std::uint64_t seed) : state_(seed) {}
  std::uint32_t next(std::uint32_t below);

 private:
  std::uint64_t state_;
};

/// Lines of words, some with errors that later stages complain about.
class Source {
 public:
  explicit Source(int lines) : lines_(lines), sequence_(12345) {}

  /// False: that was all.
  bool next(std::string& line);

 private:
  std::string word();

  int lines_, made_ = 0;
  Sequence sequence_;
};

}  // namespace pipeline
