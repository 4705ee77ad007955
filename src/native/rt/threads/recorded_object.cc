#include "native/rt/threads/recorded_object.h"

#include <string>

#include "native/rt/base/modules.h"
#include "native/rt/threads/allocations.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {
namespace {

/// A thread that runs is further than its last point; all others stand at theirs.
std::vector<Frame> frames_of(std::uint32_t thread) {
  const auto* const here = static_cast<const char*>(__builtin_frame_address(0));
  return scheduler().owner_of_stack(here) == thread ? frames_here() : (*recorded_points().stacks)[thread];
}

/// In whose frame an object lies. The outermost one has no end that is known.
void find_frame(const std::vector<Frame>& frames, RecordedObject& out) {
  for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
    if (out.address < frames[i].from || out.address >= frames[i + 1].from) continue;
    out.frame = place_of(frames[i].pc);
    out.frame_from = frames[i].from;
    out.frame_to = frames[i + 1].from;
    return;
  }
}

}  // namespace

RecordedObject object_of(const void* object) {
  RecordedObject out{.address = reinterpret_cast<std::uint64_t>(object), .name = "", .variable = {}};
  if (object == nullptr) return out;
  const program_heap::Block block = program_heap::find(object);
  if (block.start != nullptr) {
    out.name = "heap block " + std::to_string(block.number) + " of " + name_of_thread(block.thread);
    out.offset = out.address - reinterpret_cast<std::uint64_t>(block.start);
    out.allocated = stack_of_places(allocated_by(block.start));
    return out;
  }
  if (in_runtime(out.address)) {  // a thread, or nothing that the user knows
    const auto offset = out.address - reinterpret_cast<std::uint64_t>(&scheduler().thread(0));
    if (offset < kMaxThreads * sizeof(Thread)) out.name = name_of_thread(static_cast<std::uint32_t>(offset / sizeof(Thread)));
    else out.address = 0;
    return out;
  }
  if (const std::uint32_t owner = scheduler().owner_of_stack(object); owner != Scheduler::kNobody) find_frame(frames_of(owner), out);
  else out.variable = place_of(out.address);
  return out;
}

bool has_object(const Operation& operation) {
  switch (operation.op) {
    case Op::kJoin:
    case Op::kTryJoin:
    case Op::kEnd:
    case Op::kReceive:
    case Op::kSend:
    case Op::kPoll:
    case Op::kFile:
    case Op::kSetTimer:
    case Op::kReadTimer:
    case Op::kExpire:
    case Op::kAtExit:
    case Op::kPendingSignals:
    case Op::kLibraryState: return false;
    default: return true;
  }
}

}  // namespace tarry::native::rt
