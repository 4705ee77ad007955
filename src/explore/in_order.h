// The discipline of plain searches: processes come in the order of their numbers. Free of cost, or at one a step (then strata are depths).
#pragma once

#include "explore/discipline.h"

namespace tarry {

class InOrder final : public Discipline {
 public:
  explicit InOrder(std::uint32_t step_price) : step_price_(step_price) {}

  Bound unit() const override { return step_price_ == 0 ? Bound() : Bound("depth"); }
  std::uint32_t initial(const Survey&) override { return 0; }
  ProcessId pick(std::uint32_t, const Survey& survey, std::uint32_t turn) override {
    return survey.sealed() ? survey.owner() : survey.open().at(turn);
  }
  std::uint32_t price(std::uint32_t, const Survey&, std::uint32_t) override { return 0; }
  std::uint32_t pass(std::uint32_t memo, const Survey&, ProcessId) override { return memo; }
  std::uint32_t step(std::uint32_t memo, const Step&) override { return memo; }
  std::uint32_t step_price() const override { return step_price_; }

 private:
  std::uint32_t step_price_;
};

}  // namespace tarry
