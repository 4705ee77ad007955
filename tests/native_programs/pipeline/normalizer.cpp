#include "normalizer.h"

#include <array>
#include <cctype>
#include <string_view>

namespace pipeline {
namespace {

bool ends_with(const std::string& word, std::string_view ending) {
  return word.size() > ending.size() + 2 && word.compare(word.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

std::string stem(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static constexpr std::array<std::string_view, 4> kEndings = {"ing", "ed", "er", "s"};
  for (const std::string_view ending : kEndings) {
    if (!ends_with(word, ending)) continue;
    word.resize(word.size() - ending.size());
    break;
  }
  return word;
}

void normalize(Sentence& sentence) {
  for (std::string& word : sentence.words) word = stem(std::move(word));
}

}  // namespace pipeline
