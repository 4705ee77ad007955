// A test of a P program as a program of the engine.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/finding.h"
#include "core/program.h"
#include "plang/vm/layout.h"
#include "plang/vm/ledger.h"
#include "plang/vm/world.h"

namespace tarry::plang {

/// What it is opened for.
enum class Purpose {
  kSearch,  // machines have their slots by identity, whichever execution is looked at first
  kReplay,  // one execution is followed: slots are in the order of creation, as P numbers machines
};

class CreationOrder;  // creation_order.h
class StepListener;   // follow.h

class PProgram final : public tarry::Program {
 public:
  /// `code`, `test`, `foreign` and `formula` outlive it.
  PProgram(Code& code, const TestCase& test, Points points, Purpose purpose, Bounds bounds = {}, const Foreign* foreign = nullptr,
           Identities::Mirror* mirror = nullptr, const FormulaWatch* formula = nullptr);
  ~PProgram() override;

  const Shape& shape() const override { return shape_; }
  std::uint32_t processes_met() const override { return world_->identities.size(); }
  std::unique_ptr<StateSpace> open() const override;
  std::unique_ptr<Narrator> narrator() const override;
  using MakeListener = std::function<std::unique_ptr<StepListener>(const PProgram&)>;
  /// Every narrator made from now on has a listener of its own.
  void listen(MakeListener make) { make_listener_ = std::move(make); }
  /// A schedule of a search, with machines numbered in the order of their creation; and the words that its end has there.
  void make_portable(Finding& finding) const override;

  std::vector<Property> properties() const override;
  /// Does the schedule come back, in its end, to the state that step `loop` (from 1) is taken in? Numbers of machines may differ, since P gives none of them twice.
  bool closes(const std::vector<Choice>& schedule, std::uint64_t loop) const override;

  std::uint64_t bytes() const override { return code_.pool->bytes(); }
  std::string why_unrepeatable() const override;
  std::vector<std::string> caveats() const override;
  Checks checks() const override;

  World& world() const { return *world_; }
  const Layout& layout() const { return layout_; }

 private:
  void get_to_know_machines();
  void take_words_of_replay(Finding& finding) const;
  std::string with_numbers_of(const std::string& sentence, const CreationOrder& order) const;

  Code& code_;
  const TestCase& test_;
  Points points_;
  Bounds bounds_;
  const Foreign* foreign_;
  const FormulaWatch* formula_;
  MakeListener make_listener_;
  std::unique_ptr<World> world_;
  Layout layout_{};
  Shape shape_{};
};

}  // namespace tarry::plang
