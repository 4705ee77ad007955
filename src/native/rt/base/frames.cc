#include "native/rt/base/frames.h"

#include <unwind.h>

#include "native/rt/base/modules.h"
#include "native/rt/base/side.h"

namespace tarry::native::rt {
namespace {

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* raw) {
  auto& frames = *static_cast<std::vector<Frame>*>(raw);
  int before = 0;
  std::uintptr_t pc = _Unwind_GetIPInfo(context, &before);
  if (pc == 0 || frames.size() >= 80) return _URC_END_OF_STACK;
  pc = before == 0 ? pc - 1 : pc + 1;  // the call, not what follows it; where a signal came, behind the first byte of the instruction (abi/messages.h)
  frames.push_back({pc, _Unwind_GetCFA(context)});  // that is the frame address of the function that it called
  return _URC_NO_REASON;
}

}  // namespace

std::vector<Frame> frames_here() {
  std::vector<Frame> frames;
  _Unwind_Backtrace(add_frame, &frames);
  return frames;
}

std::vector<std::uintptr_t> places_of(const std::vector<Frame>& frames) {
  std::vector<std::uintptr_t> places;
  for (const Frame& frame : frames)
    if (!in_runtime(frame.pc)) places.push_back(frame.pc);
  return places;
}

std::uintptr_t calling_place(std::uintptr_t pc) {
  const EngineScope engine;
  const std::uintptr_t place = first_of_program(backtrace());
  return place == 0 ? pc : place + 1;
}

}  // namespace tarry::native::rt
