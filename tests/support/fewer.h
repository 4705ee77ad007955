// Tests over random programs take several times as long under a sanitizer, which looks for other mistakes than they do: a tenth of the programs
// shows those, and `./test asan` stays something that one waits for.
#pragma once

namespace tarry::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr unsigned kSanitizedShare = 10;
#else
inline constexpr unsigned kSanitizedShare = 1;
#endif

/// So many programs, or so many of them with something to find in them: under a sanitizer a tenth of that.
template <class Number>
constexpr Number fewer(Number number) {
  return number / static_cast<Number>(kSanitizedShare);
}

}  // namespace tarry::test
