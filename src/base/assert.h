// TARRY_ASSERT checks an invariant of Tarry itself, in release builds too: a wrong verdict is worse than a slow one.
#pragma once

namespace tarry {
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
}

#define TARRY_ASSERT(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::tarry::assertion_failed(#condition, __FILE__, __LINE__))
