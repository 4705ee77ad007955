// From how far a search came to what is said about it.
#pragma once

#include <string>

#include "cli/check_options.h"
#include "core/subject.h"
#include "trace/render/report.h"

namespace tarry::cli {

/// All but the findings' traces and the sentence.
Report make_report(const CheckOptions& options, SearchResult result, const Effort& effort);

/// The sentence for people, and the notes. Requires: findings and their traces are in the report.
void put_into_words(Report& report, const CheckOptions& options);

/// Equal findings (same_finding) are kept once: that with the shortest schedule.
std::vector<ReportedFinding> merged(const std::vector<Finding>& findings);

}  // namespace tarry::cli
