// An execution of the program, from the start of main to its end, driven by a policy.
#pragma once

#include <vector>

#include "core/execution.h"
#include "core/search.h"
#include "native/abi/messages.h"
#include "native/abi/protocol.h"
#include "native/races/order.h"
#include "native/rt/session/orders_met.h"
#include "native/rt/threads/footprint.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Sees every step of an execution: for traces.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void begin() = 0;
  virtual void before(std::uint32_t thread) = 0;
  virtual void decided(std::uint32_t value) = 0;
  virtual void after(std::uint32_t thread) = 0;
  /// The execution is over, and everything is still as it was then.
  virtual void end() = 0;
  /// How it ended, once it is known that it is not to be run again under other conditions.
  virtual void complete(const ExecutionResult& /*result*/) {}
  /// What was seen so far is void: the search starts over.
  virtual void begin_anew() {}
};

class NativeExecution final : public Execution {
 public:
  NativeExecution(Session& session, std::uint32_t worker, const RunOptions& options, OrdersMet& orders);

  ExecutionResult run(Policy& policy) override;
  void begin_anew() override;
  const Footprints* watch_footprints() override;
  const std::vector<Move>& moves_taken() const override { return path_; }

  StepObserver* observer = nullptr;

 private:
  ExecutionResult attempt(Policy& policy);
  bool take_step(Policy& policy, ExecutionResult& result, bool repeated);
  bool repeats_step(const Policy& policy) const;
  bool goes_on_by_children(ExecutionResult& result);
  ExecutionResult over(ExecutionResult result);
  ExecutionResult failed(ExecutionResult result, const Failure& failure);
  std::uint32_t pick(Policy& policy, const ChoicePoint& point);
  bool goes_on(Policy& policy, std::uint64_t& limit) const;
  static const Signature* order();
  void tell_place(std::uintptr_t pc);
  bool learn_places();
  void keep_notes(ExecutionResult& result);
  void count_order();

  Session& session_;
  const RunOptions& options_;
  OrdersMet& orders_;
  Block& block_;
  std::uint32_t worker_;
  Order* order_;               // of steps; nullptr: not asked for
  StepFootprint* footprints_;  // of steps; nullptr: not asked for
  Survey now_, next_;
  std::vector<Move> path_;
  std::vector<std::uint32_t> values_;
  std::uint32_t schedule_size_ = 0;
  std::uint32_t ticks_ = 0;
  std::uint32_t known_places_ = 0;  // of those that all workers share
};

}  // namespace tarry::native::rt
