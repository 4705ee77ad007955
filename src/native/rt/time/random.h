// Random numbers from the system: for the program a function of the thread and of how many it has drawn, the same in every execution.
#pragma once

#include <cstddef>

namespace tarry::native::rt {

void fill_randomly(void* to, std::size_t size);

}  // namespace tarry::native::rt
