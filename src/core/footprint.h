// The objects that a step of a program uses. They decide which steps commute.
//
// Two steps are dependent if they belong to one process, or if they use one object and do not both only read it. A step that uses
// `kEverything` depends on all other steps; a step about which nothing better is known uses it. A step that enables or disables
// the pending operation of another process uses an object that this operation also uses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tarry/explorer.h>

namespace tarry {

enum class Use : std::uint8_t { kRead, kWrite };  // reads commute with each other

/// Whether another process that waits for the object could have proceeded before the step.
enum class Before : std::uint8_t {
  kUnknown,
  kFree,  // yes: the step takes a lock
  kHeld,  // no: unlock, a failed try-lock, the end of a thread that is joined
};

struct ObjectUse {
  std::uint64_t object;
  Use use;
  Before before = Before::kUnknown;
};

inline constexpr std::uint64_t kEverything = ~std::uint64_t{0};
/// For `waits_for` only: the operation may also give up, at times that only a run shows (a wait with a time-out).
inline constexpr std::uint64_t kGivesUp = kEverything - 1;

/// Returns whether steps of different processes with these uses are dependent.
inline bool depend(std::span<const ObjectUse> a, std::span<const ObjectUse> b) {
  for (const ObjectUse& x : a) {
    if (x.object == kEverything) return true;
    for (const ObjectUse& y : b)
      if (y.object == kEverything || (x.object == y.object && (x.use != Use::kRead || y.use != Use::kRead))) return true;
  }
  if (!a.empty()) return false;
  for (const ObjectUse& y : b)
    if (y.object == kEverything) return true;
  return false;
}

/// The footprints of an execution that is running or has just ended.
class Footprints {
 public:
  virtual ~Footprints() = default;
  /// Returns the uses of the last step, or of the current step if it is at a data choice. A step in which the program ends while other processes are alive
  /// uses everything. At a data choice all uses of the step are known; the end of its process is among them, because the step may reach it.
  virtual std::span<const ObjectUse> of_last_step() const = 0;
  /// Returns why the pending operation did not announce these uses, in words, or nullptr if it did.
  virtual const char* surprise() const = 0;
  /// Appends the uses of the next operation of a live process to `out`, as far as they are known before it is performed.
  virtual void of_pending(ProcessId process, std::vector<ObjectUse>& out) const = 0;
  /// Returns false for a process that does not exist.
  virtual bool is_alive(ProcessId process) const = 0;
  /// Returns the object for which that operation may have to wait. kEverything: there are several; kGivesUp: the operation may
  /// also be performed without the object; nothing: the operation never waits.
  virtual std::optional<std::uint64_t> waits_for(ProcessId process) const = 0;
};

}  // namespace tarry
