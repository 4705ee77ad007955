// The problems of a P program: collected, then reported in the order of the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plang/syntax/source.h"

namespace tarry::plang {

enum class Severity { kError, kWarning };

struct Note {
  Place place;
  std::string text;
};

struct Problem {
  Severity severity = Severity::kError;
  std::string id;  // "E22", "W1": the kinds of docs/p-reference.md
  Place place;
  std::string text;
  std::vector<Note> notes;
};

/// Stops the front end at once. Thrown by `Diagnostics::error` in strict mode and by `stop`; caught in compile().
struct Stop {};

class Diagnostics {
 public:
  enum class Mode { kAll, kFirstOnly };
  explicit Diagnostics(Mode mode = Mode::kAll) : mode_(mode) {}

  /// Adds an error. Keeps at most one problem with the same id at the same place, and at most kMost errors.
  void error(std::string_view id, Place place, std::string text, std::vector<Note> notes = {});
  void warning(std::string_view id, Place place, std::string text, std::vector<Note> notes = {});
  [[noreturn]] void stop() const { throw Stop{}; }

  bool failed() const { return errors_ > 0; }
  /// Returns the problems sorted by file, line and column.
  std::vector<Problem> sorted() const;
  const std::vector<Problem>& problems() const { return problems_; }

  static constexpr std::size_t kMost = 100;

 private:
  Mode mode_;
  std::size_t errors_ = 0;
  std::vector<Problem> problems_;
};

/// Returns all problems as text: "file:line:col: error: text [E22]\nfile:line:col: note: …\n".
std::string render(const Sources& sources, const std::vector<Problem>& problems);

}  // namespace tarry::plang
