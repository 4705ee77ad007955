#include "counts.h"

namespace pipeline {

void Counts::add(const std::vector<WordId>& sentence) {
  ++sentences;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    ++words[sentence[i]];
    if (i > 0) ++pairs[{sentence[i - 1], sentence[i]}];
  }
}

void Counts::merge(const Counts& other) {
  sentences += other.sentences;
  for (const auto& [word, count] : other.words) words[word] += count;
  for (const auto& [pair, count] : other.pairs) pairs[pair] += count;
}

void SharedCounts::merge(const Counts& counts) {
  std::lock_guard hold(lock_);
  counts_.merge(counts);
}

Counts SharedCounts::take() {
  std::lock_guard hold(lock_);
  return std::exchange(counts_, Counts());
}

}  // namespace pipeline
