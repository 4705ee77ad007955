#include "report.h"

#include <algorithm>
#include <map>

namespace pipeline {
namespace {

std::vector<Ranked> top(std::vector<Ranked> all, std::size_t how_many) {
  std::sort(all.begin(), all.end(),
            [](const Ranked& a, const Ranked& b) { return a.count != b.count ? a.count > b.count : a.text < b.text; });
  if (all.size() > how_many) all.resize(how_many);
  return all;
}

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace

std::vector<Ranked> top_words(const Counts& counts, const Dictionary& dictionary, std::size_t how_many) {
  std::vector<Ranked> all;
  for (const auto& [word, count] : counts.words) all.push_back({dictionary.word(word), count});
  return top(std::move(all), how_many);
}

std::vector<Ranked> top_pairs(const Counts& counts, const Dictionary& dictionary, std::size_t how_many) {
  std::vector<Ranked> all;
  for (const auto& [pair, count] : counts.pairs)
    all.push_back({dictionary.word(pair.first) + " " + dictionary.word(pair.second), count});
  return top(std::move(all), how_many);
}

std::uint64_t digest(const Counts& counts, const Dictionary& dictionary) {
  std::uint64_t sum = counts.sentences;
  for (const auto& [word, count] : counts.words) sum += hash_of(dictionary.word(word)) * count;
  for (const auto& [pair, count] : counts.pairs)
    sum += (hash_of(dictionary.word(pair.first)) ^ hash_of(dictionary.word(pair.second)) * 31) * count;
  return sum;
}

}  // namespace pipeline
