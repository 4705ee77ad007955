#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/units.h"
#include "cli/terminal.h"

namespace tarry::cli {
namespace {

constexpr double kNowAndThen = 10;  // seconds

}  // namespace

ProgressLine::ProgressLine(const CheckOptions& options, const Progress& progress)
    : options_(options),
      progress_(progress),
      mode_(options.no_progress                                    ? Mode::kNone
            : options.form->to == Renderer::To::kScreen && ::isatty(STDERR_FILENO) != 0 ? Mode::kLive
                                                                 : Mode::kNowAndThen) {}

ProgressLine::~ProgressLine() {
  if (shown_ && mode_ == Mode::kLive) fmt::print(stderr, "\r\x1b[K");
}

void ProgressLine::tick(double seconds) {
  if (mode_ == Mode::kNone || (mode_ == Mode::kNowAndThen && seconds - last_seconds_ < kNowAndThen)) return;
  const std::string line = text(seconds);
  shown_ = true;
  if (mode_ == Mode::kLive) {
    const auto width = static_cast<std::size_t>(std::max(20, terminal_width(stderr) - 1));
    fmt::print(stderr, "\r{}\x1b[K", line.substr(0, width));
  } else {
    fmt::print(stderr, "tarry: {}\n", line);
  }
  std::fflush(stderr);
}

std::string ProgressLine::text(double seconds) {
  const Progress::Totals totals = progress_.totals();
  const bool runs = totals.states == 0 && totals.executions > 0;  // a program that is run again and again has no states to count
  const std::uint64_t count = runs ? totals.executions : totals.states;
  const double now = static_cast<double>(count - std::min(count, last_count_)) / std::max(1e-3, seconds - last_seconds_);
  rate_ = last_seconds_ == 0 || mode_ == Mode::kNowAndThen ? now : 0.8 * rate_ + 0.2 * now;
  last_seconds_ = seconds;
  last_count_ = count;

  std::string out = fmt::format("{}, {} {}", seconds_text(seconds), with_separators(count), runs ? "executions" : "states");
  if (rate_ >= 1) out += fmt::format(", {}/s", with_separators(static_cast<std::uint64_t>(rate_)));
  if (!runs && totals.executions > 0) out += fmt::format(", {} executions", with_separators(totals.executions));
  if (const auto bound = progress_.bound.load(std::memory_order_relaxed); bound > 0) out += fmt::format(", bound {}", with_separators(bound));
  if (const auto frontier = progress_.frontier.load(std::memory_order_relaxed); frontier > 0) out += fmt::format(", frontier {}", with_separators(frontier));
  if (const auto memory = progress_.memory.load(std::memory_order_relaxed); memory > 0) out += fmt::format(", {}", size_text(memory));
  if (const auto& time = options_.engine.limits.time) {
    const double left = std::max(0.0, static_cast<double>(time->count()) / 1000 - seconds);
    out += left < 1 ? ", time is up" : fmt::format(", {} left", seconds_text(static_cast<double>(static_cast<std::uint64_t>(left))));
  }
  return out;
}

SearchEnd search_with_progress(const Subject& subject, const CheckOptions& options) {
  std::optional<ProgressLine> line;
  return subject.search(options, [&](const Progress& progress, double seconds) {
    if (!line) line.emplace(options, progress);
    line->tick(seconds);
  });
}

}  // namespace tarry::cli
