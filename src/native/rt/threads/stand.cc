#include "native/rt/threads/stand.h"

#include <unwind.h>

#include <bit>
#include <cstddef>

#include "base/assert.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"

namespace tarry::native::rt {

/// From the runtime into the program, as they were met.
struct WaysOut : Kept {
  static constexpr std::uint32_t kMostFrames = 12, kMost = 32;

  struct Frame {
    std::uint32_t at;     // where its return address is, in words from the frame of `stand`
    std::uintptr_t next;  // the return address
  };
  struct Way {
    std::uint32_t frames;
    Frame frame[kMostFrames];           // without the last one, which goes on in the program
    std::uint32_t end;                  // where that has its return address
    std::array<std::int32_t, 6> saved;  // where the registers are
    std::uint64_t used;
  };
  Way ways[kMost] = {};
  std::uint32_t count = 0;
};
template struct RoomOf<WaysOut>;

namespace {

using Way = WaysOut::Way;

constexpr std::array kPreserved = {3, 6, 12, 13, 14, 15};  // rbx, rbp, r12 to r15, by their numbers in DWARF

std::uintptr_t word_at(const std::uintptr_t* frame, std::int64_t at) { return *const_cast<const volatile std::uintptr_t*>(frame + at); }

/// The unwinder's walk, from `stand` to the first frame that is not the runtime's.
struct Walk {
  const std::uintptr_t* frame = nullptr;  // of `stand`
  const std::uintptr_t* low = nullptr;    // its stack pointer
  bool begun = false, learns = false, known = false;
  Stand stand = {};
  Way way = {};
};

/// Where in the frames the unwinder gets a register from. It writes what it is told to set to there. False: elsewhere.
bool find_saved(_Unwind_Context* context, int number, Walk& walk, std::int32_t& at) {
  const auto* const high = reinterpret_cast<const std::uintptr_t*>(walk.stand.stack);
  const std::uint64_t value = _Unwind_GetGR(context, number);
  bool found = false;
  for (const std::uintptr_t* word = walk.low; word < high && !found; ++word) {
    if (word_at(word, 0) != value) continue;
    _Unwind_SetGR(context, number, ~value);
    found = word_at(word, 0) == ~value;
    _Unwind_SetGR(context, number, value);
    at = static_cast<std::int32_t>(word - walk.frame);
  }
  return found;
}

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* raw) {
  auto& walk = *static_cast<Walk*>(raw);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (pc == 0) return _URC_END_OF_STACK;
  const auto* const stack = reinterpret_cast<const std::uintptr_t*>(_Unwind_GetCFA(context));  // behind its return address
  if (walk.begun && word_at(stack, -1) != pc) walk.learns = false;  // no return address: a signal came here, the handler of a system call for example
  if (in_runtime(pc - 1)) {
    if (!walk.begun) walk.low = stack;
    else if (walk.way.frames == WaysOut::kMostFrames) walk.learns = false;
    else walk.way.frame[walk.way.frames++] = {static_cast<std::uint32_t>(stack - 1 - walk.frame), pc};
    walk.begun = true;
    return _URC_NO_REASON;
  }
  walk.stand.pc = pc;
  walk.stand.stack = _Unwind_GetCFA(context);
  for (std::size_t i = 0; i < kPreserved.size(); ++i) walk.stand.registers[i] = _Unwind_GetGR(context, kPreserved[i]);
  walk.way.end = static_cast<std::uint32_t>(stack - 1 - walk.frame);
  walk.known = walk.begun && walk.learns;
  for (std::size_t i = 0; i < kPreserved.size() && walk.known; ++i) walk.known = find_saved(context, kPreserved[i], walk, walk.way.saved[i]);
  return _URC_END_OF_STACK;
}

bool leads(const Way& way, const std::uintptr_t* frame) {
  for (std::uint32_t i = 0; i < way.frames; ++i)
    if (word_at(frame, way.frame[i].at) != way.frame[i].next) return false;
  return !in_runtime(word_at(frame, way.end) - 1);
}

Stand by(const Way& way, const std::uintptr_t* frame) {
  Stand out{.pc = word_at(frame, way.end), .stack = reinterpret_cast<std::uintptr_t>(frame + way.end + 1)};
  for (std::size_t i = 0; i < out.registers.size(); ++i) out.registers[i] = word_at(frame, way.saved[i]);
  return out;
}

}  // namespace

[[gnu::noinline]] Stand stand() {
  __builtin_unwind_init();  // all of those registers are saved here, if in no frame further out
  const auto* const frame = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  WaysOut& all = part<WaysOut>();
  Way* found = nullptr;
  for (std::uint32_t i = 0; i < all.count && found == nullptr; ++i)
    if (leads(all.ways[i], frame)) found = &all.ways[i];
  if (found != nullptr && !std::has_single_bit(++found->used)) return by(*found, frame);
  Walk walk{.frame = frame, .learns = found == nullptr && all.count < WaysOut::kMost};
  _Unwind_Backtrace(look_at_frame, &walk);
  if (found != nullptr) TARRY_ASSERT(walk.stand == by(*found, frame));
  else if (walk.known) all.ways[all.count++] = walk.way;
  return walk.stand;
}

}  // namespace tarry::native::rt
