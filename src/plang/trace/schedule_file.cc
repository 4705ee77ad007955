#include "plang/trace/schedule_file.h"

#include <fmt/format.h>

#include <charconv>

namespace tarry::plang {
namespace {

constexpr std::string_view kTest = "--test-method:", kFair = "--fair-scheduling",
                           kThreshold = "--liveness-temperature-threshold:";
constexpr const char* kAStep = "a decision such as (1), True, False or a number";

/// What stands there, for an error: not all of a long line, and no control characters.
std::string found(std::string_view text) {
  if (text.empty()) return "nothing";
  std::string out;
  for (const char c : text.substr(0, 40)) out += c >= ' ' && c < 127 ? c : '?';
  return "'" + out + (text.size() > 40 ? "..." : "") + "'";
}

/// The number that the whole text is, if it is one without sign and superfluous zeros.
std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  return value;
}

class Reader {
 public:
  Reader(const std::string& name, std::string_view text) : name_(name), rest_(text) {}

  Result<ScheduleFile> read() {
    while (!rest_.empty()) {
      ++line_;
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      std::string_view text = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      if (text.ends_with('\r')) text.remove_suffix(1);
      if (const auto problem = read_line(text)) return *problem;
    }
    if (out_.steps.empty()) return wrong(line_ + 1, 1, "a decision such as (0)", "the end of the file");
    return out_;
  }

 private:
  Diagnostic wrong(std::uint32_t line, std::size_t column, const std::string& expected, const std::string& instead) const {
    return {fmt::format("{}:{}:{}: error: expected {}, found {}", name_, line, column, expected, instead)};
  }

  std::optional<Diagnostic> read_line(std::string_view text) {
    if (text.empty() || text.starts_with("//")) return std::nullopt;
    if (text.starts_with("--")) return read_header(text);
    ScheduleStep step{ScheduleStep::Kind::kInteger, 0, line_};
    if (text == "True" || text == "False") {
      step.kind = ScheduleStep::Kind::kBoolean;
      step.number = text == "True" ? 1 : 0;
    } else if (text.starts_with('(')) {
      const std::string_view inside = text.substr(1, text.size() - (text.ends_with(')') && text.size() > 1 ? 2 : 1));
      const auto id = number(inside);
      if (!id || *id > 0xffff'ffff) return wrong(line_, 2, "the number of an operation", found(inside));
      if (!text.ends_with(')')) return wrong(line_, text.size() + 1, "')'", "the end of the line");
      step.kind = ScheduleStep::Kind::kDecision;
      step.number = *id;
    } else {
      const auto value = number(text);
      if (!value) return wrong(line_, 1, kAStep, found(text));
      step.number = *value;
    }
    if (out_.steps.empty() && (step.kind != ScheduleStep::Kind::kDecision || step.number != 0))
      return wrong(line_, 1, "(0), the start of the root task, as the first step", found(text));
    out_.steps.push_back(step);
    return std::nullopt;
  }

  std::optional<Diagnostic> read_header(std::string_view text) {
    if (!out_.steps.empty()) return wrong(line_, 1, kAStep, found(text) + ", which belongs before the first step");
    if (text == kFair) {
      out_.fair = true;
    } else if (text.starts_with(kThreshold)) {
      out_.threshold = number(text.substr(kThreshold.size()));
      if (!out_.threshold) return wrong(line_, kThreshold.size() + 1, "a number of steps", found(text.substr(kThreshold.size())));
    } else if (text.starts_with(kTest)) {
      out_.test = std::string(text.substr(kTest.size()));
      if (out_.test.empty()) return wrong(line_, kTest.size() + 1, "the name of a test", "nothing");
    } else {
      return wrong(line_, 1, fmt::format("{}, {} or {}", kTest, kFair, kThreshold), found(text));
    }
    return std::nullopt;
  }

  const std::string& name_;
  std::string_view rest_;
  std::uint32_t line_ = 0;
  ScheduleFile out_;
};

}  // namespace

std::string step_text(const ScheduleStep& step) {
  switch (step.kind) {
    case ScheduleStep::Kind::kDecision: return fmt::format("({})", step.number);
    case ScheduleStep::Kind::kBoolean: return step.number != 0 ? "True" : "False";
    default: return fmt::format("{}", step.number);
  }
}

std::string schedule_text(const ScheduleFile& file) {
  std::string out;
  if (file.fair) out += fmt::format("{}\n", kFair);
  if (file.threshold) out += fmt::format("{}{}\n", kThreshold, *file.threshold);
  if (!file.test.empty()) out += fmt::format("{}{}\n", kTest, file.test);
  for (const ScheduleStep& step : file.steps) out += step_text(step) + "\n";
  return out;
}

Result<ScheduleFile> parse_schedule(const std::string& name, std::string_view text) { return Reader(name, text).read(); }

}  // namespace tarry::plang
