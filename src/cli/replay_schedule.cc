#include "cli/replay_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "base/version.h"
#include "cli/findings.h"
#include "trace/render/json.h"

namespace tarry::cli {
namespace {

/// What is said about it.
struct ScheduleVerdict {
  int exit_code;
  std::string verdict;  // "bug", "no-bug", "limit", "diverged"
  std::string words;
};

ScheduleVerdict judge_schedule(const FollowedSchedule& followed) {
  const Rerun& rerun = followed.rerun;
  if (rerun.ending.kind == kLimitKind)
    return {kNoBug, "limit", fmt::format("stopped after {} steps: {}", with_separators(rerun.steps), rerun.ending.message)};
  if (!rerun.ending.kind.empty())
    return {kBug, "bug", fmt::format("the schedule shows {} after {} steps", rerun.ending.kind.name(), with_separators(rerun.steps))};
  if (followed.diverged_line != 0) return {kOurFault, "diverged", "the program goes another way: " + followed.divergence};
  return {kNoBug, "no-bug", fmt::format("the schedule ends without a bug after {} steps", with_separators(rerun.steps))};
}

void print_schedule_json(const ScheduleReplay& options, const FollowedSchedule& followed, const ScheduleVerdict& told) {
  const Rerun& rerun = followed.rerun;
  const OrderedJson out{{"schema", 1},
                 {"tarry", kVersion},
                 {"schedule", options.file},
                 {"target", options.target},
                 {"test", followed.test},
                 {"verdict", told.verdict},
                 {"kind", text_or_null(rerun.ending.kind.name())},
                 {"message", text_or_null(rerun.ending.message)},
                 {"location", text_or_null(rerun.ending.location)},
                 {"steps", rerun.steps},
                 {"diverged_line", told.verdict == "diverged" ? OrderedJson(followed.diverged_line) : OrderedJson(nullptr)},
                 {"verdict_text", told.words}};
  fmt::print("{}\n", json_text(out));
}

int show(const ScheduleReplay& options, const FollowedSchedule& followed) {
  const Rerun& rerun = followed.rerun;
  const ScheduleVerdict told = judge_schedule(followed);
  if (options.json) {
    print_schedule_json(options, followed, told);
  } else {
    RenderOptions how = render_options(options.color, options.verbose);
    how.max_steps = ~std::size_t{0};
    Finding finding;
    finding.kind = rerun.ending.kind;
    finding.message = rerun.ending.message;
    finding.location = rerun.ending.location;
    finding.schedule = rerun.schedule;
    finding.steps = rerun.steps;
    fmt::print("{}\n", render_trace_text(rerun.replay, finding, how));
    if (told.exit_code != kOurFault) fmt::print("tarry: {}\n", told.words);
    if (told.exit_code == kBug && followed.unused_line != 0)
      fmt::print("tarry: note: '{}' goes on after that, from line {}\n", options.file, followed.unused_line);
  }
  std::fflush(stdout);
  if (told.exit_code == kOurFault) fmt::print(stderr, "{}:{}: error: {}\n", options.file, followed.diverged_line, told.words);
  return told.exit_code;
}

}  // namespace

const FrontEnd* reader_of(const std::filesystem::path& schedule) {
  for (const FrontEnd& front_end : front_ends())
    if (!front_end.schedules.empty() && schedule.extension() == front_end.schedules) return &front_end;
  return nullptr;
}

int replay_schedule(const FrontEnd& front_end, const ScheduleReplay& options) {
  TargetRequest request;
  request.target = options.target;
  if (!options.test.empty()) request.test = options.test;
  const auto followed = front_end.make()->follow(request, options.file);
  if (const auto* given_up = std::get_if<GivenUp>(&followed)) return 128 + given_up->interrupted_by;
  if (const auto* diagnostic = std::get_if<Diagnostic>(&followed)) return refuse(*diagnostic);
  if (const auto* fault = std::get_if<OurFault>(&followed)) return admit(fmt::format("tarry: internal error: {}", fault->text), "");
  return show(options, std::get<FollowedSchedule>(followed));
}

}  // namespace tarry::cli
