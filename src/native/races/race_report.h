// What the race detector says, and to whom.
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
  bool of_object = false;  // an operation of a synchronisation object; `write`: it is made or destroyed
};

/// Two accesses that overlap, one a write, not both atomic, and neither happens before the other.
struct RaceReport {
  Access earlier, later;
};

/// Is called in the middle of an access: it may note what it is told, but not call the detector.
class RaceSink {
 public:
  virtual ~RaceSink() = default;
  /// Whether accesses to this address can race at all.
  virtual bool concerns(std::uintptr_t /*address*/) { return true; }
  virtual void race(const RaceReport& report) = 0;
  /// An access where something is gone for ever (RaceDetector::gone): true if it is, and the access counts for nothing else.
  virtual bool uses_gone(const Access& /*access*/) { return false; }
  /// `freed` is the free: its address and size are those of the bytes of it that are known best, at most eight.
  virtual void use_after_free(const Access& access, const Access& freed) = 0;
};

}  // namespace tarry::native
