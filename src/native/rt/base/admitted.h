// What the runtime could not do for the program, though a real system could. Each is said once in a note, and the verdict says that there are such notes:
// nothing is left out in silence.
#pragma once

#include <string>
#include <vector>

namespace tarry::native::rt {

/// Records the admission, whatever code runs. The text must live for ever. Returns whether it is new.
bool admit(const char* text);
/// The same of an instruction of the program that is not seen. The text is copied.
void admit_instruction(const char* name_and_line);
/// It was not so.
void withdraw(const char* text);
std::vector<std::string> admitted();

}  // namespace tarry::native::rt
