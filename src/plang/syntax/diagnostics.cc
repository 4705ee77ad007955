#include "plang/syntax/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace tarry::plang {
namespace {

/// Returns whether the list accepts this problem: it is new, and there is room. The list is short, so a linear search is cheap.
bool has_room(const std::vector<Problem>& problems, Severity severity, std::string_view id, Place place) {
  std::size_t alike = 0;
  for (const Problem& problem : problems) {
    if (problem.id == id && problem.place == place) return false;
    alike += problem.severity == severity ? 1 : 0;
  }
  return alike < Diagnostics::kMost;
}

}  // namespace

void Diagnostics::error(std::string_view id, Place place, std::string text, std::vector<Note> notes) {
  if (has_room(problems_, Severity::kError, id, place)) {
    problems_.push_back({Severity::kError, std::string(id), place, std::move(text), std::move(notes)});
    ++errors_;
  }
  if (mode_ == Mode::kFirstOnly) stop();
}

void Diagnostics::warning(std::string_view id, Place place, std::string text, std::vector<Note> notes) {
  if (!has_room(problems_, Severity::kWarning, id, place)) return;
  problems_.push_back({Severity::kWarning, std::string(id), place, std::move(text), std::move(notes)});
}

std::vector<Problem> Diagnostics::sorted() const {
  std::vector<Problem> result = problems_;
  std::stable_sort(result.begin(), result.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.place.file, a.place.offset) < std::tie(b.place.file, b.place.offset);
  });
  return result;
}

std::string render(const Sources& sources, const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& problem : problems) {
    fmt::format_to(std::back_inserter(out), "{}: {}: {} [{}]\n", sources.text(problem.place),
                   problem.severity == Severity::kError ? "error" : "warning", problem.text, problem.id);
    for (const Note& note : problem.notes)
      fmt::format_to(std::back_inserter(out), "{}: note: {}\n", sources.text(note.place), note.text);
  }
  return out;
}

}  // namespace tarry::plang
