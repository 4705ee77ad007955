// Assembly in the sources of a program: compilers do not instrument it, so what it accesses is not seen.
//
// A source counts if it, or a header of the user's that it includes, has a statement of assembly that may access memory. Barriers and pauses access none, and
// names of symbols (`int f(void) asm("g");`) are no statements. What the preprocessor leaves out counts as well: better a word too many under a verdict.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace tarry::native {

/// Headers are looked for beside the file that includes them, and in the folders; those of the system are passed over.
bool has_assembly(const std::filesystem::path& source, const std::vector<std::filesystem::path>& folders);

/// The same of the text of one file.
bool is_text_with_assembly(std::string_view text);

}  // namespace tarry::native
