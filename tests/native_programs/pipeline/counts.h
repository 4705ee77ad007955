// How often words, and pairs of words, were seen.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "dictionary.h"

namespace pipeline {

struct Counts {
  std::map<WordId, std::uint64_t> words;
  std::map<std::pair<WordId, WordId>, std::uint64_t> pairs;
  std::uint64_t sentences = 0;

  void add(const std::vector<WordId>& sentence);
  void merge(const Counts& other);
};

/// A place where threads put together what they have counted.
class SharedCounts {
 public:
  void merge(const Counts& counts);
  Counts take();

 private:
  std::mutex lock_;  // guards counts_
  Counts counts_;
};

}  // namespace pipeline
