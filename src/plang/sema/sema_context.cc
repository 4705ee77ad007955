#include "plang/sema/sema_context.h"

#include <fmt/format.h>

#include <algorithm>

namespace tarry::plang {

bool SemaContext::is_full() const {
  const std::vector<Problem>& all = diagnostics.problems();
  if (all.size() < Diagnostics::kMost) return false;
  const auto errors = std::count_if(all.begin(), all.end(), [](const Problem& one) { return one.severity == Severity::kError; });
  return static_cast<std::size_t>(errors) >= Diagnostics::kMost;
}

void SemaContext::report_not_found(const Name& name, std::string_view what, const Machine* machine,
                               const Suggestions& suggestions) const {
  if (const auto other = other_meaning(name.text, global, names_of(machine))) {
    const std::string_view article = std::string_view("aeiou").find(what.front()) == std::string_view::npos ? "a" : "an";
    error("E07", name.place, fmt::format("'{}' is {}, not {} {}{}", name.text, other->what, article, what, suggestions.text()),
          {{other->place, fmt::format("'{}' is declared here", name.text)}});
    return;
  }
  error("E07", name.place, fmt::format("no {} is named '{}'{}", what, name.text, suggestions.text()));
}

const Event* SemaContext::find_event(const Name& name) const {
  if (name.text == "null") return program.events[kNullEvent];
  if (name.text == "halt") return program.events[kHaltEvent];
  const Event* event = global.events.find(name.text);
  if (event == nullptr) not_found(name, "event", nullptr, global.events);
  return event;
}

std::vector<Note> declared_here(const Name& name) {
  if (name.text == "null" || name.text == "halt") return {};
  return {{name.place, fmt::format("'{}' is declared here", name.text)}};
}

}  // namespace tarry::plang
