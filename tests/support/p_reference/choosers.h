// Strategies for the reference interpreter: at random, and as recorded.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/rng.h"
#include "tests/support/p_reference/interpreter.h"

namespace tarry::plang::reference {

class RandomChooser final : public Chooser {
 public:
  explicit RandomChooser(std::uint64_t seed, std::uint64_t run = 0) : rng_(seed, run) {}
  std::uint32_t machine(const std::vector<std::uint32_t>& enabled_ids) override {
    return enabled_ids[rng_.below(enabled_ids.size())];
  }
  bool boolean() override { return rng_.below(2) == 1; }
  std::uint64_t integer(std::uint64_t n) override { return rng_.below(n); }

 private:
  Rng rng_;
};

/// Requires: the same program, and no more decisions than were recorded.
class ReplayChooser final : public Chooser {
 public:
  explicit ReplayChooser(std::vector<Decision> decisions) : decisions_(std::move(decisions)) {}
  std::uint32_t machine(const std::vector<std::uint32_t>&) override {
    return static_cast<std::uint32_t>(next(Decision::kMachine));
  }
  bool boolean() override { return next(Decision::kBool) != 0; }
  std::uint64_t integer(std::uint64_t) override { return next(Decision::kInt); }

 private:
  std::uint64_t next(Decision::Kind kind) {
    TARRY_ASSERT(at_ < decisions_.size() && decisions_[at_].kind == kind);
    return decisions_[at_++].value;
  }

  std::vector<Decision> decisions_;
  std::size_t at_ = 0;
};

}  // namespace tarry::plang::reference
