#include "native/rt/threads/interruptions.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "native/rt/base/admitted.h"
#include "native/rt/base/part.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Learned over all executions.
struct Interruptions : Kept {
  struct Location {
    bool handler_reads = false, handler_writes = false;
    struct Write {
      std::uint32_t thread;
      std::uintptr_t pc;
      bool operator==(const Write&) const = default;
    };
    std::vector<Write> cancelled;  // by threads that could be cancelled at any moment
  };
  Lasting<std::unordered_map<std::uintptr_t, Location>> locations;
  bool learned = false;  // since it was last asked for
};
template struct RoomOf<Interruptions>;

namespace {

/// Memory in pieces of four bytes, as in the order of steps.
constexpr std::uintptr_t kPieceSize = 4;
constexpr std::size_t kMostPieces = 1 << 18;

using Location = Interruptions::Location;
std::unordered_map<std::uintptr_t, Location>& locations() { return *part<Interruptions>().locations; }

void becomes_point(std::uintptr_t pc) {
  if (g_watch.every_access) return found_torn(pc);
  auto& found = found_racing();
  if (g_watch.racing.contains(pc) || std::find(found.begin(), found.end(), pc) != found.end()) return;
  found.push_back(pc);
}

Location* location_at(std::uintptr_t piece, bool add) {
  auto& all = locations();
  const auto found = all.find(piece);
  if (found != all.end()) return &found->second;
  if (!add) return nullptr;
  if (all.size() < kMostPieces) return &all[piece];
  admit("handlers of signals, or threads that can be cancelled at any moment, touch more than 1 MiB of memory: not all accesses at which they could strike were explored");
  return nullptr;
}

void touched_by_handler(Location& location, bool writes) {
  bool& known = writes ? location.handler_writes : location.handler_reads;
  if (known) return;
  known = true;
  part<Interruptions>().learned = true;
}

void written_while_cancellable(Location& location, std::uintptr_t pc) {
  const Location::Write write{scheduler().running(), pc};
  auto& writes = location.cancelled;
  if (std::find(writes.begin(), writes.end(), write) == writes.end()) writes.push_back(write);
}

/// A thread that looks at the location sees how far the cancelled thread came: another thread, or the cancelled thread itself while it cleans up.
void seen_by(const Thread& self, const Location& location) {
  for (const Location::Write& write : location.cancelled)
    if (write.thread != scheduler().running() || self.end.exiting) becomes_point(write.pc);
}

/// The handler that the thread is in, unless it was left by a jump. Its own variables lie below where it began.
bool is_in_handler(Thread& self) {
  if (self.signals.handler_stack != nullptr && static_cast<const char*>(__builtin_frame_address(0)) > self.signals.handler_stack) self.signals.handler_stack = nullptr;
  return self.signals.handler_stack != nullptr;
}
bool is_of_handler(const Thread& self, const void* address) {
  const auto* const at = static_cast<const char*>(address);
  return at < self.signals.handler_stack && at > static_cast<const char*>(__builtin_frame_address(0));
}

}  // namespace

void may_be_interrupted(const void* address, std::size_t size, bool writes, std::uintptr_t pc) {
  Thread& self = scheduler().self();
  const bool in_handler = is_in_handler(self);
  if (in_handler && is_of_handler(self, address)) return;
  const bool cancellable = self.cancel.asynchronous && !self.cancel.disabled && !self.end.exiting;
  if (!in_handler && !cancellable && locations().empty()) return;  // no handler has run yet
  const EngineScope engine;  // not before: a real signal that comes meanwhile is not handled
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::size_t pieces = (at % kPieceSize + size + kPieceSize - 1) / kPieceSize;
  for (std::size_t i = 0; i < pieces; ++i) {
    Location* const location = location_at(at / kPieceSize + i, in_handler || (cancellable && writes));
    if (location == nullptr) continue;
    if (in_handler) touched_by_handler(*location, writes);
    else if (location->handler_writes || (writes && location->handler_reads)) becomes_point(pc);
    seen_by(self, *location);
    if (cancellable && writes) written_while_cancellable(*location, pc);
  }
}

bool learned_of_interruptions() {
  return std::exchange(part<Interruptions>().learned, false);
}

}  // namespace tarry::native::rt
