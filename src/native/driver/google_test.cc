#include "native/driver/google_test.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace tarry::native {
namespace {

constexpr std::string_view kFailure = ": Failure";

std::string output_of(const Answer& answer) {
  std::string all;
  for (const RecordedStep& step : answer.steps) all += step.output;
  return all;
}

bool is_banner(std::string_view line) {
  static constexpr std::array<std::string_view, 9> kBegins{"[==========]", "[----------]", "[ RUN      ]", "[       OK ]", "[  PASSED  ]", "[  FAILED  ]", "[  SKIPPED ]", "Note: Google Test filter = ", "Running main() from "};
  if (std::any_of(kBegins.begin(), kBegins.end(), [&](std::string_view begin) { return line.starts_with(begin); })) return true;
  const std::size_t digit = line.find_first_not_of(' ');  // " 1 FAILED TEST"
  return line.starts_with(' ') && digit != std::string_view::npos && line[digit] >= '0' && line[digit] <= '9' && line.find(" FAILED TEST") != std::string_view::npos;
}

std::string trimmed(const std::string& line) {
  const std::size_t from = line.find_first_not_of(" \t"), to = line.find_last_not_of(" \t\r");
  return from == std::string::npos ? "" : line.substr(from, to - from + 1);
}

}  // namespace

bool runs_google_test(const Answer& answer) {
  return std::any_of(answer.steps.begin(), answer.steps.end(), [](const RecordedStep& step) { return step.output.find("[ RUN      ] ") != std::string::npos; });
}

bool is_google_tests(const RecordedStep& step, Symbols& symbols) {
  // Its own accesses are none of these; the user's, made within an EXPECT_…, may be anything else.
  static constexpr std::array<std::string_view, 6> kOperations{"lock", "unlock", "call once", "called once", "initialize static", "static initialized"};
  if (std::find(kOperations.begin(), kOperations.end(), step.operation) == kOperations.end()) return false;
  for (const Place& place : step.stack)
    for (const SourceFrame& frame : symbols.frames(place)) {
      if (frame.function.starts_with("testing::")) return true;
      if (frame.is_users) return false;
    }
  return false;
}

std::string without_banner(const std::string& output) {
  std::string out;
  bool after_banner = false;  // the empty lines around it are its own
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size() - 1) + 1;
    const std::string line = output.substr(at, end - at);
    at = end;
    const std::string bare = line.ends_with('\n') ? line.substr(0, line.size() - 1) : line;
    if (is_banner(bare) || (after_banner && bare.empty())) {
      after_banner = true;
      continue;
    }
    after_banner = false;
    out += line;
  }
  return out;
}

std::optional<FailedExpectation> failed_expectation(const Answer& answer) {
  std::istringstream lines(output_of(answer));
  FailedExpectation out;
  for (std::string line; std::getline(lines, line);) {
    if (out.location.empty()) {
      if (line.ends_with(kFailure)) out.location = line.substr(0, line.size() - kFailure.size());
      continue;
    }
    const std::string text = trimmed(line);
    if (text.empty() || is_banner(line) || line.ends_with(kFailure)) break;
    if (!out.text.empty()) out.text += out.text.ends_with(':') ? " " : " / ";
    out.text += text;
  }
  return out.location.empty() ? std::nullopt : std::optional(out);
}

}  // namespace tarry::native
