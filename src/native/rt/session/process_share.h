// Work shared by the worker processes of a check (core/work_share.h), in memory that all of them map.
//
// The same rules as explore/memory_share.h. A lock is a word that is spun on: it is held for some copies of a few hundred bytes. A waiting
// worker sleeps for moments, and looks whether the check was ended from outside.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/work_share.h"
#include "native/abi/protocol.h"

namespace tarry::native::rt {

class ProcessShare final : public WorkShare {
 public:
  /// Requires: the tool has zeroed the memory; `workers` is the same for all.
  ProcessShare(Common& common, std::uint32_t workers);

  void begin() override;
  bool hungry() const override;
  void give(std::span<const std::uint32_t> words, std::uint64_t cost) override;
  std::optional<Subtree> take() override;
  std::uint64_t next_round(std::uint64_t left) override;
  void restart() override;
  bool restarted() const override;
  void leave() override;
  void finish(Finished how) override;
  Finished finished() const override;
  void set_fair(std::uint32_t every) override;
  std::uint32_t fair() const override;
  void prove_fair() override;
  bool proved_fair() const override;
  void set_reduction(Reduction how) override;
  Reduction reduction() const override;

 private:
  struct Shared;
  class Lock;
  /// Waits, under the lock, until `due`; false if the check was ended from outside.
  template <class Condition>
  bool wait(Lock& lock, const Condition& due);
  void changed();
  bool has_room(std::size_t words) const;

  Common& common_;
  Shared& all_;
  std::uint32_t workers_;
  std::uint64_t generation_ = 0;
  bool gone_ = false;
};

}  // namespace tarry::native::rt
