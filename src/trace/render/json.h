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

}  // namespace tarry
