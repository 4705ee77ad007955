#include "source.h"

#include <array>

namespace pipeline {

std::uint32_t Sequence::next(std::uint32_t below) {
  state_ = state_ * 6364136223846793005u + 1442695040888963407u;
  return static_cast<std::uint32_t>(state_ >> 33) % below;
}

std::string Source::word() {
  static constexpr std::array<const char*, 16> kStems = {"thread", "lock", "queue", "wait", "signal", "fence", "store", "load",
                                                         "race",   "fair", "yield", "spin", "future", "latch", "retry", "switch"};
  static constexpr std::array<const char*, 6> kEndings = {"", "", "s", "ed", "ing", "er"};
  std::string word = kStems[sequence_.next(kStems.size())];
  word += kEndings[sequence_.next(kEndings.size())];
  if (sequence_.next(6) == 0) word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

bool Source::next(std::string& line) {
  line.clear();
  if (made_ == lines_) return false;
  ++made_;
  if (made_ % 7 == 0) {  // not text
    line = "\x01 damaged";
    return true;
  }
  const std::uint32_t words = 3 + sequence_.next(5);
  for (std::uint32_t i = 0; i < words; ++i) {
    if (i > 0) line += sequence_.next(8) == 0 ? ", " : " ";
    line += word();
  }
  line += '.';
  return true;
}

}  // namespace pipeline
