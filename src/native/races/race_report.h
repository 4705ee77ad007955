// The reports of the race detector, and the interface that receives them.
#pragma once

#include <cstdint>

namespace tarry::native {

struct Access {
  std::uint32_t thread = 0;
  std::uint32_t step = 0;
  std::uintptr_t pc = 0;
  std::uintptr_t address = 0;
  std::uint64_t size = 0;
  bool write = false;
  bool atomic = false;
  bool of_object = false;  // an operation of a synchronisation object; `write`: it is created or destroyed
};

/// Two overlapping accesses, at least one a write, not both atomic, of which neither happens before the other.
struct RaceReport {
  Access earlier, later;
};

/// Receives reports. It is called in the middle of an access: it may record the report, but must not call the detector.
class RaceSink {
 public:
  virtual ~RaceSink() = default;
  /// Returns whether accesses to this address can race at all.
  virtual bool concerns(std::uintptr_t /*address*/) { return true; }
  virtual void race(const RaceReport& report) = 0;
  /// Handles an access to a range that is gone (RaceDetector::gone). Returns true if these bytes are gone; the access then has no
  /// other effect.
  virtual bool uses_gone(const Access& /*access*/) { return false; }
  /// Reports a use after free. `freed` is the free: its address and size are those of the freed bytes that are known best, at
  /// most eight.
  virtual void use_after_free(const Access& access, const Access& freed) = 0;
};

}  // namespace tarry::native
