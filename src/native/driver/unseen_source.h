// What compilers do not instrument in the sources of a program: inline assembly, and functions that are exempt by an attribute (no_sanitize). The run-time
// does not see what such code accesses.
//
// A source counts if it, or a header of the user's that it includes, has a statement of assembly that may access memory, or an attribute that exempts a
// function from ThreadSanitizer. Barriers and pauses access no memory, and names of symbols (`int f(void) asm("g");`) are no statements. Macros that stand
// for the word of a statement or for an attribute count where they are used. What the preprocessor leaves out counts as well: a word too many under a
// verdict is better than a word too few.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace tarry::native {

struct UnseenSource {
  bool assembly = false;
  bool exempt = false;

  bool operator==(const UnseenSource&) const = default;
};

/// Looks for headers beside the file that includes them, and in the folders. Passes over those of the system.
UnseenSource unseen_in(const std::filesystem::path& source, const std::vector<std::filesystem::path>& folders);

/// The same of the text of one file.
UnseenSource unseen_in_text(std::string_view text);

}  // namespace tarry::native
