// What libc did to memory of the program unseen.
#pragma once

#include <string>

namespace tarry::native::rt {

/// Functions that instrumented code called while there were other threads, and whose accesses are not known: their names, or nothing.
std::string unseen_calls();

}  // namespace tarry::native::rt
