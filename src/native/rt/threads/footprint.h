// What the steps of the program touch (core/footprint.h), for partial-order reduction.
//
// The operation that a thread is about to perform says which objects its step touches: those are all, as everything else that threads share and that no
// operation announces is told here as a surprise. Memory is touched in pieces of four bytes, as in the happens-before order. Operations whose effect on others
// is not known better touch everything.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/footprint.h"
#include "native/races/memory.h"
#include "native/rt/base/operation.h"

namespace tarry::native::rt {

/// Memory in pieces of this many bytes: accesses that overlap share one, and neighbours of that size do not.
inline constexpr std::uintptr_t kPiece = 4;

class StepFootprint final : public Footprints {
 public:
  explicit StepFootprint(Memory& memory) : memory_(memory) {}

  std::span<const ObjectUse> of_last_step() const override { return {touches_, count_}; }
  const char* surprise() const override { return surprise_; }
  void of_pending(ProcessId process, std::vector<ObjectUse>& out) const override;
  bool is_alive(ProcessId process) const override;
  std::optional<std::uint64_t> waits_for(ProcessId process) const override;

  /// Operations on what the kernel or a library keeps are a surprise, while other threads are there. What they depend on is known less well than what locks
  /// and memory do, so the default leaves such programs to another proof.
  bool only_well_known = false;

  /// A step begins.
  void begin(std::uint32_t thread, bool expires);
  /// Something else was touched in it.
  void add(const void* object, bool writes);
  void add_everything();
  /// The running thread ends, or may do so behind a choice: a thread that joins it waited for that.
  void end_thread(std::uint32_t thread);

 private:
  void put(const ObjectUse& touch);

  Memory& memory_;
  ObjectUse* touches_ = nullptr;
  std::size_t count_ = 0, room_ = 0;
  const char* surprise_ = nullptr;
};

}  // namespace tarry::native::rt
