// What a program says to ThreadSanitizer by annotations, as libraries do that know they are instrumented: taken by its meaning.
#pragma once

#include <cstdint>
#include <string>

namespace tarry::native::rt {

/// Before control is taken: asks the program for the suppressions that it has in itself (__tsan_default_suppressions, __tsan_default_options).
void ask_for_suppressions();
/// Lines as in a file of suppressions.
const std::string& suppressions_of_program();

}  // namespace tarry::native::rt
