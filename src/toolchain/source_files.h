// Which files are sources, and whether a file that the user named can be read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace tarry {

bool is_c_source(const std::filesystem::path& file);
bool is_cxx_source(const std::filesystem::path& file);
bool is_shared_object(const std::filesystem::path& file);
/// Objects and libraries, which are linked as they are.
bool is_for_linker(const std::filesystem::path& file);

/// Returns why the file cannot be read, or nothing.
std::optional<Diagnostic> unreadable(const std::string& file);

/// Returns `file: error: what`.
Diagnostic wrong_file(const std::string& file, const std::string& what);

/// Does the source use the macro, after comments and strings are taken out?
bool uses_macro(const std::filesystem::path& source, std::string_view macro);

}  // namespace tarry
