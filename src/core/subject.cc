#include "core/subject.h"

#include <algorithm>
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

/// Returns what a crash is, without where: a program that overwrites its stack may destroy the address and the note of the running process, or both.
std::string_view cause_of_crash(std::string_view message) { return message.substr(0, std::min(message.find(" at address "), message.find(" in a step"))); }

/// Compares the messages of two findings of one kind.
bool same_message(FindingKind kind, std::string_view a, std::string_view b) {
  if (a == b) return true;
  constexpr std::string_view kOf = " in a step of ";
  const std::size_t in_a = a.find(kOf), in_b = b.find(kOf);
  const bool both_know = in_a != a.npos && in_b != b.npos;
  return kind == "crash" && cause_of_crash(a) == cause_of_crash(b) && (!both_know || a.substr(in_a) == b.substr(in_b));
}

}  // namespace

Diagnostic Subject::debug(const Finding& /*finding*/, std::chrono::milliseconds /*step_timeout*/) const { return usage_error("--gdb is for programs with threads"); }

bool shows(const Rerun& rerun, const Finding& finding) {
  return !rerun.replay.diverged_at && rerun.ending.kind == finding.kind && (same_message(finding.kind, rerun.ending.message, finding.message) || rerun.replay.in_search == finding.message) &&
         (finding.location.empty() || same_place(rerun.ending.location, finding.location)) && rerun.steps == finding.steps;
}

std::string why_not(const RerunResult& result) {
  if (const auto* fault = std::get_if<OurFault>(&result)) return fault->text;
  if (const auto* given_up = std::get_if<GivenUp>(&result)) return given_up->why;
  return std::get<Diagnostic>(result).text;
}

}  // namespace tarry
