// Delay bounding as a discipline: the turns of a state are what an explorer offers, one delay apart.
#pragma once

#include <memory>

#include "explore/discipline.h"
#include "store/interner.h"

namespace tarry {

class DelayBounding final : public Discipline {
 public:
  DelayBounding(std::unique_ptr<Explorer> explorer, MemoryBudget& budget) : explorer_(std::move(explorer)), memos_(budget) {}

  std::string unit() const override { return "delays"; }
  std::uint32_t initial(const Survey& survey) override { return intern(explorer_->initial(survey.alive())); }
  ProcessId pick(std::uint32_t memo, const Survey& survey, std::uint32_t) override { return explorer_->next(get(memo), survey.open()); }
  std::uint32_t price(std::uint32_t, const Survey&, std::uint32_t) override { return 1; }
  std::uint32_t pass(std::uint32_t memo, const Survey& survey) override { return intern(explorer_->delay(get(memo), survey.open())); }
  std::uint32_t choice_price() const override { return 1; }
  std::uint32_t step(std::uint32_t memo, const Step& step) override { return intern(explorer_->step(get(memo), step)); }

  const Explorer& explorer() const { return *explorer_; }
  Memo get(std::uint32_t memo) const { return Memo(memos_.get<std::uint16_t>(memo)); }

 private:
  std::uint32_t intern(const Memo& memo) { return memos_.intern(memo.span()); }

  std::unique_ptr<Explorer> explorer_;
  Interner memos_;  // explorer states, each stored once; never part of the cache of visited states
};

}  // namespace tarry
