// What is known of functions of libstdc++ and libc++ that are not instrumented: which memory of the caller they access.
#pragma once

#include <string_view>

namespace tarry::native::rt {

/// The effect of a function with this symbol, as in library_table.h. Functions that are not known may access all that their arguments lead to ("*"). An empty effect is
/// that of a harmless function: one whose accesses to shared memory are told elsewhere, or ordered by what it calls.
const char* effect_of_cxx(std::string_view symbol);

/// The same for a virtual function that the tables of classes in the library lead to, and no import of the program. nullptr: it is none of those that count.
const char* effect_of_virtual(std::string_view symbol);

/// A virtual function without a symbol: the table of its class, and its place there behind the two words for run-time types.
struct VirtualFunction {
  const char* table;
  unsigned place;
  const char* name;
  const char* effect;
};
/// Resources of memory that are not synchronized: each use changes them.
inline constexpr VirtualFunction kVirtualFunctions[] = {{"_ZTVNSt3pmr25monotonic_buffer_resourceE", 2, "std::pmr::monotonic_buffer_resource::do_allocate", ">8"}};

}  // namespace tarry::native::rt
