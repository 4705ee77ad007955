#include "plang/target/follow_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/usage.h"
#include "plang/target/compiled_project.h"
#include "plang/target/own_files.h"
#include "plang/target/p_subject.h"
#include "plang/trace/schedule_file.h"
#include "plang/trace/translate.h"
#include "trace/whole_file.h"

namespace tarry::plang {
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

/// Returns the requested test, else the test that the file names, else the only test.
Result<std::string> choose_test(const TargetRequest& request, const std::string& file, const ScheduleFile& schedule, const std::vector<std::string>& tests) {
  const std::string& wanted = request.test ? *request.test : schedule.test;
  if (wanted.empty() && tests.size() == 1) return tests.front();
  if (wanted.empty()) return usage_error(fmt::format("'{}' does not say which test it belongs to: name it with --testcase; there are {}", file, fmt::join(tests, ", ")));
  const auto found = std::find_if(tests.begin(), tests.end(), [&](const std::string& test) { return names(wanted, test); });
  if (found != tests.end()) return *found;
  return usage_error(fmt::format("the program has no test '{}'{}; there are {}", wanted, did_you_mean(wanted, tests), fmt::join(tests, ", ")));
}

Result<Subjects> subject_of(const TargetRequest& request, const std::string& file, const ScheduleFile& schedule) {
  const auto compiled = compile_project({request.target}, {});
  if (!compiled) return compiled.error();
  fmt::print(stderr, "{}", (*compiled)->warnings);
  const auto test = choose_test(request, file, schedule, (*compiled)->tests);
  if (!test) return test.error();
  TestOptions options{.points = Points::kAll};
  options.bounds.max_steps = 2 * std::min(schedule.threshold.value_or(0), ~std::uint64_t{0} >> 2);
  if (schedule.fair && schedule.threshold) options.bounds.temperature = options.bounds.max_steps / 2;
  return subjects_of(*compiled, *test, std::nullopt, options);
}

}  // namespace

FollowResult follow_schedule(const TargetRequest& request, const std::filesystem::path& schedule) {
  const std::string file = schedule.string();
  if (request.target.empty())
    return usage_error(fmt::format("a schedule of P does not say what it belongs to: name the program with --target, as in 'tarry replay {} --target bank.pproj'", file));
  if (!names_a_p_program(request.target)) return usage_error(fmt::format("a schedule of P needs a P program, and '{}' is none", request.target));
  const auto text = read_whole(schedule, std::uint64_t{1} << 30);
  if (!text) return text.error();
  const auto parsed = parse_schedule(file, *text);
  if (!parsed) return parsed.error();
  const auto subjects = subject_of(request, file, *parsed);
  if (!subjects) return subjects.error();
  const auto& subject = static_cast<const PSubject&>(*subjects->front());
  auto translated = translate_in_child(subject, *parsed, request.step_timeout);
  if (auto* diagnostic = std::get_if<Diagnostic>(&translated)) return std::move(*diagnostic);
  if (auto* fault = std::get_if<OurFault>(&translated)) return std::move(*fault);
  const auto& found = std::get<Translated>(translated);
  auto again = subject.rerun(Finding{.kind = "", .message = "", .location = "", .schedule = found.schedule}, {}, {.step_timeout = request.step_timeout});
  if (auto* given_up = std::get_if<GivenUp>(&again)) return std::move(*given_up);
  if (auto* diagnostic = std::get_if<Diagnostic>(&again)) return std::move(*diagnostic);
  if (auto* fault = std::get_if<OurFault>(&again)) return std::move(*fault);
  return FollowedSchedule{.test = subject.facts().test, .rerun = std::move(std::get<Rerun>(again)), .diverged_line = found.diverged_line, .divergence = found.divergence, .unused_line = found.unused_line};
}

}  // namespace tarry::plang
