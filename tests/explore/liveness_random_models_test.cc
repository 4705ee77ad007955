// Random models with liveness properties, accepting steps and seals through every search that decides liveness, against a reference that interprets the same programs without the adapter
// of models (tests/support/random_obligations.h).
#include <gtest/gtest.h>

#include "cppmodel/model_program.h"
#include "tests/support/fewer.h"
#include "tests/support/liveness_ways.h"
#include "tests/support/random_obligations.h"
#include "tests/support/run_search.h"

namespace tarry::test {
namespace {

using Property = ObligedReference::Property;

class Case {
 public:
  Case(std::uint64_t seed, const RandomProgram& program) : program_(program) {
    SplitMix random(seed ^ 0x0b11'6a71);
    properties_.push_back({.accepting = true, .kind = {}, .facts = {}});
    const auto add = [&](Obligation kind) { properties_.push_back({false, kind, {Fact::any(random), Fact::any(random)}}); };
    using enum Obligation;
    switch (seed % 4) {
      case 0: add(kEventually), add(kLeadsTo), made_ = make<false, kEventually, kLeadsTo>(); break;
      case 1: add(kInfinitelyOften), add(kLeadsTo), add(kEventually), made_ = make<false, kInfinitelyOften, kLeadsTo, kEventually>(); break;
      case 2: add(kLeadsTo), add(kLeadsTo), made_ = make<true, kLeadsTo, kLeadsTo>(); break;
      default: add(kInfinitelyOften), add(kEventually), made_ = make<true, kInfinitelyOften, kEventually>(); break;
    }
    reference_.emplace(program, properties_, 300);
  }

  bool small() const { return reference_->complete(); }
  bool fails() const { return !reference_->failures().empty(); }
  bool bad(const LivenessCombination& how) const {
    bool out = fails();
    for (std::size_t i = 0; i < properties_.size(); ++i) out = out || reference_->violated(i, how.fairness, how.choices == LoopChoices::kFair);
    return out;
  }

  /// What is wrong with what a search says; empty if nothing is.
  std::string wrong(const LivenessCombination& how, bool bad, std::uint64_t seed) const {
    RandomModel::current = &program_;
    const SearchOptions options = options_of(how, seed);
    const Searched searched = run_search(*made_, how.way.search, how.explorer, options, how.way.params);
    if (bad && searched.findings.empty()) return "finds nothing";
    if (!bad && !searched.findings.empty()) return "finds what is not there: " + searched.findings[0].message;
    if (searched.outcome.live == bad) return "does not say whether liveness is decided";
    if (!bad) {
      const ObligedReference::Counts counts = reference_->counts();
      if (searched.totals.states != counts.states) return "has seen " + std::to_string(searched.totals.states) + " states, not " + std::to_string(counts.states);
      return searched.totals.transitions == counts.transitions ? "" : "has not taken every transition, once";
    }
    for (const Finding& finding : searched.findings)
      if (const std::string wrong = wrong_with(finding, options); !wrong.empty()) return wrong;
    return "";
  }

 private:
  template <bool seals, Obligation... kinds>
  std::unique_ptr<Program> make() {
    std::vector<Facts> facts;
    for (std::size_t i = 1; i < properties_.size(); ++i) facts.push_back(properties_[i].facts);
    return make_model_program(ObligedModel<seals, kinds...>::of(program_, std::move(facts)));
  }

  std::string wrong_with(const Finding& finding, const SearchOptions& options) const {
    if (finding.kind != "liveness") return reference_->failures().contains(finding.kind.name()) ? "" : std::string("finds ") + finding.kind.name() + ", which is not there";
    const auto all = made_->properties();
    if (all.size() != properties_.size()) return "has other properties";
    for (std::size_t i = 0; i < all.size(); ++i)
      if (finding.message == (finding.loop > 0 ? endless_message(all[i]) : ended_message(all[i]))) return reference_->wrong_with(finding, i, options);
    return "names no property: " + finding.message;
  }

  const RandomProgram& program_;
  std::vector<Property> properties_;
  std::unique_ptr<Program> made_;
  std::optional<ObligedReference> reference_;
};

/// Each program takes some combinations in turn; all are met. Programs that fail anyway say little of liveness: one in eight of them is looked at.
TEST(LivenessOfRandomModels, EverySearchFindsWhatTheReferenceFinds) {
  constexpr std::size_t kEach = 8;
  CombinationsMet met;
  std::uint64_t number = 0;
  for (std::uint64_t seed = 0; number < fewer(300u); ++seed) {
    const RandomProgram program(seed, {.assertions = seed % 8 == 0, .accepting = seed / 4 % 2 == 0, .seals = seed % 4 >= 2});
    const Case c(seed, program);
    if (!c.small() || (c.fails() && seed % 8 != 0)) continue;
    for (const LivenessCombination& how : combinations_for(number, kEach)) {
      const bool bad = c.bad(how);
      ASSERT_EQ(c.wrong(how, bad, seed), "") << how.text() << ", seed " << seed << "\n" << program.text();
      met.add(how, bad);
    }
    ++number;
  }
  const std::size_t all = liveness_combinations().size();
  EXPECT_GE(met.combinations(true), fewer(all));
  EXPECT_GE(met.combinations(false), fewer(all));
}

}  // namespace
}  // namespace tarry::test
