#include "search_index.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <latch>
#include <stdexcept>
#include <thread>

namespace pipeline {

void SearchIndex::add(const Sentence& sentence) {
  std::lock_guard hold(lock_);
  for (const std::string& word : sentence.words) lines_[word].push_back(sentence.number);
}

void SearchIndex::sort() {
  std::lock_guard hold(lock_);
  for (auto& [word, lines] : lines_) {
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  }
}

const std::vector<int>& SearchIndex::lines_with(const std::string& word) {
  static const std::vector<int> none;
  std::call_once(sorted_, [this] { sort(); });
  const auto found = lines_.find(word);
  return found == lines_.end() ? none : found->second;
}

std::vector<int> SearchIndex::lines_with_all(const std::vector<std::string>& words) {
  if (words.empty()) throw std::invalid_argument("a question needs a word");
  std::vector<int> common = lines_with(words.front());
  for (const std::string& word : words) {
    const std::vector<int>& lines = lines_with(word);
    std::vector<int> rest;
    std::set_intersection(common.begin(), common.end(), lines.begin(), lines.end(), std::back_inserter(rest));
    common.swap(rest);
  }
  return common;
}

void fill_index(SearchIndex& index, const std::vector<Sentence>& sentences, int threads) {
  std::latch filled(threads);
  std::vector<std::jthread> workers;
  for (int id = 0; id < threads; ++id) {
    workers.emplace_back([&, id] {
      for (std::size_t i = static_cast<std::size_t>(id); i < sentences.size(); i += static_cast<std::size_t>(threads))
        index.add(sentences[i]);
      filled.count_down();
    });
  }
  filled.wait();
}

std::vector<int> ask_index(SearchIndex& index, const std::vector<std::string>& words) {
  std::packaged_task<std::vector<int>()> question([&] { return index.lines_with_all(words); });
  std::future<std::vector<int>> reply = question.get_future();
  std::jthread asks(std::move(question));
  return reply.get();
}

}  // namespace pipeline
