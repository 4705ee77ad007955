// The file of --dump-traces (docs/trace-dump.md), put together from what the workers have written (rt/session/trace_dump.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace tarry::native {

/// Makes the file, or empties it. Returns what is wrong, if anything.
std::optional<Diagnostic> begin_dump(const std::filesystem::path& file);

/// Appends a line that names the test and the search, and then the executions of all workers, whose files are removed. Returns what is wrong, if anything.
std::optional<Diagnostic> collect_dump(const std::filesystem::path& file, std::uint32_t workers, const std::string& test, const std::string& search);

}  // namespace tarry::native
