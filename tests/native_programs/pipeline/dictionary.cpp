#include "dictionary.h"

#include <mutex>

namespace pipeline {

WordId Dictionary::id(const std::string& word) {
  {
    std::shared_lock hold(lock_);
    if (const auto found = ids_.find(word); found != ids_.end()) return found->second;
  }
  std::unique_lock hold(lock_);
  const auto [entry, is_new] = ids_.emplace(word, static_cast<WordId>(words_.size()));
  if (is_new) words_.push_back(word);
  return entry->second;
}

std::string Dictionary::word(WordId id) const {
  std::shared_lock hold(lock_);
  return words_.at(id);
}

std::size_t Dictionary::size() const {
  std::shared_lock hold(lock_);
  return words_.size();
}

}  // namespace pipeline
