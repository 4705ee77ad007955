#include "core/subject.h"

#include <string_view>
#include <utility>

#include "core/usage.h"

namespace tarry {
namespace {

/// The same place, seen from two folders? The files are known to be the same.
bool same_place(std::string_view a, std::string_view b) {
  for (std::string_view* text : {&a, &b})
    while (text->starts_with("../") || text->starts_with("./")) text->remove_prefix(text->find('/') + 1);
  if (a.size() < b.size()) std::swap(a, b);
  return a == b || (!b.empty() && a.ends_with(b) && (b.starts_with('/') || a[a.size() - b.size() - 1] == '/'));
}

/// Compares two messages of a finding. A crash that overwrote the stack may have destroyed the note of who ran: "… in a step" then stands for "… in a step
/// of process 0".
bool same_message(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return a == b || (a.ends_with("in a step") && b.starts_with(a) && b.substr(a.size()).starts_with(" of "));
}

}  // namespace

Diagnostic Subject::debug(const Finding& /*finding*/, std::chrono::milliseconds /*step_timeout*/) const { return usage_error("--gdb is for programs with threads"); }

bool shows(const Rerun& rerun, const Finding& finding) {
  return !rerun.replay.diverged_at && rerun.ending.kind == finding.kind && (same_message(rerun.ending.message, finding.message) || rerun.replay.in_search == finding.message) &&
         (finding.location.empty() || same_place(rerun.ending.location, finding.location)) && rerun.steps == finding.steps;
}

}  // namespace tarry
