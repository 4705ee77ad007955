#include "native/rt/unenforced_calls.h"

#include "native/rt/side.h"

namespace tarry::native::rt {
namespace {
const char* g_function = nullptr;
}  // namespace

void is_not_enforced(const char* function) {
  if (in_program() && g_function == nullptr) g_function = function;
}
const char* unenforced_call() { return g_function; }
void forget_unenforced_call() { g_function = nullptr; }

}  // namespace tarry::native::rt
