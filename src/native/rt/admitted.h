// What the runtime could not do for the program, though a real system could. It is said in the verdict, each once: nothing is left out in silence.
#pragma once

#include <string>
#include <vector>

namespace tarry::native::rt {

/// By whoever runs. The text must live for ever.
void admit(const char* text);
std::vector<std::string> admitted();

}  // namespace tarry::native::rt
