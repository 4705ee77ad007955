// What a step of a program touches: it decides which steps commute.
//
// Two steps are dependent if they are of one process, or touch one object and not both only read it. A step that touches `kEverything` depends on all
// others; what is not known better touches it. Steps that enable or disable the pending operation of another process touch an object that this operation
// touches too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tarry/explorer.h>

namespace tarry {

enum class Use : std::uint8_t { kRead, kWrite };  // reads commute with each other

/// Could somebody else who waits for the object have gone on before the step?
enum class Before : std::uint8_t {
  kUnknown,
  kFree,  // yes: a lock that was taken
  kHeld,  // no: unlock, an attempt to lock that failed, the end of a thread that is joined
};

struct ObjectUse {
  std::uint64_t object;
  Use use;
  Before before = Before::kUnknown;
};

inline constexpr std::uint64_t kEverything = ~std::uint64_t{0};
/// Of `waits_for` only: an operation that may also be given up, at times that only a run shows (a wait that is timed).
inline constexpr std::uint64_t kGivesUp = kEverything - 1;

/// Are steps of different processes with these touches dependent?
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

/// Of an execution that goes on, or that has just ended.
class Footprints {
 public:
  virtual ~Footprints() = default;
  /// Of the step that was taken last. A step in which the program ends while other processes are alive touches everything.
  virtual std::span<const ObjectUse> of_last_step() const = 0;
  /// Why what it touched could not be foreseen by its pending operation, in words; nullptr: it was.
  virtual const char* surprise() const = 0;
  /// Of the operation that a process that is alive comes to next, as far as it is known before it is performed.
  virtual void of_pending(ProcessId process, std::vector<ObjectUse>& out) const = 0;
  virtual bool is_alive(ProcessId process) const = 0;
  /// The object for which that operation may have to wait; kEverything: there is not only one; kGivesUp: it may be performed without it, too; nothing: it
  /// never waits.
  virtual std::optional<std::uint64_t> waits_for(ProcessId process) const = 0;
};

}  // namespace tarry
