#include "cli/replay_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "base/version.h"
#include "cli/findings.h"
#include "cli/p_files.h"
#include "trace/render/json.h"
#include "trace/whole_file.h"

namespace tarry::cli {
namespace {

/// P writes the test's full name there: "PImplementation.tcSafety.Execute".
bool names(const std::string& method, const std::string& test) {
  for (std::size_t at = 0; at <= method.size();) {
    const std::size_t end = std::min(method.find('.', at), method.size());
    if (method.compare(at, end - at, test) == 0) return true;
    at = end + 1;
  }
  return false;
}

/// The test to replay: the one asked for, the one that the file names, or the only one.
Result<std::string> choose_test(const ScheduleReplay& options, const plang::ScheduleFile& file,
                                const std::vector<std::string>& tests) {
  const std::string& wanted = options.test.empty() ? file.test : options.test;
  if (wanted.empty() && tests.size() == 1) return tests.front();
  if (wanted.empty())
    return usage_error(fmt::format("'{}' does not say which test it belongs to: name it with --testcase; there are {}",
                                   options.file, fmt::join(tests, ", ")));
  const auto found = std::find_if(tests.begin(), tests.end(), [&](const std::string& test) { return names(wanted, test); });
  if (found != tests.end()) return *found;
  return usage_error(
      fmt::format("the program has no test '{}'{}; there are {}", wanted, did_you_mean(wanted, tests), fmt::join(tests, ", ")));
}

Result<Subjects> subject_of(const ScheduleReplay& options, const plang::ScheduleFile& file) {
  POptions p;
  p.all_points = true;
  p.fair = file.fair && file.threshold;
  p.max_steps = 2 * std::min(file.threshold.value_or(0), ~std::uint64_t{0} >> 2);
  const auto compiled = compile_p({options.target}, p);
  if (!compiled) return compiled.error();
  fmt::print(stderr, "{}", (*compiled)->warnings);
  const auto test = choose_test(options, file, (*compiled)->tests);
  if (!test) return test.error();
  p.test = *test;
  return p_subjects(*compiled, p);
}

struct FollowedSchedule {
  int exit_code;
  std::string verdict;  // "bug", "no-bug", "limit", "diverged"
  std::string words;
};

FollowedSchedule judge_schedule(const Rerun& rerun, const plang::Translated& followed) {
  if (rerun.ending.kind == kLimitKind)
    return {kNoBug, "limit", fmt::format("stopped after {} steps: {}", with_separators(rerun.steps), rerun.ending.message)};
  if (!rerun.ending.kind.empty())
    return {kBug, "bug", fmt::format("the schedule shows {} after {} steps", rerun.ending.kind, with_separators(rerun.steps))};
  if (followed.diverged_line != 0) return {kOurFault, "diverged", "the program goes another way: " + followed.divergence};
  return {kNoBug, "no-bug", fmt::format("the schedule ends without a bug after {} steps", with_separators(rerun.steps))};
}

void print_schedule_json(const ScheduleReplay& options, const std::string& test, const Rerun& rerun, const plang::Translated& followed,
                const FollowedSchedule& told) {
  const auto text = [](const std::string& words) { return words.empty() ? OrderedJson(nullptr) : OrderedJson(words); };
  const OrderedJson out{{"schema", 1},
                 {"tarry", kVersion},
                 {"schedule", options.file},
                 {"target", options.target},
                 {"test", test},
                 {"verdict", told.verdict},
                 {"kind", text(rerun.ending.kind)},
                 {"message", text(rerun.ending.message)},
                 {"location", text(rerun.ending.location)},
                 {"steps", rerun.steps},
                 {"diverged_line", told.verdict == "diverged" ? OrderedJson(followed.diverged_line) : OrderedJson(nullptr)},
                 {"verdict_text", told.words}};
  fmt::print("{}\n", out.dump(2, ' ', false, OrderedJson::error_handler_t::replace));
}

int show(const ScheduleReplay& options, const std::string& test, Rerun rerun, const plang::Translated& followed) {
  const FollowedSchedule told = judge_schedule(rerun, followed);
  if (options.json) {
    print_schedule_json(options, test, rerun, followed, told);
  } else {
    RenderOptions how = render_options(options.color, options.verbose);
    how.max_steps = ~std::size_t{0};
    Finding finding;
    finding.kind = rerun.ending.kind;
    finding.message = rerun.ending.message;
    finding.location = rerun.ending.location;
    finding.schedule = followed.schedule;
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

int replay_schedule(const ScheduleReplay& options) {
  if (options.target.empty())
    return refuse(
        usage_error(fmt::format("a schedule of P does not say what it belongs to: name the program with --target, as in 'tarry "
                                "replay {} --target bank.pproj'",
                                options.file)));
  if (!names_a_p_program(options.target))
    return refuse(usage_error(fmt::format("a schedule of P needs a P program, and '{}' is none", options.target)));
  const auto text = read_whole(options.file, std::uint64_t{1} << 30);
  if (!text) return refuse(text.error());
  const auto file = plang::parse_schedule(options.file, *text);
  if (!file) return refuse(file.error());
  const auto subjects = subject_of(options, *file);
  if (!subjects) return refuse(subjects.error());
  const StateSubject& subject = *subjects->front()->state_subject();
  const std::chrono::milliseconds timeout = CheckOptions{}.step_timeout;
  const auto faulty = [](const OurFault& fault) { return admit(fmt::format("tarry: internal error: {}", fault.text), ""); };
  const auto followed = follow_p_schedule(subject, *file, timeout);
  if (const auto* diagnostic = std::get_if<Diagnostic>(&followed)) return refuse(*diagnostic);
  if (const auto* fault = std::get_if<OurFault>(&followed)) return faulty(*fault);
  const auto& translated = std::get<plang::Translated>(followed);
  const auto again = subject.rerun(Finding{.kind = "", .message = "", .location = "", .schedule = translated.schedule}, {}, {.step_timeout = timeout});
  if (const auto* given_up = std::get_if<GivenUp>(&again)) return 128 + given_up->interrupted_by;
  if (const auto* diagnostic = std::get_if<Diagnostic>(&again)) return refuse(*diagnostic);
  if (const auto* fault = std::get_if<OurFault>(&again)) return faulty(*fault);
  return show(options, subject.test(), std::get<Rerun>(again), translated);
}

}  // namespace tarry::cli
