// Random: a new random order of the processes at every step.
//
// This is the baseline, and a good choice if nothing is known about the bug. A delay moves on to the next process of the current
// order. The order is a function of the seed and of the history, so resuming from a frontier gives the same order.
//
// Paper: Desai, Qadeer, Rajamani. Iterative Cycle Detection via Delaying Explorers. MSR-TR-2015-28, section 3.
// Invariant: memo = four numbers of history, then the number of delays since the last step.
#include "base/hash.h"
#include "base/rng.h"
#include "core/registry.h"

namespace tarry {
namespace {

class Random final : public Explorer {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}

  Memo initial(const ProcessSet&) const override { return with_history(mix64(seed_)); }

  ProcessId next(const Memo& memo, const ProcessSet& open) const override {
    const std::uint32_t turn = memo[4] % open.size();
    // The turn-th process by rank. Ranks are distinct except with probability 2^-64; ties go to the smaller number.
    std::uint32_t found = 0;
    ProcessId result{};
    open.for_each([&](ProcessId p) {
      std::uint32_t smaller = 0;
      open.for_each([&](ProcessId q) { smaller += before(memo, q, p) ? 1 : 0; });
      if (smaller == turn && found++ == 0) result = p;
    });
    return result;
  }

  Memo delay(const Memo& memo, const ProcessSet& open) const override {
    Memo after = memo;
    after[4] = static_cast<std::uint16_t>((memo[4] + 1) % open.size());
    return after;
  }

  Memo step(const Memo& memo, const Step& step) const override {
    return with_history(hash_of(memo.span().first(4), seed_ + index(step.process)));
  }

 private:
  static Memo with_history(std::uint64_t history) {
    return {static_cast<std::uint16_t>(history), static_cast<std::uint16_t>(history >> 16), static_cast<std::uint16_t>(history >> 32),
            static_cast<std::uint16_t>(history >> 48), 0};
  }
  static std::uint64_t rank(const Memo& memo, ProcessId p) { return hash_of(memo.span().first(4), ~std::uint64_t{index(p)}); }
  static bool before(const Memo& memo, ProcessId a, ProcessId b) {
    return rank(memo, a) != rank(memo, b) ? rank(memo, a) < rank(memo, b) : index(a) < index(b);
  }

  std::uint64_t seed_;
};

const Registration<Explorer> entry{{
    .name = "random",
    .summary = "a new random order of the processes at every step",
    .paper = "Desai et al., MSR-TR-2015-28, section 3",
    .kind = {.make = [](std::uint64_t seed) { return std::make_unique<Random>(seed); }, .remembers_all = true},
}};

}  // namespace
}  // namespace tarry
