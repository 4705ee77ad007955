// In which lines a word occurs. Filled by several threads; the first question sorts it, once, and from then on it does not
// change.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tokenizer.h"

namespace pipeline {

class SearchIndex {
 public:
  /// Any thread, before the first question.
  void add(const Sentence& sentence);

  /// Any thread. The lines, in order.
  const std::vector<int>& lines_with(const std::string& word);

  /// The lines that have all of the words.
  std::vector<int> lines_with_all(const std::vector<std::string>& words);

 private:
  void sort();

  std::mutex lock_;  // guards lines_ until it is sorted
  std::map<std::string, std::vector<int>> lines_;
  std::once_flag sorted_;
};

/// Fills an index with `threads` threads, which share the sentences, and returns when all of it is there.
void fill_index(SearchIndex& index, const std::vector<Sentence>& sentences, int threads);

/// Asks in a thread of its own; what a question throws comes out here.
std::vector<int> ask_index(SearchIndex& index, const std::vector<std::string>& words);

}  // namespace pipeline
