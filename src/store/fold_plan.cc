// Builds the tree from the root down. The words are cut into two parts. Then the word changes sides whose move reduces the cost
// most, until no move reduces it. The cost is the number of different values of the two parts, estimated from the sample and
// added up. The same happens within each part. A part of one word is free: it has no pairs. Two cuts are tried first: the middle,
// and the single word that is best left alone. Without the second cut, a word that differs in every state would stay with the
// words that it makes expensive, because no single move helps.
#include "store/fold_plan.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/rng.h"

namespace tarry {
namespace {

using Sums = std::vector<std::uint64_t>;  // per state of the sample, the sum of the hashes of some of its words

class Planner {
 public:
  Planner(const std::vector<std::vector<Word>>& sample, std::uint32_t words)
      : words_(words), states_(sample.size()), seen_(std::bit_ceil(2 * sample.size() + 1)) {
    for (std::uint32_t w = 0; w < words; ++w) {
      Sums& column = columns_.emplace_back(states_);
      for (std::size_t i = 0; i < states_; ++i) column[i] = mix64(sample[i][w] + mix64(w + 1));
    }
  }

  std::vector<Fold> plan() {
    std::vector<std::uint32_t> all(words_);
    std::iota(all.begin(), all.end(), 0u);
    different_states_ = different(cut(all, [](std::size_t) { return false; }).parts[0].sums);
    fold(std::move(all));
    return std::move(folds_);
  }

 private:
  struct Part {
    std::uint32_t count = 0;
    Sums sums;
  };
  struct Cut {
    std::vector<std::uint8_t> sides;  // one per word
    Part parts[2];
    std::uint64_t cost = 0;
  };

  std::uint32_t fold(std::vector<std::uint32_t> words) {
    if (words.size() == 1) return words[0];
    const std::vector<std::uint8_t> sides = best_cut(words).sides;
    std::vector<std::uint32_t> parts[2];
    for (std::size_t i = 0; i < words.size(); ++i) parts[sides[i]].push_back(words[i]);
    const std::uint32_t left = fold(std::move(parts[0])), right = fold(std::move(parts[1]));
    folds_.push_back({left, right});
    return words_ + static_cast<std::uint32_t>(folds_.size()) - 1;
  }

  Cut best_cut(const std::vector<std::uint32_t>& words) {
    const std::size_t middle = (words.size() + 1) / 2;
    Cut even = cut(words, [&](std::size_t i) { return i >= middle; });
    if (words.size() == 2) return even;
    improve(words, even);
    std::size_t best = 0;
    std::uint64_t least = ~std::uint64_t{0};
    Cut lone = cut(words, [](std::size_t) { return true; });
    for (std::size_t i = 0; i < words.size() && looks_ > 0; ++i) {
      change(lone.parts[1], words[i], -1);
      if (const std::uint64_t rest = cost(lone.parts[1]); rest < least) {
        least = rest;
        best = i;
      }
      change(lone.parts[1], words[i], 1);
    }
    lone = cut(words, [&](std::size_t i) { return i != best; });
    improve(words, lone);
    return lone.cost < even.cost ? std::move(lone) : std::move(even);
  }

  template <class Side>
  Cut cut(const std::vector<std::uint32_t>& words, Side&& side) {
    Cut out{std::vector<std::uint8_t>(words.size()), {{0, Sums(states_)}, {0, Sums(states_)}}, 0};
    for (std::size_t i = 0; i < words.size(); ++i) {
      out.sides[i] = side(i) ? 1 : 0;
      change(out.parts[out.sides[i]], words[i], 1);
    }
    return out;
  }

  void improve(const std::vector<std::uint32_t>& words, Cut& cut) {
    cut.cost = cost(cut.parts[0]) + cost(cut.parts[1]);
    while (true) {
      std::uint64_t least = cut.cost;
      std::size_t best = 0;
      for (std::size_t i = 0; i < words.size() && looks_ > 0; ++i) {
        if (cut.parts[cut.sides[i]].count == 1) continue;
        move(cut, words, i);
        if (const std::uint64_t now = cost(cut.parts[0]) + cost(cut.parts[1]); now < least) {
          least = now;
          best = i;
        }
        move(cut, words, i);
      }
      // Half a percent is not worth a move: the sample is not more precise, and even parts make flat trees.
      if (least + least / 200 >= cut.cost) return;
      move(cut, words, best);
      cut.cost = least;
    }
  }

  /// Moves a word to the other side.
  void move(Cut& cut, const std::vector<std::uint32_t>& words, std::size_t i) const {
    change(cut.parts[cut.sides[i]], words[i], -1);
    cut.sides[i] ^= 1;
    change(cut.parts[cut.sides[i]], words[i], 1);
  }

  void change(Part& part, std::uint32_t word, int sign) const {
    part.count += static_cast<std::uint32_t>(sign);
    const std::uint64_t factor = sign > 0 ? 1 : ~std::uint64_t{0};
    for (std::size_t i = 0; i < states_; ++i) part.sums[i] += factor * columns_[word][i];
  }

  /// Estimates the number of pairs: one per different value. The sample shows only some of the values. How often states share a
  /// value tells how many there are, as with a catch of marked fish.
  std::uint64_t cost(const Part& part) {
    if (part.count <= 1) return 0;
    if (looks_ > 0) --looks_;
    const std::uint64_t met = different(part.sums), shared = different_states_ - met;
    return met + met * met / (2 * shared + 1);
  }

  std::uint64_t different(const Sums& sums) {
    std::fill(seen_.begin(), seen_.end(), 0);
    std::uint64_t count = 0;
    for (const std::uint64_t sum : sums) {
      const std::uint64_t hash = mix64(sum) | 1;
      std::size_t at = (hash >> 32) & (seen_.size() - 1);
      while (seen_[at] != 0 && seen_[at] != hash) at = (at + 1) & (seen_.size() - 1);
      count += seen_[at] == 0 ? 1 : 0;
      seen_[at] = hash;
    }
    return count;
  }

  std::uint32_t words_;
  std::size_t states_;
  std::uint64_t different_states_ = 0;
  std::vector<Sums> columns_;  // the hashes of one word
  std::vector<std::uint64_t> seen_;
  std::vector<Fold> folds_;
  unsigned looks_ = 2000;  // limit on passes over the sample; after that cuts stay as they are
};

}  // namespace

std::vector<Fold> fold_neighbours(std::uint32_t words) {
  std::vector<Fold> folds;
  std::vector<std::uint32_t> level(words);
  std::iota(level.begin(), level.end(), 0u);
  while (level.size() > 1) {
    std::vector<std::uint32_t> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      next.push_back(words + static_cast<std::uint32_t>(folds.size()));
      folds.push_back({level[i], level[i + 1]});
    }
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = std::move(next);
  }
  return folds;
}

std::vector<Fold> fold_by_sample(const std::vector<std::vector<Word>>& sample, std::uint32_t words) { return Planner(sample, words).plan(); }

}  // namespace tarry
