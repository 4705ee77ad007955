#include "plang/vm/arrange.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "base/rng.h"

namespace tarry::plang {
namespace {

using Parts = std::vector<std::uint32_t>;

class Arranger {
 public:
  explicit Arranger(const std::vector<std::vector<std::uint64_t>>& sample) : sample_(sample), places_(sample.empty() ? 0 : sample[0].size()) {
    for (const auto& state : sample_) {
      auto& out = hashes_.emplace_back();
      for (std::size_t p = 0; p < state.size(); ++p) out.push_back(mix64(state[p] + mix64(p + 1)));
    }
  }

  void put(Parts parts, std::uint32_t first, std::uint32_t room) {
    if (parts.empty()) return;
    if (room == 1) {
      places_[parts[0]] = first;
      return;
    }
    auto [left, right] = halves(std::move(parts), room / 2);
    put(std::move(left), first, room / 2);
    put(std::move(right), first + room / 2, room / 2);
  }

  Parts places() const { return places_; }

 private:
  /// How many different values these parts have together.
  std::size_t different(const Parts& parts) const {
    std::vector<std::uint64_t> seen;
    seen.reserve(hashes_.size());
    for (const auto& state : hashes_) {
      std::uint64_t sum = 0;
      for (const std::uint32_t p : parts) sum += state[p];
      seen.push_back(sum);
    }
    std::sort(seen.begin(), seen.end());
    return static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
  }
  std::size_t cost(const Parts& left, const Parts& right) const { return different(left) + different(right); }

  /// The parts that vary most are dealt out first, then parts are moved and swapped while that helps.
  std::pair<Parts, Parts> halves(Parts parts, std::uint32_t room) {
    std::vector<std::size_t> variety(places_.size());
    for (const std::uint32_t p : parts) variety[p] = different({p});
    std::stable_sort(parts.begin(), parts.end(), [&](std::uint32_t a, std::uint32_t b) { return variety[a] > variety[b]; });
    Parts left, right;
    for (const std::uint32_t p : parts) {
      Parts& to = left.size() < room && (right.size() >= room || left.size() <= right.size()) ? left : right;
      to.push_back(p);
    }
    std::size_t best = cost(left, right);
    for (bool better = true; better && budget_ > 0;) {
      better = false;
      for (const std::uint32_t p : parts) better = improve(p, left, right, room, best) || better;
    }
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    return {left, right};
  }

  bool improve(std::uint32_t p, Parts& left, Parts& right, std::uint32_t room, std::size_t& best) {
    const bool on_left = std::find(left.begin(), left.end(), p) != left.end();
    const Parts& from = on_left ? left : right;
    const Parts& to = on_left ? right : left;
    Parts best_from = from, best_to = to;
    const std::size_t before = best;
    const auto attempt = [&](std::uint32_t instead, bool swaps) {
      if (budget_ == 0) return;
      --budget_;
      Parts a, b;
      for (const std::uint32_t q : from)
        if (q != p) a.push_back(q);
      for (const std::uint32_t q : to)
        if (!swaps || q != instead) b.push_back(q);
      if (swaps) a.push_back(instead);
      b.push_back(p);
      if (b.size() > room) return;
      if (const std::size_t c = cost(a, b); c < best) {
        best = c;
        best_from = std::move(a);
        best_to = std::move(b);
      }
    };
    attempt(0, false);
    for (const std::uint32_t q : to) attempt(q, true);
    if (best == before) return false;
    (on_left ? left : right) = best_from;
    (on_left ? right : left) = best_to;
    return true;
  }

  const std::vector<std::vector<std::uint64_t>>& sample_;
  std::vector<std::vector<std::uint64_t>> hashes_;
  Parts places_;
  unsigned budget_ = 400;  // attempts
};

}  // namespace

std::vector<std::uint32_t> arrange(const std::vector<std::vector<std::uint64_t>>& sample, std::uint32_t places) {
  if (sample.empty()) return {};
  Arranger arranger(sample);
  Parts all(sample[0].size());
  std::iota(all.begin(), all.end(), 0u);
  arranger.put(std::move(all), 0, places);
  return arranger.places();
}

}  // namespace tarry::plang
