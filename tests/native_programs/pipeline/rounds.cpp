#include "rounds.h"

#include <atomic>
#include <barrier>
#include <thread>

namespace pipeline {
namespace {

/// What a thread has counted in this round. Its memory stays with the thread.
thread_local Counts mine;
thread_local std::vector<WordId> ids;

void count(const Sentence& sentence, Dictionary& dictionary) {
  ids.clear();
  for (const std::string& word : sentence.words) ids.push_back(dictionary.id(word));
  mine.add(ids);
}

}  // namespace

Counts count_in_rounds(const std::vector<Sentence>& sentences, Dictionary& dictionary, int threads, std::size_t per_round,
                       int& rounds) {
  SharedCounts shared;
  Counts total;
  std::atomic<std::size_t> next{0};
  bool more = !sentences.empty();  // changed by the completion only, when nobody runs
  rounds = 0;
  const auto round_over = [&]() noexcept {
    total.merge(shared.take());
    ++rounds;
    more = next.load() < sentences.size();
  };
  std::barrier meeting(threads, round_over);
  const auto work = [&] {
    while (more) {
      for (std::size_t i = 0; i < per_round; ++i) {
        const std::size_t index = next.fetch_add(1);
        if (index >= sentences.size()) break;
        count(sentences[index], dictionary);
      }
      shared.merge(mine);
      mine = Counts();
      meeting.arrive_and_wait();
    }
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  others.clear();
  return total;
}

}  // namespace pipeline
