// A report as JUnit XML, which CI servers read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "trace/render/report.h"

namespace tarry {

/// One test suite with one test case; a finding is its failure.
std::string render_junit(const Report& report);

/// Writes it whole or not at all, over what is there. Gives what is wrong, if anything.
std::optional<Diagnostic> write_junit(const std::filesystem::path& file, const Report& report);

}  // namespace tarry
