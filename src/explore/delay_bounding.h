// Delay bounding as a discipline: the turns of a state are what an explorer offers, one delay apart.
//
// In a sealed state its owner runs, whatever the explorer's order; the explorer learns of the step as of any other.
#pragma once

#include <memory>
#include <vector>

#include "explore/asked_explorer.h"
#include "explore/discipline.h"
#include "store/interner.h"

namespace tarry {

/// Memo: that of the explorer, interned. While an explorer is checked, the processes that were offered in the present state stand before
/// it: their number of 16-bit words, then the words. A process that comes twice is a fault: some other one will not come.
class DelayBounding final : public Discipline {
 public:
  DelayBounding(const Session& session, MemoryBudget& budget) : explorer_(session), memos_(budget) {}

  Bound unit() const override { return "delays"; }
  std::uint32_t initial(const Survey& survey) override { return intern(explorer_.initial(survey.alive())); }
  ProcessId pick(std::uint32_t memo, const Survey& survey, std::uint32_t) override {
    if (survey.sealed()) return survey.owner();
    const ProcessId process = explorer_.next(get(memo), survey.open());
    if (explorer_.checked()) [[unlikely]] check(memo, survey, process);
    return process;
  }
  std::uint32_t price(std::uint32_t, const Survey&, std::uint32_t) override { return 1; }
  std::uint32_t pass(std::uint32_t memo, const Survey& survey, ProcessId offered) override {
    const Memo after = explorer_.delay(get(memo), survey.open());
    return explorer_.checked() ? intern_with(after, with(offered_in(memo), offered)) : intern(after);
  }
  std::uint32_t choice_price() const override { return 1; }
  std::uint32_t step(std::uint32_t memo, const Step& step) override { return intern(explorer_.step(get(memo), step)); }
  const AskedExplorer* explorer() const override { return &explorer_; }

  Memo get(std::uint32_t memo) const {
    const auto numbers = memos_.get<std::uint16_t>(memo);
    return Memo(explorer_.checked() ? numbers.subspan(std::size_t{1} + numbers[0]) : numbers);
  }

 private:
  using Bits = std::vector<std::uint16_t>;

  std::uint32_t intern(const Memo& memo) { return explorer_.checked() ? intern_with(memo, {}) : memos_.intern(memo.span()); }
  std::uint32_t intern_with(const Memo& memo, const Bits& offered) {
    Bits all = {static_cast<std::uint16_t>(offered.size())};
    all.insert(all.end(), offered.begin(), offered.end());
    all.insert(all.end(), memo.begin(), memo.end());
    return memos_.intern(std::span<const std::uint16_t>(all));
  }
  std::span<const std::uint16_t> offered_in(std::uint32_t memo) const {
    const auto numbers = memos_.get<std::uint16_t>(memo);
    return numbers.subspan(1, numbers[0]);
  }
  static bool contains(std::span<const std::uint16_t> bits, ProcessId p) {
    return index(p) / 16 < bits.size() && (bits[index(p) / 16] >> (index(p) % 16) & 1) != 0;
  }
  static Bits with(std::span<const std::uint16_t> bits, ProcessId p) {
    Bits out(bits.begin(), bits.end());
    if (out.size() <= index(p) / 16) out.resize(index(p) / 16 + 1);
    out[index(p) / 16] = static_cast<std::uint16_t>(out[index(p) / 16] | 1u << (index(p) % 16));
    return out;
  }
  void check(std::uint32_t memo, const Survey& survey, ProcessId process) const {
    const auto offered = offered_in(memo);
    if (explorer_.faulty() || !contains(offered, process)) return;
    bool told = false;
    survey.open().for_each([&](ProcessId p) {
      if (!told && !contains(offered, p)) explorer_.offered_twice(process, p), told = true;
    });
  }

  AskedExplorer explorer_;
  Interner memos_;  // explorer states, each stored once; never part of the cache of visited states
};

}  // namespace tarry
