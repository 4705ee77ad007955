#include "tokenizer.h"

#include <cctype>

namespace pipeline {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// The words of this thread's last line: its memory is used again.
thread_local std::string buffer;

}  // namespace

Sentence tokenize(const Line& line) {
  Sentence sentence;
  sentence.number = line.number;
  buffer.clear();
  for (const char c : line.text) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) throw TextError(line.number, "not a text");
    if (is_letter(c)) {
      buffer += c;
    } else if (!buffer.empty()) {
      sentence.words.push_back(buffer);
      buffer.clear();
    }
  }
  if (!buffer.empty()) sentence.words.push_back(buffer);
  return sentence;
}

}  // namespace pipeline
