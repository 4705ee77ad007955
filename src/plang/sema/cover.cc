// Greedy t-wise reduction.
//
// Every candidate has C(params, strength) tuples of values. Each candidate keeps the number of uncovered tuples that it would add
// (its gain). When a tuple is covered, all candidates that have it lose one. Each pair of candidate and tuple is touched twice in
// all, so the time equals that of writing all tuples down. A heap gives the candidate with the largest gain. Gains only shrink,
// so a heap entry is checked when it comes up; an entry that is still valid is the largest, and the first of its equals.
#include <algorithm>
#include <queue>

#include "plang/sema/param_tests.h"

namespace tarry::plang {
namespace {

constexpr std::uint64_t kEnough = std::uint64_t{1} << 32;

using Subset = std::vector<std::uint32_t>;

std::vector<Subset> subsets_of(std::uint32_t params, std::uint32_t strength) {
  std::vector<Subset> result;
  Subset now(strength);
  for (std::uint32_t i = 0; i < strength; ++i) now[i] = i;
  while (true) {
    result.push_back(now);
    std::uint32_t at = strength;
    while (at > 0 && now[at - 1] == params - strength + at - 1) --at;
    if (at == 0) return result;
    ++now[at - 1];
    for (std::uint32_t i = at; i < strength; ++i) now[i] = now[i - 1] + 1;
  }
}

class Cover {
 public:
  Cover(const std::vector<std::uint32_t>& candidates, const std::vector<std::uint32_t>& sizes, std::uint32_t strength)
      : candidates_(candidates), sizes_(sizes), subsets_(subsets_of(static_cast<std::uint32_t>(sizes.size()), strength)) {}

  std::vector<std::uint32_t> run() {
    number_tuples();
    find_owners();
    return choose();
  }

 private:
  /// tuples_[c * subsets + s]: the tuple of candidate c in subset s, numbered densely.
  void number_tuples() {
    tuples_.resize(candidates_.size() * subsets_.size());
    std::vector<std::uint32_t> strides(sizes_.size(), 1);
    for (std::size_t i = 1; i < sizes_.size(); ++i) strides[i] = strides[i - 1] * sizes_[i - 1];
    std::vector<std::uint32_t> numbers;  // numbers of the tuples of one subset
    for (std::size_t s = 0; s < subsets_.size(); ++s) {
      std::uint64_t possible = 1;
      for (const std::uint32_t param : subsets_[s]) possible *= sizes_[param];
      numbers.assign(possible, kNone);
      for (std::size_t c = 0; c < candidates_.size(); ++c) {
        std::uint64_t rank = 0;
        for (const std::uint32_t param : subsets_[s])
          rank = rank * sizes_[param] + candidates_[c] / strides[param] % sizes_[param];
        if (numbers[rank] == kNone) numbers[rank] = tuple_count_++;
        tuples_[c * subsets_.size() + s] = numbers[rank];
      }
    }
  }

  /// owners_[starts_[t] … starts_[t + 1]): the candidates that have tuple t.
  void find_owners() {
    starts_.assign(tuple_count_ + 1, 0);
    for (const std::uint32_t tuple : tuples_) ++starts_[tuple + 1];
    for (std::uint32_t t = 0; t < tuple_count_; ++t) starts_[t + 1] += starts_[t];
    owners_.resize(tuples_.size());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t i = 0; i < tuples_.size(); ++i)
      owners_[next[tuples_[i]]++] = static_cast<std::uint32_t>(i / subsets_.size());
  }

  struct Entry {
    std::uint32_t gain;
    std::uint32_t candidate;
    bool operator<(const Entry& other) const { return gain != other.gain ? gain < other.gain : candidate > other.candidate; }
  };

  std::vector<std::uint32_t> choose() {
    std::vector<std::uint32_t> gains(candidates_.size(), static_cast<std::uint32_t>(subsets_.size()));
    std::vector<bool> covered(tuple_count_, false);
    std::priority_queue<Entry> heap;
    for (std::uint32_t c = 0; c < candidates_.size(); ++c) heap.push({gains[c], c});
    std::vector<std::uint32_t> result;
    for (std::uint32_t missing = tuple_count_; missing > 0;) {
      const Entry top = heap.top();
      heap.pop();
      if (top.gain != gains[top.candidate]) {
        heap.push({gains[top.candidate], top.candidate});
        continue;
      }
      result.push_back(candidates_[top.candidate]);
      missing -= top.gain;
      for (std::size_t s = 0; s < subsets_.size(); ++s) {
        const std::uint32_t tuple = tuples_[top.candidate * subsets_.size() + s];
        if (covered[tuple]) continue;
        covered[tuple] = true;
        for (std::uint32_t i = starts_[tuple]; i < starts_[tuple + 1]; ++i) --gains[owners_[i]];
      }
    }
    return result;
  }

  static constexpr std::uint32_t kNone = UINT32_MAX;
  const std::vector<std::uint32_t>& candidates_;
  const std::vector<std::uint32_t>& sizes_;
  std::vector<Subset> subsets_;
  std::vector<std::uint32_t> tuples_;
  std::uint32_t tuple_count_ = 0;
  std::vector<std::uint32_t> starts_, owners_;
};

}  // namespace

std::uint64_t cover_work(std::uint64_t candidates, std::uint64_t params, std::uint64_t strength) {
  std::uint64_t subsets = 1;
  for (std::uint64_t i = 0; i < std::min(strength, params - strength); ++i) {
    subsets = subsets * (params - i) / (i + 1);
    if (subsets >= kEnough) return kEnough;
  }
  return std::min(kEnough, subsets * std::max(candidates, strength));
}

std::vector<std::uint32_t> cover(const std::vector<std::uint32_t>& candidates, const std::vector<std::uint32_t>& sizes,
                                 std::uint32_t strength) {
  return candidates.empty() ? std::vector<std::uint32_t>{} : Cover(candidates, sizes, strength).run();
}

}  // namespace tarry::plang
