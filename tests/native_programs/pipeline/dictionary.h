// Words and their numbers. Found under a shared lock, entered under an exclusive one. Which number a word gets depends on who
// comes first; so nothing that is printed shows numbers.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace pipeline {

using WordId = std::uint32_t;

class Dictionary {
 public:
  /// The word's number; it gets one if it has none.
  WordId id(const std::string& word);

  std::string word(WordId id) const;
  std::size_t size() const;

 private:
  mutable std::shared_mutex lock_;  // guards all that follows
  std::unordered_map<std::string, WordId> ids_;
  std::vector<std::string> words_;
};

}  // namespace pipeline
