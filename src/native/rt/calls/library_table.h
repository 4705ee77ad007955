// What is known of functions of libc: which memory of the caller they access, and which state that threads share they use.
#pragma once

#include <string_view>
#include <vector>

namespace tarry::native::rt {

/// The effect of a function as a short text.
///
/// First, if it uses state that threads share, a letter and a colon: K the kernel's, E the environment, R random numbers, B static buffers, S shift states,
/// Z the time zone, O the standard output, I the standard input, L the libraries that are loaded. A small letter: it only reads that state. A digit behind the letter: only if that
/// argument is 0. Then one letter per argument that is an integer or a pointer:
///   -       no access
///   s  W    reads a text; a text of wide characters
///   SN YN   the same, at most as many characters as argument N says
///   rN wN   reads, writes as many bytes as argument N (counted from 0) says
///   RN VN   the same, as many wide characters
///   <N >N   reads, writes N bytes
///   [       reads as far as the next argument points
///   F       uses a stream
///   ?       accesses memory in a way that is not known
///   *       the same, for this argument and every later one
///   !       accesses memory that no argument leads to
/// `@`: accesses are told by a function of library_calls.cc.
/// An empty effect is that of a harmless function. nullptr: the function is not known.
const char* effect_of(std::string_view name);

struct KnownFunction {
  std::string_view name;
  const char* effect;
};
/// All of them, sorted by name.
const std::vector<KnownFunction>& known_functions();

}  // namespace tarry::native::rt
