#include "native/rt/posix/process.h"

#include <cstring>
#include <new>

#include "native/rt/heap.h"

namespace tarry::native::rt {
namespace {
ProcessState* g_state = nullptr;
}  // namespace

ProcessState& process_state() { return *g_state; }

void make_process_state() {
  if (g_state == nullptr) g_state = new (program_heap::allocate(sizeof(ProcessState))) ProcessState{};
}

}  // namespace tarry::native::rt
