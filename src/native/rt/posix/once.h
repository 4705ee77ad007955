// pthread_once under the name that C11 has for it.
#pragma once

#include <cstdint>

namespace tarry::native::rt {

void call_once_only(int* once, void (*routine)(), std::uintptr_t pc);

}  // namespace tarry::native::rt
