// A report as JUnit XML, which CI servers read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/render/report.h"

namespace tarry {

/// One test suite with a test case for each report; a finding is its failure. Requires: there is one.
std::string render_junit(const std::vector<Report>& reports);

/// Writes it whole or not at all, over what is there. Gives what is wrong, if anything.
std::optional<Diagnostic> write_junit(const std::filesystem::path& file, const std::vector<Report>& reports);

}  // namespace tarry
