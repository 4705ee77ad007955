// A report as the JSON object of `--json`: schema 1, a contract (DESIGN section 7).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "trace/render/report.h"

namespace tarry {

using OrderedJson = nlohmann::ordered_json;

/// Fields are in the order of the contract.
OrderedJson report_json(const Report& report);

/// As text, valid UTF-8 whatever the program printed. Of several tests: the worst one, and all of them in "tests".
/// Requires: there is one.
std::string render_json(const std::vector<Report>& reports);

/// What there is to say when a command ends without a verdict: "verdict" is "error". `kind`: "input" or "internal".
std::string render_error_json(const std::string& kind, const std::string& message, int exit_code);

}  // namespace tarry
